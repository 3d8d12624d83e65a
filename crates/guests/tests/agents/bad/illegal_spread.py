"""Spreads the opponent's stack."""

from referee.game import HexDir, SpreadAction

from base import CELLS, Base


class Agent(Base):
    def action(self, **referee):
        theirs = [cell for cell in CELLS if self.board[cell].player == self.color.opponent]
        return SpreadAction(theirs[0], HexDir.Up) if theirs else super().action(**referee)
