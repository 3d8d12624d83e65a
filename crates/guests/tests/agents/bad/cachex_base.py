"""A player whose moves are always legal: it takes the first empty cell."""

STEPS = [(1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)]


class Base:
    def __init__(self, player, n):
        self.cells = [(r, q) for r in range(n) for q in range(n)]
        self.stones = {}
        self.n_turns = 0

    def action(self):
        return ("PLACE",) + next(cell for cell in self.cells if cell not in self.stones)

    def turn(self, player, action):
        self.n_turns += 1
        if action == ("STEAL",):
            [(r, q)] = self.stones
            self.stones = {(q, r): player}
            return
        _, r, q = action
        self.stones[r, q] = player
        captured = set()
        for i, (r1, q1) in enumerate(STEPS):
            for r2, q2 in (STEPS[(i + 1) % 6], STEPS[(i + 2) % 6]):
                pair = {(r + r1, q + q1), (r + r2, q + q2)}
                if self.stones.get((r + r1 + r2, q + q1 + q2)) == player:
                    if all(self.stones.get(cell, player) != player for cell in pair):
                        captured |= pair
        for cell in captured:
            del self.stones[cell]
