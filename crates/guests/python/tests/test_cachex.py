import pickle
import unittest

import support

support.use("cachex")

import referee.game
import referee.log
from referee import board as board_module
from referee.board import Board
from referee.game import Game, IllegalActionException
from referee.picture import draw

import numpy


def setUpModule():
    support.use("cachex")


def action(move):
    return ("STEAL",) if "steal" in move else ("PLACE", *move["place"])


def play(n, *actions):
    game = Game(n)
    for turn, action in enumerate(actions):
        game.update(("red", "blue")[turn % 2], action)
    return game


def cells(board):
    n = board.n
    return [[r, q, board[(r, q)][0]] for r in range(n) for q in range(n) if board[(r, q)]]


def legal_moves(game):
    """The legal moves, according to the check."""
    n = game.board.n
    found = []
    for move in [{"place": [r, q]} for r in range(n) for q in range(n)] + [{"steal": True}]:
        try:
            game._check(("red", "blue")[game.nturns % 2], action(move))
            found.append(move)
        except IllegalActionException:
            pass
    return found


RESULTS = {
    ("connection", "red"): "winner: red",
    ("connection", "blue"): "winner: blue",
    ("repetition", None): "draw: same game state occurred                 7 times",
    ("turn_limit", None): "draw: maximum number of turns reached",
    ("unfinished", None): None,
}


class Recorded(unittest.TestCase):
    def test_games_come_out_as_recorded(self):
        n_checked = 0
        for recorded in support.recorded("cachex"):
            with self.subTest(recorded["id"]):
                samples = {p["ply"]: p for p in recorded["positions"]}
                game = Game(recorded["size"])
                captured = 0
                for ply in range(len(recorded["moves"]) + 1):
                    sample = samples.get(ply)
                    if sample:
                        self.assertEqual(cells(game.board), sample["cells"])
                        self.assertEqual(game.history[game.board.digest()], sample["rep"])
                        self.assertEqual(game.nturns, ply)
                        n_checked += 1
                        if n_checked % 5 == 0 and not game.over():
                            self.assertEqual(support.sha(legal_moves(game)), sample["sha"])
                    if ply < len(recorded["moves"]):
                        self.assertFalse(game.over())
                        game.update(("red", "blue")[ply % 2], action(recorded["moves"][ply]))
                        captured += len(game.last_captures)
                result = recorded["result"]
                self.assertEqual(game.end(), RESULTS[result["reason"], result["winner"]])
                self.assertEqual(game.over(), result["over"])
                self.assertEqual(bool(game.result_cluster), result["reason"] == "connection")
                if "captured" in recorded:
                    self.assertEqual(captured, recorded["captured"])
        self.assertGreater(n_checked, 800)


class Rules(unittest.TestCase):
    def refuse(self, game, player, action, message):
        before = (cells(game.board), game.nturns)
        with self.assertRaisesRegex(IllegalActionException, message):
            game.update(player, action)
        self.assertEqual((cells(game.board), game.nturns), before)

    def test_illegal_actions_in_the_order_of_the_checks(self):
        game = Game(5)
        self.refuse(game, "blue", None, "it is red's turn")
        for odd in (
            None,
            (),
            "PLACE",
            ["PLACE", 0, 1],
            ("PLACE",),
            ("PLACE", 0),
            ("PLACE", 0, 1, 2),
            ("PLACE", (0, 1)),
            ("PLACE", 0, 1.0),
            ("PLACE", 0, True),
            ("PLACE", 0, "1"),
            ("PLACE", numpy.int64(0), numpy.int64(1)),
            ("STEAL", 0),
            ("place", 0, 1),
            (["PLACE"], 0, 1),
        ):
            self.refuse(game, "red", odd, "not well formed")
        for outside in ((5, 0), (0, 5), (-1, 0), (0, -1)):
            self.refuse(game, "red", ("PLACE", *outside), "outside")
        self.refuse(game, "red", ("PLACE", 2, 2), "center")
        self.refuse(game, "red", ("STEAL",), "second turn")
        game.update("red", ("PLACE", 0, 1))
        self.refuse(game, "blue", ("PLACE", 0, 1), "occupied")
        game.update("blue", ("PLACE", 2, 2))
        self.refuse(game, "red", "STEAL", "second turn")

    def test_the_center_is_free_on_even_boards(self):
        for cell in ((1, 1), (1, 2), (2, 1), (2, 2)):
            self.assertEqual(play(4, ("PLACE", *cell)).last_coord, cell)

    def test_a_bare_steal_is_understood_and_mirrors_the_stone(self):
        game = play(5, ("PLACE", 0, 4))
        self.assertEqual(game.update("blue", "STEAL"), ("STEAL",))
        self.assertEqual(cells(game.board), [[4, 0, "b"]])
        self.assertEqual((game.nturns, game.last_coord, game.last_captures), (2, (4, 0), []))
        self.assertEqual(cells(play(5, ("PLACE", 1, 1), ("STEAL",)).board), [[1, 1, "b"]])

    def test_captures(self):
        board = Board(5)
        for cell in ((1, 0), (1, 1), (2, 1), (2, 0)):
            board[cell] = "blue"
        board[(2, 2)] = "red"
        # Nothing is captured by diamonds of one color, and (2, 2) is not across from any pair.
        self.assertEqual(board.place("blue", (3, 3)), [])
        board = Board(5)
        board[(2, 1)] = board[(1, 2)] = "blue"
        board[(2, 2)] = "red"
        captured = board.place("red", (1, 1))
        self.assertEqual(sorted(captured), [(1, 2), (2, 1)])
        self.assertEqual(cells(board), [[1, 1, "r"], [2, 2, "r"]])


