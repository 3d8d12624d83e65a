"""Which values of an agent count as moves: those that the official referees accept."""

import importlib.util
import json
import unittest

from hosts import NAMES, Host, agent


class Judgment(unittest.TestCase):
    """What counts as a move."""

    def replies(self, game, expressions, before):
        """The replies of one agent that returns the values of these expressions one after another."""
        values = "VALUES = iter([%s])\n" % ", ".join("lambda: " + text for text in expressions)
        with Host(game, before + agent(game, "next(VALUES)()") + values) as host:
            self.assertEqual(host.imported.get("ok"), "agent:" + NAMES[game], host.imported)
            self.assertEqual(host.new(), {"ok": True})
            return [host.action() for _ in expressions]

    def legal(self, game, move, *expressions, before=""):
        for text, reply in zip(expressions, self.replies(game, expressions, before)):
            self.assertEqual(reply.get("move"), move, (text, reply))

    def illegal(self, game, *expressions, before=""):
        for text, reply in zip(expressions, self.replies(game, expressions, before)):
            self.assertEqual(list(reply), ["illegal", "said"], (text, reply))
            self.assertLess(len(json.dumps(reply)), 2000)

    def test_coordinates_of_infexion_and_tetress_are_numbers_that_equal_integers(self):
        kinds = "from enum import IntEnum\nfrom fractions import Fraction\nclass Row(IntEnum):\n    ONE = 1\n"
        numbers = ["1", "True", "1.0", "Row.ONE", "Fraction(1)"]
        if importlib.util.find_spec("numpy"):
            kinds += "import numpy\n"
            numbers += ["numpy.int64(1)", "numpy.uint8(1)", "numpy.float64(1)"]
        self.legal("infexion", "1-2", *["SpawnAction(HexPos(%s, 2))" % text for text in numbers], before=kinds)
        cells = ["PlaceAction(*[Coord(%s, c) for c in range(4)])" % text for text in numbers]
        self.legal("tetress", "1-0,1-1,1-2,1-3", *cells, before=kinds)

    def test_other_numbers_are_illegal(self):
        kinds = """
class Index:
    __index__ = __int__ = lambda self: 1
    __le__ = __lt__ = __ge__ = __gt__ = lambda *_: True
"""
        numbers = ("1.5", "Index()", "float('1e-300')")
        self.illegal("infexion", *["SpawnAction(HexPos(%s, 2))" % number for number in numbers], before=kinds)
        self.illegal("tetress", "PlaceAction(*[Coord(1.5, c) for c in range(4)])")
        numbers = ["1.0", "True", "'1'", "Index()", "None", "10 ** 5000", "-1", "-10 ** 5000"]
        if importlib.util.find_spec("numpy"):
            kinds += "import numpy\n"
            numbers += ["numpy.int64(1)", "numpy.uint8(1)"]
        self.illegal("cachex", *["('PLACE', %s, 2)" % number for number in numbers], before=kinds)

    def test_forged_cells_are_illegal(self):
        forge = """
def forged(make, **fields):
    cell = make.__new__(make)
    for name, value in fields.items():
        object.__setattr__(cell, name, value)
    return cell
"""
        cells = ("r=1", "r=10 ** 5000, q=1", "r='1', q=1", "r=-1, q=1", "r=None, q=1", "r=[], q=1")
        self.illegal("infexion", *["SpawnAction(forged(HexPos, %s))" % fields for fields in cells], before=forge)
        cells = ["PlaceAction(*[forged(Coord, %s)] * 4)" % fields.replace("q", "c") for fields in cells]
        self.illegal("tetress", *cells, before=forge)

    def test_other_values_are_illegal(self):
        self.illegal(
            "infexion",
            "None",
            "(1, 2)",
            "'SPAWN(1, 2)'",
            "SpawnAction",
            "SpawnAction(HexPos)",
            "SpawnAction((1, 2))",
            "SpawnAction(SpawnAction(HexPos(1, 2)))",
            "SpreadAction(HexPos(1, 2), HexDir.Up.value)",
            "SpreadAction(HexPos(1, 2), (1, -1))",
            "SpreadAction(HexPos(1, 2), None)",
            "type('SpawnAction', (), {'cell': HexPos(1, 2)})()",
            "lambda: 1",
            "(move for move in ())",
            "open(os.devnull)",
            "'\\ud800'",
        )
        self.illegal(
            "tetress",
            "None",
            "[Coord(0, c) for c in range(4)]",
            "PlaceAction(0, 1, 2, 3)",
            "PlaceAction(*[Coord(0, c) for c in range(3)], (0, 3))",
        )
        self.illegal(
            "cachex",
            "None",
            "()",
            "['PLACE', 0, 1]",
            "'PLACE'",
            "('PLACE',)",
            "('PLACE', 0)",
            "('PLACE', 0, 1, 2)",
            "('STEAL', 0)",
            "('place', 0, 1)",
            "(b'PLACE', 0, 1)",
            "('PLACE', (0, 1))",
        )

    def test_look_alikes_of_the_referees_classes_are_illegal(self):
        text = """
from dataclasses import dataclass
from referee.game import HexPos as Theirs, SpawnAction as TheirSpawn
@dataclass(frozen=True)
class HexPos2:
    r: int
    q: int
class SubPos(Theirs): pass
class SubSpawn(TheirSpawn): pass
class Pretender:
    cell = Theirs(1, 2)
    __class__ = TheirSpawn
"""
        values = ("SpawnAction(HexPos2(1, 2))", "SpawnAction(SubPos(1, 2))", "SubSpawn(HexPos(1, 2))", "Pretender()")
        self.illegal("infexion", *values, before=text)

    def test_what_arrives_in_the_referee_counts(self):
        text = """
from referee.game import HexPos, SpawnAction
class Reduced:
    def __reduce__(self): return SpawnAction, (HexPos(3, 4),)
"""
        self.legal("infexion", "3-4", "Reduced()", before=text)

    def test_a_named_tuple_is_a_tuple(self):
        text = "from collections import namedtuple\nPlace = namedtuple('Place', 'kind r q')\n"
        self.legal("cachex", "3-4", "Place('PLACE', 3, 4)", before=text)
        self.legal("cachex", "steal", "'STEAL'", "('STEAL',)")

    def test_values_that_cannot_be_printed_are_illegal(self):
        text = """
class Mute:
    def __str__(self): raise BaseException("no")
    __repr__ = __str__
class Long:
    def __repr__(self): return "x" * 1000000
class Odd:
    def __getattribute__(self, name): raise KeyError(name)
    def __eq__(self, other): raise KeyError("eq")
    __hash__ = None
"""
        values = ("Mute()", "Long()", "Odd()", "SpawnAction(Mute())", "SpreadAction(HexPos(0, 0), Odd())")
        self.illegal("infexion", *values, before=text)
        self.illegal("cachex", "Mute()", "('PLACE', Mute(), 1)", "(Odd(), 0, 1)", before=text)
