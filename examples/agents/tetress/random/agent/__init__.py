"""Plays any legal piece. The class stands right here, without a program.py."""

import random

from referee.game import BOARD_N, Action, Coord, PlaceAction, PlayerColor


def all_pieces():
    """Every connected set of four cells of the torus, grown cell by cell."""
    shapes = {frozenset([(r, c)]) for r in range(BOARD_N) for c in range(BOARD_N)}
    for _ in range(3):
        shapes = {shape | {cell} for shape in shapes for cell in beside(shape)}
    return sorted(tuple(sorted(shape)) for shape in shapes)


def around(r, c):
    return [((r + dr) % BOARD_N, (c + dc) % BOARD_N) for dr, dc in ((1, 0), (-1, 0), (0, -1), (0, 1))]


def beside(shape):
    return {cell for old in shape for cell in around(*old)} - shape


PIECES = all_pieces()


class Agent:
    def __init__(self, color: PlayerColor, **referee: dict):
        self._color = color
        self._tokens = {}  # (r, c) -> PlayerColor
        self._plies = 0

    def action(self, **referee: dict) -> Action:
        mine = {cell for cell, color in self._tokens.items() if color == self._color}
        near = {cell for token in mine for cell in around(*token)}
        # Any piece that fits will do, so they are looked at in random order until one does.
        for piece in random.sample(PIECES, len(PIECES)):
            is_free = all(cell not in self._tokens for cell in piece)
            if is_free and (self._plies < 2 or any(cell in near for cell in piece)):
                return PlaceAction(*(Coord(r, c) for r, c in piece))
        raise RuntimeError("asked for a move though there is none")

    def update(self, color: PlayerColor, action: Action, **referee: dict):
        for coord in action.coords:
            self._tokens[coord.r, coord.c] = color
        lines = [[(r, c) for c in range(BOARD_N)] for r in range(BOARD_N)]
        lines += [[(r, c) for r in range(BOARD_N)] for c in range(BOARD_N)]
        full = [line for line in lines if all(cell in self._tokens for cell in line)]
        for cell in {cell for line in full for cell in line}:
            del self._tokens[cell]
        self._plies += 1