class Names(unittest.TestCase):
    def test_the_board_has_what_agents_use(self):
        board = Board(4)
        self.assertEqual((board.n, board._data.shape, board._data.dtype), (4, (4, 4), numpy.dtype(int)))
        board[(0, 3)] = "red"
        board[(1, 2)] = "red"
        board[(3, 3)] = "blue"
        self.assertEqual((board[(0, 3)], board[(3, 3)], board[(0, 0)]), ("red", "blue", None))
        self.assertEqual((board._data[0, 3], board._data[3, 3]), (1, 2))
        self.assertEqual(sorted(board.connected_coords((0, 3))), [(0, 3), (1, 2)])
        self.assertEqual(board._coord_neighbours((0, 0)), [(1, 0), (0, 1)])
        self.assertEqual(board._coord_neighbours((1, 1)), [(2, 0), (2, 1), (1, 2), (0, 2), (0, 1), (1, 0)])
        self.assertTrue(board.inside_bounds((3, 0)) and board.is_occupied((0, 3)))
        self.assertFalse(board.inside_bounds((4, 0)) or board.inside_bounds((0, -1)) or board.is_occupied((0, 0)))
        before = board.digest()
        self.assertIsInstance(before, bytes)
        board.swap()
        self.assertEqual(cells(board), [[2, 1, "b"], [3, 0, "b"], [3, 3, "r"]])
        self.assertNotEqual(board.digest(), before)
        board.swap()
        self.assertEqual(board.digest(), before)
        self.assertEqual(pickle.loads(pickle.dumps(board)).digest(), before)
        self.assertEqual(board._apply_captures((0, 3)), [])

    def test_boards_can_be_subclassed(self):
        class Mine(Board):
            pass

        self.assertIsNone(Mine(3)[(0, 0)])

    def test_modules(self):
        self.assertEqual(board_module._HEX_STEPS, [(1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)])
        self.assertEqual(board_module._ADD((1, 2), (3, -4)), (4, -2))
        self.assertEqual(len({frozenset(p[:2]) for p in board_module._CAPTURE_PATTERNS}), 12)
        self.assertEqual(board_module._TOKEN_MAP_OUT, {0: None, 1: "red", 2: "blue"})
        self.assertEqual(board_module._TOKEN_MAP_IN, {None: 0, "red": 1, "blue": 2})
        self.assertEqual(board_module._SWAP_PLAYER, {0: 0, 1: 2, 2: 1})
        self.assertEqual(tuple(referee.game.COLOURS), ("red", "blue"))
        self.assertEqual(
            [
                getattr(referee.game, name)
                for name in "GAME_NAME NUM_PLAYERS _ACTION_STEAL _ACTION_PLACE _MAX_TURNS _MAX_REPEAT_STATES".split()
            ],
            ["Cachex", 2, "STEAL", "PLACE", 343, 7],
        )
        self.assertEqual(referee.game._PLAYER_AXIS, {"red": 0, "blue": 1})
        self.assertEqual(referee.game._RENDER(Game(3)), referee.game._RENDER(Board(3)))
        self.assertTrue(callable(referee.game.play))
        for name in "comment print config StarLog".split():
            self.assertTrue(callable(getattr(referee.log, name)))
        from referee.player import PlayerWrapper

    def test_a_new_game(self):
        game = Game(5)
        self.assertEqual((game.nturns, game.result, game.over(), game.end()), (0, None, False, None))
        self.assertEqual(game.history[game.board.digest()], 1)

    def test_the_picture(self):
        game = Game(5)
        game.board[(3, 3)] = "blue"
        self.assertEqual("\n" + draw(game), PICTURE)
        game.last_coord, game.last_captures = (3, 3), [(0, 0)]
        debug = draw(game, debug=True).split("\n")
        self.assertIn("| >b< |", debug[3])
        self.assertTrue(debug[9].startswith("|  X  |"))
        game.result_cluster = {(3, 3)}
        self.assertIn("| *b* |", draw(game, debug=True))
        self.assertIn("\033[", draw(game, use_colour=True))
        self.assertIn("○", draw(game, use_unicode=True))


PICTURE = """
             .-'-._.-'-._.-'-._.-'-._.-'-.
            |     |     |     |     |     |
          .-'-._.-'-._.-'-._.-'-._.-'-._.-'
         |     |     |     |  b  |     |
       .-'-._.-'-._.-'-._.-'-._.-'-._.-'
      |     |     |     |     |     |
    .-'-._.-'-._.-'-._.-'-._.-'-._.-'
   |     |     |     |     |     |
 .-'-._.-'-._.-'-._.-'-._.-'-._.-'
|     |     |     |     |     |
'-._.-'-._.-'-._.-'-._.-'-._.-'"""
