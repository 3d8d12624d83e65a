"""UCT over few pieces with short playouts. The weights come from a file beside this one."""

import json
import math
import random
import time
from pathlib import Path

from referee.game import Action, Coord, PlaceAction, PlayerColor
from referee.game.constants import BOARD_N as N
from referee.game.constants import MAX_TURNS

WEIGHTS = json.loads((Path(__file__).parent / "weights.json").read_text())
# With less CPU time left than this we stop to search.
RESERVE = 2.0

ROWS = [sum(1 << r * N + c for c in range(N)) for r in range(N)]
COLUMNS = [sum(1 << r * N + c for r in range(N)) for c in range(N)]
BESIDE = [
    sum(1 << (r + dr) % N * N + (c + dc) % N for dr, dc in ((1, 0), (-1, 0), (0, -1), (0, 1)))
    for r in range(N)
    for c in range(N)
]


def cells_of(bits):
    return [cell for cell in range(N * N) if bits >> cell & 1]


def beside(bits):
    near = 0
    while bits:
        low = bits & -bits
        near |= BESIDE[low.bit_length() - 1]
        bits ^= low
    return near


def grow():
    """All pieces by the cells that they cover: PIECES_AT[cell] holds those on that cell."""
    shapes = {1 << cell for cell in range(N * N)}
    for _ in range(3):
        shapes = {shape | 1 << cell for shape in shapes for cell in cells_of(beside(shape) & ~shape)}
    at = [[] for _ in range(N * N)]
    for shape in sorted(shapes):
        for cell in cells_of(shape):
            at[cell].append(shape)
    return at


PIECES_AT = grow()


class State:
    """Tokens of the side to move and of the other, and the plies played."""

    def __init__(self, mine, theirs, plies):
        self.mine, self.theirs, self.plies = mine, theirs, plies

    def after(self, piece):
        mine, theirs = self.mine | piece, self.theirs
        full = 0
        for line in ROWS + COLUMNS:
            if line & ~(mine | theirs) == 0:
                full |= line
        return State(theirs & ~full, mine & ~full, self.plies + 1)

    def starts(self):
        """The empty cells of which a piece must cover one."""
        occupied = self.mine | self.theirs
        near = (1 << N * N) - 1 if self.plies < 2 else beside(self.mine)
        return cells_of(near & ~occupied)

    def some_pieces(self, rng, n):
        """At most n legal pieces; none only if there is none."""
        occupied = self.mine | self.theirs
        cells = self.starts()
        rng.shuffle(cells)
        found = []
        for cell in cells:
            fitting = [piece for piece in PIECES_AT[cell] if not piece & occupied]
            if fitting:
                found.append(rng.choice(fitting))
                if len(found) == n:
                    break
        return found

    def value(self):
        """The chance of the side to move, guessed."""
        free = ~(self.mine | self.theirs)
        tokens = self.mine.bit_count() - self.theirs.bit_count()
        room = (beside(self.mine) & free).bit_count() - (beside(self.theirs) & free).bit_count()
        return 1 / (1 + math.exp(-WEIGHTS["tokens"] * tokens - WEIGHTS["room"] * room))


class Node:
    def __init__(self, state, rng):
        self.state = state
        is_over = state.plies >= MAX_TURNS
        self.pieces = [] if is_over else state.some_pieces(rng, WEIGHTS["width"])
        self.children = []
        self.visits, self.total = 0, 0.0  # the total is seen from whoever moved here


class Agent:
    def __init__(self, color: PlayerColor, **referee: dict):
        self._state = State(0, 0, 0)
        self._rng = random.Random(0)

    def action(self, **referee: dict) -> Action:
        started = time.process_time()
        left = referee["time_remaining"]
        root = Node(self._state, self._rng)
        for _ in range(WEIGHTS["playouts"]):
            self._playout(root)
            if left is not None and left - (time.process_time() - started) < RESERVE:
                break
        best = max(range(len(root.children)), key=lambda idx: root.children[idx].visits)
        return PlaceAction(*(Coord(*divmod(cell, N)) for cell in cells_of(root.pieces[best])))

    def update(self, color: PlayerColor, action: Action, **referee: dict):
        self._state = self._state.after(sum(1 << coord.r * N + coord.c for coord in action.coords))

    def _playout(self, root):
        path = [root]
        while path[-1].children and len(path[-1].children) == len(path[-1].pieces):
            path.append(self._select(path[-1]))
        leaf = path[-1]
        if leaf.pieces:
            state = leaf.state.after(leaf.pieces[len(leaf.children)])
            leaf.children.append(Node(state, self._rng))
            path.append(leaf.children[-1])
        value = self._rollout(path[-1].state)
        for node in reversed(path):
            value = 1 - value
            node.visits += 1
            node.total += value

    def _select(self, node):
        log = math.log(node.visits)
        return max(
            node.children,
            key=lambda child: child.total / child.visits
            + WEIGHTS["exploration"] * math.sqrt(log / child.visits),
        )

    def _rollout(self, state):
        """The value for the side to move of this state."""
        sign = 1
        for _ in range(WEIGHTS["plies"]):
            if state.plies >= MAX_TURNS:
                break
            pieces = state.some_pieces(self._rng, 1)
            if not pieces:
                return 0.0 if sign == 1 else 1.0
            state = state.after(pieces[0])
            sign = -sign
        value = state.value()
        return value if sign == 1 else 1 - value
