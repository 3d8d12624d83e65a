"""Spawns on an occupied cell."""

from referee.game import SpawnAction

from base import CELLS, Base


class Agent(Base):
    def action(self, **referee):
        occupied = [cell for cell in CELLS if self.board[cell].player is not None]
        return SpawnAction(occupied[0]) if occupied else super().action(**referee)
