"""UCT with short playouts that end in the balance of power."""

import random
import time

from referee.game import (
    Action, HexDir, HexPos, PlayerColor, SpawnAction, SpreadAction,
)

from .tree import Node

DIRECTIONS = list(HexDir)
PLAYOUTS = 60
PLAYOUT_PLIES = 4
# With less CPU time left than this we stop to search.
RESERVE = 2.0


class Agent:
    def __init__(self, color: PlayerColor, **referee: dict):
        self.cells = {}  # (r, q) -> signed power, positive for red
        self.turns = 0
        self.rng = random.Random(0)

    def action(self, **referee: dict) -> Action:
        started = time.process_time()
        left = referee["time_remaining"]
        root = Node(self.ordered(self.cells, self.turns))
        for n in range(PLAYOUTS):
            self.playout(root)
            if left is not None and left - (time.process_time() - started) < RESERVE:
                break
        print(f"possums: {n + 1} playouts")
        return to_action(root.best())

    def turn(self, color: PlayerColor, action: Action, **referee: dict):
        self.cells = after(self.cells, from_action(action), self.turns)
        self.turns += 1

    def ordered(self, cells, turns):
        """The most promising moves, best first: those that win most power at once."""
        sign = -1 if turns % 2 else 1
        moves = legal(cells, turns)
        self.rng.shuffle(moves)
        moves.sort(key=lambda move: -gain(cells, move, sign))
        return moves[:15]

    def playout(self, root):
        cells, turns, node, path = self.cells, self.turns, root, []
        while node is not None and not over(cells, turns):
            idx = node.select()
            path.append((node, idx))
            cells = after(cells, node.moves[idx], turns)
            turns += 1
            if node.children[idx] is None:
                if not over(cells, turns):
                    node.children[idx] = Node(self.ordered(cells, turns))
                break
            node = node.children[idx]
        for _ in range(PLAYOUT_PLIES):
            if over(cells, turns):
                break
            cells = after(cells, self.rng.choice(legal(cells, turns)), turns)
            turns += 1
        balance = sum(cells.values())
        total = sum(map(abs, cells.values()))
        red = 0.5 + balance / total / 2 if total else 0.5
        for depth, (node, idx) in enumerate(path):
            is_red = (self.turns + depth) % 2 == 0
            node.update(idx, red if is_red else 1 - red)


def over(cells, turns):
    if turns < 2:
        return False
    return turns >= 343 or not any(p > 0 for p in cells.values()) or not any(p < 0 for p in cells.values())


def legal(cells, turns):
    sign = -1 if turns % 2 else 1
    moves = [(cell, d) for cell, power in cells.items() if power * sign > 0 for d in range(6)]
    if sum(map(abs, cells.values())) < 49:
        moves += [((r, q), None) for r in range(7) for q in range(7) if (r, q) not in cells]
    return moves


def targets(cells, move):
    (r, q), d = move
    dr, dq = DIRECTIONS[d].r, DIRECTIONS[d].q
    return [((r + k * dr) % 7, (q + k * dq) % 7) for k in range(1, abs(cells[move[0]]) + 1)]


def gain(cells, move, sign):
    if move[1] is None:
        return 1
    taken = 0
    for target in targets(cells, move):
        power = cells.get(target, 0) * sign
        taken += -2 * power if power < 0 else 0
    return taken


def after(cells, move, turns):
    sign = -1 if turns % 2 else 1
    new = dict(cells)
    if move[1] is None:
        new[move[0]] = sign
        return new
    del new[move[0]]
    for target in targets(cells, move):
        power = abs(new.pop(target, 0)) + 1
        if power < 7:
            new[target] = sign * power
    return new


def to_action(move):
    (r, q), d = move
    return SpawnAction(HexPos(r, q)) if d is None else SpreadAction(HexPos(r, q), DIRECTIONS[d])


def from_action(action):
    match action:
        case SpawnAction(cell):
            return (cell.r, cell.q), None
        case SpreadAction(cell, direction):
            return (cell.r, cell.q), DIRECTIONS.index(direction)
