"""Whole games by `python -m referee` for Infexion and Tetress, as users start it."""

import asyncio
import importlib
import os
import re
import tempfile
import unittest
from unittest import mock

import support
from agents import faulty, scripted


class Infexion(unittest.TestCase):
    RED = scripted("infexion", "SpawnAction(HexPos(0, 0))", "SpreadAction(HexPos(0, 0), HexDir.DownRight)")
    BLUE = scripted("infexion", "SpawnAction(HexPos(0, 1))")

    def play(self, red, blue, *options):
        return support.play("infexion", {"red": red, "blue": blue}, "red", "blue", *options)

    def test_a_game(self):
        run = self.play(self.RED, self.BLUE, "-t", "-s", "-v", "1", "-l")
        self.assertEqual(run.code, 0, run)
        self.assertEqual(
            run.out,
            [
                "* game    : player RED is initialising",
                "* game    : player BLUE is initialising",
                "* game    : let the game begin!",
                "* game    : RED to play (turn 1) ...",
                "* game    : RED plays action SPAWN(0, 0)",
                "* game    : BLUE to play (turn 2) ...",
                "* game    : BLUE plays action SPAWN(0, 1)",
                "* game    : RED to play (turn 3) ...",
                "* game    : RED plays action SPREAD(0, 0, 0, 1)",
                "* game    : game over, winner is RED",
                "* referee @ result: player 1 [red:Agent]",
            ],
        )
        heard = [line for line in run.err.splitlines() if line.startswith("heard")]
        self.assertEqual(
            heard,
            [
                f"heard {who} {mover} {action}"
                for mover, action in (("RED", "SPAWN(0, 0)"), ("BLUE", "SPAWN(0, 1)"))
                for who in ("RED", "BLUE")
            ],
        )
        self.assertTrue(all(re.match(r"T\d{4}\.\d{3}\t", line) for line in run.log), run.log)
        self.assertEqual(
            [line.split("\t")[1:] for line in run.log],
            [
                ["RED", "initialising"],
                ["BLUE", "initialising"],
                ["referee", "game_begin"],
                ["RED", "turn_begin", "1"],
                ["RED", "turn_end", "1", "SPAWN(0, 0)"],
                ["referee", "board_update"],
                ["BLUE", "turn_begin", "2"],
                ["BLUE", "turn_end", "2", "SPAWN(0, 1)"],
                ["referee", "board_update"],
                ["RED", "turn_begin", "3"],
                ["RED", "turn_end", "3", "SPREAD(0, 0, 0, 1)"],
                ["referee", "board_update"],
                ["referee", "game_end", "winner:RED"],
            ],
        )

    def test_an_illegal_action_loses(self):
        run = self.play(self.RED, scripted("infexion", "SpawnAction(HexPos(0, 0))"))
        self.assertEqual(run.code, 0, run)
        self.assertEqual(
            run.out[-3:],
            [
                "* game    ! player error: ILLEGAL ACTION: Cell 0-0 is already occupied.",
                "* game    : game over, winner is RED",
                "* referee @ result: player 1 [red:Agent]",
            ],
        )
        self.assertIn("* game    : " + " " * 24 + " ..     ", run.out)

    def test_a_crash_loses(self):
        run = self.play(faulty("turn", action="HexPos(7, 0)"), self.BLUE, "-v", "0")
        self.assertEqual((run.code, run.out), (0, ["* referee @ result: player 2 [blue:Agent]"]), run)

    def test_no_time_and_no_input(self):
        hog = "\n        ".join(
            [
                "print(referee)",
                "try: input()",
                "except RuntimeError: print('no input')",
                "while time.process_time() < 1.5: pass",
                "return SpawnAction(HexPos(3, 3))",
            ]
        )
        run = self.play(faulty("turn", action=hog), self.BLUE, "-t", "0.5", "-v", "1")
        self.assertIn("* game    ! player error: ERROR: exceeded available time in player 1 [red:Agent] agent", run.out)
        self.assertEqual(run.out[-1], "* referee @ result: player 2 [blue:Agent]")
        self.assertIn("no input", run.err)
        self.assertRegex(run.err, r"'time_remaining': 0\.\d+, .*'space_limit': None")


