"""The packages of `yarra export-agent` under a minimal referee, with `fake_ugi.py` as yarra.

The working directory contains the packages `infexion_agent`, `tetress_agent` and `cachex_agent`.
"""

import dataclasses
import enum
import os
import subprocess
import sys
import time
import types
import unittest


class HexDir(enum.Enum):
    DownRight = (0, 1)
    Down = (-1, 1)
    DownLeft = (-1, 0)
    UpLeft = (0, -1)
    Up = (1, -1)
    UpRight = (1, 0)


def record(name, *fields):
    return dataclasses.make_dataclass(name, fields, frozen=True)


HexPos, Coord = record("HexPos", "r", "q"), record("Coord", "r", "c")
SpawnAction, SpreadAction = record("SpawnAction", "cell"), record("SpreadAction", "cell", "direction")
PlaceAction = record("PlaceAction", "c1", "c2", "c3", "c4")

game = types.ModuleType("referee.game")
for value in (HexDir, HexPos, Coord, SpawnAction, SpreadAction, PlaceAction):
    setattr(game, value.__name__, value)
sys.modules["referee"], sys.modules["referee.game"] = types.ModuleType("referee"), game
sys.path.insert(0, os.getcwd())

import cachex_agent
import infexion_agent
import tetress_agent


def heard():
    with open("heard") as file:
        return file.read().splitlines()


class Notation(unittest.TestCase):
    def test_infexion(self):
        module = infexion_agent.program
        cells = [HexPos(r, q) for r in range(7) for q in range(7)]
        actions = [SpawnAction(cell) for cell in cells]
        actions += [SpreadAction(cell, direction) for cell in cells for direction in HexDir]
        for action in actions:
            self.assertEqual(module.read_move(module.write_move(action)), action)
        self.assertEqual(module.write_move(SpawnAction(HexPos(3, 4))), "3-4")
        spreads = [module.write_move(SpreadAction(HexPos(0, 6), direction)) for direction in HexDir]
        self.assertEqual(spreads, ["0-6dr", "0-6d", "0-6dl", "0-6ul", "0-6u", "0-6ur"])
        for text in ("3", "3-4x", "", "steal"):
            self.assertRaises(ValueError, module.read_move, text)

    def test_tetress(self):
        module = tetress_agent.program
        action = PlaceAction(Coord(10, 9), Coord(10, 10), Coord(2, 10), Coord(10, 0))
        self.assertEqual(module.write_move(action), "2-10,10-0,10-9,10-10")
        in_order = PlaceAction(Coord(2, 10), Coord(10, 0), Coord(10, 9), Coord(10, 10))
        self.assertEqual(module.read_move("2-10,10-0,10-9,10-10"), in_order)

    def test_cachex(self):
        module = cachex_agent.player
        for text, action in (("steal", ("STEAL",)), ("3-14", ("PLACE", 3, 14))):
            self.assertEqual(module.read_move(text), action)
            self.assertEqual(module.write_move(action), text)
        # The official referee accepts only these types.
        self.assertEqual([type(value) for value in module.read_move("0-1")], [str, int, int])


class Talk(unittest.TestCase):
    def setUp(self):
        open("heard", "w").close()
        self.script("0-0 1-1 0-0ur")

    def script(self, text):
        with open("script", "w") as file:
            file.write(text)

    def test_a_game_without_limits(self):
        agent = infexion_agent.Agent(color="red", time_remaining=None, space_limit=None)
        spawn = agent.action(time_remaining=None, space_remaining=None)
        self.assertEqual(spawn, SpawnAction(HexPos(0, 0)))
        agent.turn("red", spawn, time_remaining=None)
        agent.turn("blue", SpawnAction(HexPos(1, 1)), time_remaining=None)
        spread = agent.action(time_remaining=None)
        self.assertEqual(spread, SpreadAction(HexPos(0, 0), HexDir.UpRight))
        agent._engine.close()
        expected = ["start ugi infexion mcts:nodes=9", "ugi", "uginewgame", "isready"]
        expected += ["position startpos", "isready", "go movetime 1000"]
        expected += ["position startpos moves 0-0 1-1", "isready", "go movetime 1000", "quit", "end"]
        self.assertEqual(heard(), expected)

    def test_the_time_of_the_program_counts(self):
        agent = infexion_agent.Agent(color="red")
        for seconds in (10.0, 10.0, 0.0):
            agent.action(time_remaining=seconds)
        agent._engine.close()
        left = [line.split() for line in heard() if line.startswith("go")]
        for go in left:
            self.assertEqual([go[1], go[3], go[2]], ["p1time", "p2time", go[4]])
        first, second, last = (int(go[2]) for go in left)
        self.assertEqual((first, last), (10000, 1))
        self.assertLess(second, first)

    def test_tetress(self):
        self.script("0-0,0-1,0-2,0-3")
        agent = tetress_agent.Agent(color="red")
        action = agent.action(time_remaining=None)
        self.assertEqual(action, PlaceAction(Coord(0, 0), Coord(0, 1), Coord(0, 2), Coord(0, 3)))
        agent.update("red", action)
        agent._engine.close()
        self.assertEqual(heard()[0], "start ugi tetress mcts:nodes=9")

    def test_cachex(self):
        self.script("none steal")
        player = cachex_agent.Player("blue", 7)
        player.turn("red", ("PLACE", 2, 3))
        self.assertEqual(player.action(), ("STEAL",))
        player._engine.close()
        self.assertEqual(heard()[0], "start ugi cachex:7 mcts:nodes=9")
        self.assertEqual(heard()[-5:], ["position startpos moves 2-3", "isready", "go p1time 49000 p2time 49000", "quit", "end"])

    def test_failures_are_explained(self):
        def why(act, *args):
            with self.assertRaises(RuntimeError) as caught:
                act(*args)
            return str(caught.exception)

        player = cachex_agent.Player("red", 7)
        player.turn("red", ("PLACE", 9, 9))
        self.assertIn("there is no such cell", why(player.action))
        player._engine.close()
        self.script("none")
        player = cachex_agent.Player("red", 7)
        self.assertIn("no move", why(player.action))
        player._engine.close()
        self.script("leave")
        self.assertIn("has ended with exit code 0", why(cachex_agent.Player, "red", 7))
        os.environ["YARRA"] = "no/such/program"
        try:
            self.assertIn("no/such/program", why(cachex_agent.Player, "red", 7))
        finally:
            del os.environ["YARRA"]

    def test_the_program_ends_with_its_agent(self):
        code = "import os, cachex_agent; player = cachex_agent.Player('red', 5); os.{}"
        for end in ("kill(os.getpid(), 9)", "_exit(0)", "getpid()"):
            open("heard", "w").close()
            subprocess.call([sys.executable, "-c", code.format(end)])
            for _ in range(1000):
                if heard()[-1] == "end":
                    break
                time.sleep(0.01)
            self.assertEqual(heard()[-1], "end", end)


unittest.main()
