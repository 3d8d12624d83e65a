"""What an agent would need more with the official `referee`, whose classes are slower than ours.

The factors are official CPU time by ours. Those of sums and of `create_piece` were measured on one machine: 3.23
against 0.41 microseconds for `HexPos + HexDir`, 3.35 against 0.46 for `Coord + Direction`, 24.5 against 7.3 for
`create_piece`. Those of playing and undoing follow, less exactly, from the official boards' speed: 36 000 to 56 000
moves a second in Infexion, 0.30 s for the 2299 placements of Tetress. Those of the end of a game are guesses.
"""

import importlib
import sys
import time
import timeit

SUM, PIECE, PLAY, END = (7.0, 8.0), (3.0, 3.7), (1.0, 4.0), (1.5, 6.0)

# The operations of each game: module, class, function, the factors, and for short ones an example to measure.
OPERATIONS = {
    "infexion": [
        ("hex", "HexPos", "__add__", SUM, "HexPos(3, 3) + HexDir.Up"),
        ("hex", "HexPos", "__sub__", SUM, "HexPos(3, 3) - HexDir.Up"),
        ("board", "Board", "apply_action", PLAY, None),
        ("board", "Board", "undo_action", PLAY, None),
        ("board", "Board", "game_over", END, None),
        ("board", "Board", "winner_color", END, None),
    ],
    "tetress": [
        ("coord", "Coord", "__add__", SUM, "Coord(3, 3) + Direction.Up"),
        ("coord", "Coord", "__sub__", SUM, "Coord(3, 3) - Direction.Up"),
        ("pieces", None, "create_piece", PIECE, None),
        ("board", "Board", "apply_action", PLAY, None),
        ("board", "Board", "undo_action", PLAY, None),
        ("board", "Board", "game_over", END, None),
        ("board", "Board", "winner_color", END, None),
    ],
    "cachex": [],
}

N_MEASURED = 2000


class Counts:
    """Counts the agent's calls of costly operations. Calls that one operation makes of another are part of it."""

    def __init__(self, game):
        self._operations = []
        self._is_inside = False
        for module, owner, name, factors, example in OPERATIONS[game]:
            module = importlib.import_module("referee.game." + module)
            owners = [getattr(module, owner)] if owner else importers(module, name)
            operation = Operation(factors, example and cost_of(example))
            member = getattr(owners[0], name)
            if isinstance(member, property):
                counted = property(self._counted(member.fget, operation))
            else:
                counted = self._counted(member, operation)
            for owner in owners:
                setattr(owner, name, counted)
            self._operations.append(operation)

    def _counted(self, function, operation):
        clock = time.thread_time

        def counted(*args, **kwargs):
            if self._is_inside:
                return function(*args, **kwargs)
            self._is_inside = True
            operation.n_calls += 1
            start = clock() if operation.cost is None else 0.0
            try:
                return function(*args, **kwargs)
            finally:
                if operation.cost is None:
                    operation.seconds += clock() - start
                self._is_inside = False

        return counted

    def report(self, time):
        """The number of calls, and the CPU seconds that the official classes would have taken more: least and most."""
        more = [
            sum(operation.spent() * (operation.factors[idx] - 1) for operation in self._operations) for idx in (0, 1)
        ]
        return {"ok": [sum(operation.n_calls for operation in self._operations)] + more}


def importers(module, name):
    """A module, and the other modules of its package that have imported a function from it."""
    function = getattr(module, name)
    others = [other for other in list(sys.modules.values()) if getattr(other, "__package__", None) == module.__package__]
    return [module] + [other for other in others if other is not module and vars(other).get(name) is function]


class Operation:
    """An operation with its calls so far; `cost` is the time of one call, if it is too short to measure each."""

    def __init__(self, factors, cost):
        self.factors = factors
        self.cost = cost
        self.n_calls = 0
        self.seconds = 0.0

    def spent(self):
        return self.seconds if self.cost is None else self.n_calls * self.cost


def cost_of(example):
    """The CPU seconds of a sum or difference, the least of some trials."""
    names = vars(importlib.import_module("referee.game"))
    setup = "left, right = " + example.replace(" + ", ", ").replace(" - ", ", ")

    def least(statement):
        timer = timeit.Timer(statement, setup, time.thread_time, names)
        return min(timer.repeat(5, N_MEASURED)) / N_MEASURED

    return max(least("left + right" if " + " in example else "left - right") - least("pass"), 0.0)
