"""Plays any empty cell. Captured cells are found again by the rules of the diamond."""

import random

# The six steps around a cell, in a circle.
STEPS = [(1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)]


class Player:
    def __init__(self, player, n):
        self.player = player
        self.n = n
        self.stones = {}
        self.n_turns = 0

    def action(self):
        cells = [(r, q) for r in range(self.n) for q in range(self.n) if (r, q) not in self.stones]
        if self.n_turns == 0 and self.n % 2 == 1:
            cells.remove((self.n // 2, self.n // 2))
        if self.n_turns == 1 and random.random() < 0.5:
            return ("STEAL",)
        return ("PLACE",) + random.choice(cells)

    def turn(self, player, action):
        self.n_turns += 1
        if action[0] == "STEAL":
            [(r, q)] = self.stones
            self.stones = {(q, r): player}
            return
        r, q = action[1], action[2]
        self.stones[r, q] = player
        captured = set()
        for i, (r1, q1) in enumerate(STEPS):
            for r2, q2 in (STEPS[(i + 1) % 6], STEPS[(i + 2) % 6]):
                far = self.stones.get((r + r1 + r2, q + q1 + q2))
                pair = [(r + r1, q + q1), (r + r2, q + q2)]
                if far == player and all(self.stones.get(c, player) != player for c in pair):
                    captured.update(pair)
        for cell in captured:
            del self.stones[cell]
