"""Glue between the referee and the search."""

from agent.core import bits
from agent.core.search import best_piece
from referee.game import Action, Coord, PlaceAction, PlayerColor

from .core.board import Board


class Agent:
    def __init__(self, color: PlayerColor, **referee: dict):
        self._board = Board()

    def action(self, **referee: dict) -> Action:
        piece = best_piece(self._board)
        return PlaceAction(*(Coord(*divmod(cell, bits.N)) for cell in bits.cells(piece)))

    def update(self, color: PlayerColor, action: Action, **referee: dict):
        piece = sum(1 << coord.r * bits.N + coord.c for coord in action.coords)
        self._board = self._board.after(piece)