class Tetress(unittest.TestCase):
    RED = scripted(
        "tetress",
        "PlaceAction(Coord(0, 0), Coord(0, 1), Coord(0, 2), Coord(0, 3))",
        "PlaceAction(Coord(0, 8), Coord(0, 9), Coord(0, 10), Coord(1, 8))",
    )
    BLUE = scripted("tetress", "PlaceAction(Coord(0, 4), Coord(0, 5), Coord(0, 6), Coord(0, 7))")

    def play(self, red, blue, *options):
        # Importing numpy would take most of the time of a short game.
        agents = {"red": red, "blue": blue, "numpy": "raise ImportError"}
        return support.play("tetress", agents, "red", "blue", *options)

    def lost(self, run, message):
        self.assertEqual(run.code, 0, run)
        self.assertIn("* referee ! player error: " + message, run.out, run)
        self.assertEqual(run.out[-1], "* referee @ result: player 2 [blue:Agent]", run)

    def test_a_game(self):
        run = support.play("tetress", {"red": self.RED, "blue": self.BLUE}, "./red/__init__.py:Agent", "blue", "-l")
        self.assertEqual(run.code, 0, run)
        words = [line for line in run.out if not re.match(r"\* referee : ( {22}|=)", line)]
        self.assertEqual(
            words,
            [
                "* referee : let the game begin!",
                "* referee : player RED is initialising",
                "* referee : player BLUE is initialising",
                "* referee : RED to play (turn 1) ...",
                "* referee : RED plays action PLACE(0-0, 0-1, 0-2, 0-3)",
                "* referee : BLUE to play (turn 2) ...",
                "* referee : BLUE plays action PLACE(0-4, 0-5, 0-6, 0-7)",
                "* referee : RED to play (turn 3) ...",
                "* referee : RED plays action PLACE(0-8, 0-9, 0-10, 1-8)",
                "* referee : game over, winner is RED",
                "* referee @ result: player 1 [red.__init__:Agent]",
            ],
        )
        frame = "* referee : " + "=" * 27 + " game board " + "=" * 27
        first = run.out.index(frame)
        self.assertEqual(run.out[first + 1], "* referee : " + " " * 22 + "r r r r . . . . . . . ")
        self.assertEqual(run.out[first + 12], "* referee : " + "=" * 66)
        self.assertEqual(run.log[0].split("\t")[1:], ["referee", "game_begin"])
        self.assertEqual(run.log[-1].split("\t")[1:], ["referee", "game_end", "winner:RED"])
        self.assertIn("\tRED\tturn_end\t3\tPLACE(0-8, 0-9, 0-10, 1-8)", "\n".join(run.log))

    def test_nothing_is_illegal(self):
        self.lost(self.play(faulty("update"), self.BLUE), "ILLEGAL ACTION: Unknown action None")

    def test_what_cannot_be_sent_is_illegal(self):
        unknown = "ILLEGAL ACTION: Unknown action <unpickleable>"
        self.lost(self.play(faulty("update", action="return lambda: 0"), self.BLUE), unknown)
        self.lost(self.play(faulty("update", action="return self"), self.BLUE), unknown)

    def test_a_crash_loses_with_the_last_line_of_its_trace(self):
        run = self.play(faulty("update", action="{}['boom']"), self.BLUE)
        self.lost(run, "ERROR: error in player 1 [red:Agent] agent")
        self.assertIn("* referee ! -> KeyError: 'boom'", run.out)
        self.assertIn("* player1 ! Traceback (most recent call last):", run.out)

    def test_a_failed_constructor_loses_before_the_other_one_is_run(self):
        run = self.play(faulty("update", __init__="raise ValueError('no')"), "print('imported')\n" + self.BLUE)
        self.lost(run, "ERROR: error in player 1 [red:Agent] agent")
        self.assertNotIn("imported", run.err)
        run = support.play("tetress", {"blue": self.BLUE}, "nobody", "blue")
        self.lost(run, "ERROR: error in player 1 [nobody:Agent] agent")
        self.assertIn("* referee ! -> ModuleNotFoundError: No module named 'nobody'", run.out)

    def test_a_process_that_ends_loses(self):
        message = "ERROR: EOF reply from player 1 [red:Agent] (did the process exit?)"
        for way in ("sys.exit(0)", "os._exit(3)"):
            self.lost(self.play(faulty("update", action=way), self.BLUE), message)

    @unittest.skipUnless(os.path.exists("/proc/self/status"), "memory is measured on Linux only")
    def test_memory_is_limited(self):
        run = self.play(faulty("update", __init__="self.hoard = bytearray(300 << 20)"), self.BLUE, "-s", "100")
        self.assertEqual(run.out[-1], "* referee @ result: player 2 [blue:Agent]", run)
        self.assertRegex(
            "\n".join(run.out),
            r"ERROR: exceeded space limit \(peak=3\d\d\.\dMB\) in player 1 \[red:Agent\] agent",
        )

    @unittest.skipUnless(os.path.exists("/proc/self/status"), "memory is measured on Linux only")
    def test_memory_in_use_is_negative_without_a_limit(self):
        run = self.play(
            faulty(
                "update",
                __init__="del referee['color']; print('first', referee); self.hoard = bytearray(50 << 20)",
                action="print('next', referee)",
            ),
            self.BLUE,
        )
        self.assertIn("first {'time_remaining': None, 'space_remaining': None, 'space_limit': None}", run.err)
        self.assertRegex(run.err, r"next {'time_remaining': None, 'space_remaining': -\d+\.\d+, 'space_limit': None}")

    def test_silence_loses(self):
        support.use("tetress")
        from referee.agent import AgentProxyPlayer
        from referee.agent import player as player_module
        from referee.game import PlayerColor, PlayerException
        from referee.options import PlayerLoc

        async def ask():
            with self.assertRaisesRegex(PlayerException, "no reply from player 1 .* within 1 seconds"):
                async with AgentProxyPlayer("player 1", PlayerColor.RED, PlayerLoc("sleeper", "Agent")):
                    self.fail("the constructor does not return")

        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "sleeper.py"), "w", encoding="utf-8") as file:
                file.write(faulty("update", __init__="time.sleep(1000)"))
            path = os.pathsep.join([support.root("tetress"), folder])
            with mock.patch.dict(os.environ, PYTHONPATH=path), mock.patch.object(player_module, "REPLY_TIMEOUT", 1.0):
                asyncio.run(ask())

    def test_command_lines(self):
        support.use("tetress")
        from referee.options import PlayerLoc, get_options

        for options in ("red", "red blue -v 4", "red blue -c -C", "red blue -u -a", "red blue -d -v 1", "../red blue"):
            support.refuse(self, get_options, options)
        options = get_options("a/b.py ./c/:Other -w -s -t -v -l -C -u".split())
        self.assertEqual((options.red, options.blue), (PlayerLoc("a.b", "Agent"), PlayerLoc("c", "Other")))
        self.assertEqual((options.wait, options.space, options.time), (0.5, 250, 180))
        self.assertEqual((options.verbosity, options.logfile), (3, "game.log"))
        self.assertEqual((options.use_color, options.use_unicode), (False, True))
        options = get_options("a b".split())
        self.assertEqual((options.wait, options.space, options.time), (0, 0, 0))
        self.assertEqual((options.verbosity, options.logfile, options.use_unicode), (2, None, False))
        self.assertEqual(get_options("a b -d -w -1".split()).verbosity, 3)
        self.assertEqual(support.play("tetress", {}, "-V").out, ["2024.0.0"])


