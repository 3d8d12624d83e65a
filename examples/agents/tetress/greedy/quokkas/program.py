"""Tries some pieces on the referee's own board and takes the one that leaves the best balance of tokens."""

import random

from referee.game import BOARD_N, Action, Board, Coord, Direction, PlaceAction, PlayerColor
from referee.game.pieces import PieceType, create_piece, _TEMPLATES

ALL_COORDS = [Coord(r, c) for r in range(BOARD_N) for c in range(BOARD_N)]
ENOUGH = 12


class Agent:
    def __init__(self, color: PlayerColor, **referee: dict):
        self._color = color
        self._board = Board()
        self._random = random.Random(0)

    def action(self, **referee: dict) -> Action:
        best, best_value = None, None
        for action in self._candidates():
            value = self._value(action)
            if best is None or value > best_value:
                best, best_value = action, value
        return best

    def update(self, color: PlayerColor, action: Action, **referee: dict):
        self._board.apply_action(action)

    def _candidates(self):
        """Pieces on cells next to our own, until there are enough; all of them if there are few."""
        if self._board.turn_count < 2:
            cells = [coord for coord in ALL_COORDS if self._is_empty(coord)]
        else:
            own = [coord for coord in ALL_COORDS if self._board[coord].player == self._color]
            near = {coord + direction for coord in own for direction in Direction}
            cells = sorted(coord for coord in near if self._is_empty(coord))
        self._random.shuffle(cells)
        candidates = []
        for cell in cells:
            pieces = [
                create_piece(piece_type, cell - offset)
                for piece_type in PieceType
                for offset in _TEMPLATES[piece_type]
            ]
            self._random.shuffle(pieces)
            fitting = [piece for piece in pieces if all(map(self._is_empty, piece.coords))]
            candidates += [PlaceAction(*piece.coords) for piece in fitting[:2]]
            if len(candidates) >= ENOUGH:
                break
        return candidates

    def _is_empty(self, coord):
        return self._board[coord].player is None

    def _value(self, action):
        self._board.apply_action(action)
        counts = {PlayerColor.RED: 0, PlayerColor.BLUE: 0, None: 0}
        for coord in ALL_COORDS:
            counts[self._board[coord].player] += 1
        self._board.undo_action()
        return counts[self._color] - counts[self._color.opponent]
