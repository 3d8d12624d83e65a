"""Tries every cell on the referee's own board: captures, then length along our axis."""

import random

from referee.board import Board
from referee.game import _ACTION_PLACE, _ACTION_STEAL


class Player:
    def __init__(self, player, n):
        self.player = player
        self.opponent = "blue" if player == "red" else "red"
        self.axis = 0 if player == "red" else 1
        self.board = Board(n)
        self.n_turns = 0
        self.rng = random.Random(0)

    def action(self):
        n = self.board.n
        if self.n_turns == 0:
            # A corner of the short diagonal is not worth stealing.
            return (_ACTION_PLACE, 0, n - 1)
        if self.n_turns == 1 and self.opened_well():
            return (_ACTION_STEAL,)
        cells = [(r, q) for r in range(n) for q in range(n) if not self.board.is_occupied((r, q))]
        self.rng.shuffle(cells)
        r, q = max(cells, key=self.value)
        return (_ACTION_PLACE, r, q)

    def turn(self, player, action):
        self.n_turns += 1
        if action[0] == _ACTION_STEAL:
            self.board.swap()
        else:
            self.board.place(player, tuple(action[1:]))

    def opened_well(self):
        n = self.board.n
        inner = range(n // 4, n - n // 4)
        return any(self.board[(r, q)] is not None for r in inner for q in inner)

    def value(self, coord):
        captured = self.board.place(self.player, coord)
        along = [cell[self.axis] for cell in self.board.connected_coords(coord)]
        self.board[coord] = None
        for cell in captured:
            self.board[cell] = self.opponent
        return 2 * len(captured) + max(along) - min(along)
