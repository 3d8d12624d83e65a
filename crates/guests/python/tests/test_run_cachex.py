"""Whole games by `python -m referee` for Cachex, as users start it."""

import unittest

import support
from agents import scripted


class Cachex(unittest.TestCase):
    RED = scripted("cachex", "('PLACE', 0, 0)", "('PLACE', 1, 0)", "('PLACE', 2, 0)")
    BLUE = scripted("cachex", "('PLACE', 0, 2)", "('PLACE', 1, 2)")

    def play(self, red, blue, *options):
        return support.play("cachex", {"red": red, "blue": blue}, "3", "red", "blue", *options)

    def test_a_game(self):
        run = self.play(self.RED, self.BLUE, "-t", "-s", "-l")
        self.assertEqual(run.code, 0, run)
        self.assertEqual(run.out[-2:], ["** game over!", "* winner: red"])
        for line in (
            "** Turn 1",
            "* asking player 1 (red) for next action...",
            "*   player 1 (red) returned action: ('PLACE', 0, 0)",
            "heard red red ('PLACE', 2, 0)",
            "heard blue red ('PLACE', 2, 0)",
        ):
            self.assertIn(line, run.out, run)
        self.assertRegex("\n".join(run.out), r"\*   time:  \+ 0\.\d{3}s  \(just elapsed\)    0\.\d{3}s  \(game total\)\n")
        self.assertEqual(
            run.log,
            [
                "turn 1: red: PLACE token in cell (0, 0)",
                "turn 2: blue: PLACE token in cell (0, 2)",
                "turn 3: red: PLACE token in cell (1, 0)",
                "turn 4: blue: PLACE token in cell (1, 2)",
                "turn 5: red: PLACE token in cell (2, 0)",
                "winner: red",
            ],
        )

    def test_a_bare_steal(self):
        run = self.play(self.RED, scripted("cachex", "'STEAL'", "('PLACE', 9, 9)"), "-v", "0", "-l")
        self.assertIn("heard red blue ('STEAL',)", run.out)
        self.assertEqual(run.log[1], "turn 2: blue: STEAL first move")

    def test_an_illegal_action_ends_the_game_without_a_winner(self):
        run = self.play(self.RED, scripted("cachex", "('PLACE', 0, 0)"), "-v", "0", "-l")
        self.assertEqual(run.code, 0, run)
        self.assertEqual(run.out[-2:], ["* error: invalid action!", "* cell (0, 0) is occupied"])
        self.assertEqual(run.log[-1], "error: blue: illegal action (cell (0, 0) is occupied)")
        self.assertNotIn("heard red blue", "\n".join(run.out))

    def test_an_exception_goes_through(self):
        run = self.play(self.RED, scripted("cachex", "{}['boom']"))
        self.assertEqual(run.code, 1, run)
        self.assertIn("KeyError: 'boom'", run.err)

    def test_no_time(self):
        hog = "\n".join(
            [
                "import time",
                "class Player:",
                "    def __init__(self, player, n): pass",
                "    def action(self):",
                "        start = time.process_time()",
                "        while time.process_time() < start + 0.5: pass",
                "        return ('PLACE', 0, 0)",
            ]
        )
        run = self.play(hog, self.BLUE, "-t", "0.3", "-v", "0")
        self.assertEqual(run.code, 0, run)
        self.assertEqual(
            run.out, ["* error: resource limit exceeded!", "* player 1 (red) exceeded available time"]
        )

    def test_command_lines(self):
        support.use("cachex")
        from referee.options import get_options

        for options in ("2 red blue", "16 red blue", "n red blue", "5 red", "5 red blue -v 4", "5 red blue -D -v 1"):
            support.refuse(self, get_options, options)
        options = get_options("15 a/b.py c:Other -t -s -d -l".split())
        self.assertEqual((options.n, options.red, options.blue), (15, ("a.b", "Player"), ("c", "Other")))
        self.assertEqual((options.time, options.space, options.delay, options.logfile), (60, 100, 0.5, "game.log"))
        options = get_options("3 a b".split())
        self.assertEqual((options.time, options.space, options.delay, options.verbosity), (0, 0, 0, 2))
        self.assertEqual(get_options("3 a b -D".split()).verbosity, 3)

    def test_without_numpy_only_boards_fail(self):
        agent = "\n".join(
            [
                "from referee.game import COLOURS",
                "from referee.board import Board",
                "class Player:",
                "    def __init__(self, player, n): Board(n)",
                "print('imported')",
            ]
        )
        run = support.play("cachex", {"numpy": "raise ImportError", "red": agent}, "3", "red", "red")
        self.assertIn("imported", run.out)
        self.assertIn("ImportError: the board needs numpy: python3 -m pip install numpy", run.err)
