"""Glue between the referee and the search."""

from agent.search import best_move
from agent.util import from_action, to_action
from referee.game import Action, PlayerColor

from .board import FastBoard


class Agent:
    def __init__(self, color: PlayerColor, **referee: dict):
        self._color = color
        self._board = FastBoard()
        print(f"minimax plays as {color}")

    def action(self, **referee: dict) -> Action:
        return to_action(best_move(self._board))

    def turn(self, color: PlayerColor, action: Action, **referee: dict):
        self._board = self._board.after(from_action(action))
