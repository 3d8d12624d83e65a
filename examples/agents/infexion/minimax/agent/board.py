"""A board of our own: a list of signed powers, positive for red."""

from .util import RAYS, SIZE

MAX_TURNS = 343


class FastBoard:
    def __init__(self, cells=None, turns=0):
        self.cells = cells or [0] * SIZE
        self.turns = turns

    @property
    def sign(self):
        return -1 if self.turns % 2 else 1

    def after(self, move):
        cell, direction = move
        sign = self.sign
        cells = self.cells[:]
        if direction is None:
            cells[cell] = sign
        else:
            power = abs(cells[cell])
            cells[cell] = 0
            for target in RAYS[cell][direction][:power]:
                height = abs(cells[target]) + 1
                cells[target] = 0 if height == 7 else sign * height
        return FastBoard(cells, self.turns + 1)

    def balance(self):
        return sum(self.cells)

    def winner(self):
        """1, -1, 0 for a draw, None while the game goes on."""
        if self.turns < 2:
            return None
        if self.turns < MAX_TURNS and any(c > 0 for c in self.cells) and any(c < 0 for c in self.cells):
            return None
        balance = self.balance()
        return 0 if abs(balance) < 2 else (1 if balance > 0 else -1)

    def moves(self):
        """Spreads first, those of tall stacks before the others; then spawns."""
        sign = self.sign
        own = sorted((c for c in range(SIZE) if self.cells[c] * sign > 0), key=lambda c: -abs(self.cells[c]))
        for cell in own:
            for direction in range(6):
                yield cell, direction
        if sum(map(abs, self.cells)) < SIZE:
            for cell in range(SIZE):
                if not self.cells[cell]:
                    yield cell, None
