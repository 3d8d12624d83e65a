"""UCT with random fill-ups of the board. The openings are read from the folder that the game runs in."""

import math
import random
import time

PLAYOUTS = 60
STEPS = [(1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)]


def read_openings():
    openings = {}
    with open("bandicoots/openings.txt") as file:
        for line in file:
            if not line.startswith("#"):
                n, r, q = map(int, line.split())
                openings[n] = (r, q)
    return openings


class Player:
    def __init__(self, player, n):
        self.player, self.n = player, n
        self.openings = read_openings()
        self.rng = random.Random(0)
        self.cells = {}  # (r, q) -> "red" or "blue"
        self.n_turns = 0
        # The course gives n * n seconds of CPU time for a game, and nobody tells us how much is left.
        self.seconds_left = n * n
        self.all = [(r, q) for r in range(n) for q in range(n)]
        self.near = {
            (r, q): [(r + dr, q + dq) for dr, dq in STEPS if 0 <= r + dr < n and 0 <= q + dq < n]
            for (r, q) in self.all
        }

    def action(self):
        if self.n_turns == 0:
            return ("PLACE",) + self.openings.get(self.n, (0, 0))
        started = time.process_time()
        root = Node(self.empty(self.cells), self.rng)
        for _ in range(PLAYOUTS):
            self.playout(root)
            if self.seconds_left - (time.process_time() - started) < 1:
                break
        self.seconds_left -= time.process_time() - started
        best = max(root.children, key=lambda cell: root.children[cell].visits)
        return ("PLACE",) + best

    def turn(self, player, action):
        if action[0] == "STEAL":
            [(r, q)] = self.cells
            self.cells = {(q, r): player}
        else:
            self.cells = self.after(self.cells, player, action[1:])
        self.n_turns += 1

    def empty(self, cells):
        return [cell for cell in self.all if cell not in cells]

    def after(self, cells, player, cell):
        cells = dict(cells)
        cells[cell] = player
        r, q = cell
        captured = set()
        for i, (r1, q1) in enumerate(STEPS):
            for r2, q2 in (STEPS[(i + 1) % 6], STEPS[(i + 2) % 6]):
                pair = ((r + r1, q + q1), (r + r2, q + q2))
                if cells.get((r + r1 + r2, q + q1 + q2)) == player:
                    if all(cells.get(other, player) != player for other in pair):
                        captured.update(pair)
        for other in captured:
            del cells[other]
        return cells

    def playout(self, root):
        mover = "red" if self.n_turns % 2 == 0 else "blue"
        cells, node, path = self.cells, root, [root]
        while True:
            if node.untried:
                cell = node.untried.pop()
                cells = self.after(cells, mover, cell)
                node.children[cell] = Node(self.empty(cells), self.rng)
                path.append(node.children[cell])
                break
            if not node.children:
                break
            cell, node = node.select()
            cells = self.after(cells, mover, cell)
            path.append(node)
            mover = "blue" if mover == "red" else "red"
        won = self.fill_up(cells) == ("red" if self.n_turns % 2 == 0 else "blue")
        for depth, node in enumerate(path):
            node.visits += 1
            # Odd depths were chosen by us, even ones by the opponent.
            node.wins += won if depth % 2 == 1 else not won

    def fill_up(self, cells):
        """Who connects if both sides take turns at random on what is left."""
        rest = self.empty(cells)
        self.rng.shuffle(rest)
        red = {cell for cell, side in cells.items() if side == "red"}
        red.update(rest[::2])
        stack = [(0, q) for q in range(self.n) if (0, q) in red]
        seen = set(stack)
        while stack:
            cell = stack.pop()
            if cell[0] == self.n - 1:
                return "red"
            for other in self.near[cell]:
                if other in red and other not in seen:
                    seen.add(other)
                    stack.append(other)
        return "blue"


class Node:
    def __init__(self, cells, rng):
        self.untried = cells
        rng.shuffle(self.untried)
        self.children = {}
        self.visits, self.wins = 0, 0

    def select(self):
        log = math.log(self.visits)
        return max(
            self.children.items(),
            key=lambda item: item[1].wins / item[1].visits + math.sqrt(2 * log / item[1].visits),
        )