class InOneProcess(unittest.TestCase):
    def test_game_plays_any_players(self):
        for name, listener, script in (
            ("infexion", "turn", ["SpawnAction(HexPos(0, 0))", "SpawnAction(HexPos(1, 1))", "None"]),
            (
                "tetress",
                "update",
                [
                    "PlaceAction(Coord(0, 0), Coord(0, 1), Coord(0, 2), Coord(0, 3))",
                    "PlaceAction(Coord(5, 0), Coord(5, 1), Coord(5, 2), Coord(5, 3))",
                    "None",
                ],
            ),
        ):
            support.use(name)
            module = importlib.import_module("referee.game")
            heard = []
            actions = [eval(text, vars(module)) for text in script]
            left = iter(actions)

            class Scripted(module.Player):
                async def action(self):
                    return next(left)

                async def hear(self, color, action):
                    heard.append((self.color, color, action))

            setattr(Scripted, listener, Scripted.hear)
            red, blue = (Scripted(color) for color in module.PlayerColor)

            async def updates():
                return [update async for update in module.game(red, blue)]

            told = asyncio.run(updates())
            self.assertEqual(told[-2], module.PlayerError("ILLEGAL ACTION: Unknown action None"))
            self.assertEqual(told[-1], module.GameEnd(blue))
            self.assertIn(module.TurnEnd(2, blue, actions[1]), told)
            self.assertEqual(
                heard,
                [
                    (who.color, mover.color, action)
                    for mover, action in zip((red, blue), actions)
                    for who in (red, blue)
                ],
            )
