"""The board as a list of cells; red is 1, blue is -1."""

from heapq import heappop, heappush

STEPS = [(1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)]


class Grid:
    def __init__(self, n):
        self.n = n
        self.cells = {(r, q): 0 for r in range(n) for q in range(n)}
        self.near = {
            (r, q): [(r + dr, q + dq) for dr, dq in STEPS if (r + dr, q + dq) in self.cells]
            for (r, q) in self.cells
        }

    def empty(self):
        return [cell for cell, side in self.cells.items() if side == 0]

    def place(self, side, cell):
        """Returns what was captured, for undo."""
        r, q = cell
        self.cells[cell] = side
        captured = set()
        for i, (r1, q1) in enumerate(STEPS):
            for r2, q2 in (STEPS[(i + 1) % 6], STEPS[(i + 2) % 6]):
                x, y, z = (r + r1, q + q1), (r + r2, q + q2), (r + r1 + r2, q + q1 + q2)
                if self.cells.get(z) == side and self.cells.get(x) == self.cells.get(y) == -side:
                    captured |= {x, y}
        for other in captured:
            self.cells[other] = 0
        return captured

    def undo(self, side, cell, captured):
        self.cells[cell] = 0
        for other in captured:
            self.cells[other] = -side

    def steal(self):
        [(r, q)] = [cell for cell, side in self.cells.items() if side]
        self.cells[r, q] = 0
        self.cells[q, r] = -1

    def distance(self, side):
        """How many stones a side needs to connect, and the cells of one cheapest way."""
        n, cells = self.n, self.cells
        axis = 0 if side == 1 else 1
        queue, before, done = [], {}, set()
        for k in range(n):
            cell = (0, k) if side == 1 else (k, 0)
            if cells[cell] != -side:
                heappush(queue, (0 if cells[cell] else 1, cell, ()))
        while queue:
            cost, cell, previous = heappop(queue)
            if cell in done:
                continue
            done.add(cell)
            before[cell] = previous
            if cell[axis] == n - 1:
                way = []
                while cell:
                    way.append(cell)
                    cell = before[cell]
                return cost, way
            for other in self.near[cell]:
                if other not in done and cells[other] != -side:
                    heappush(queue, (cost + (0 if cells[other] else 1), other, cell))
        return n * n, []

    def __str__(self):
        rows = []
        for r in reversed(range(self.n)):
            row = ["b.r"[self.cells[r, q] + 1] for q in range(self.n)]
            rows.append(" " * r + " ".join(row))
        return "\n".join(rows)
