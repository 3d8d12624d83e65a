import copy
import importlib
import pickle
import unittest

import support

support.use("infexion")

import referee.game
from referee.game import *
from referee.game.board import BoardMutation, CellMutation, CellState
from referee.game.hex import HexVec

RED, BLUE = PlayerColor.RED, PlayerColor.BLUE

DEEP = {
    "referee.game.actions": ["Action", "SpawnAction", "SpreadAction"],
    "referee.game.constants": ["BOARD_N", "MAX_TOTAL_POWER"],
    "referee.game.exceptions": ["IllegalActionException", "PlayerException"],
    "referee.game.hex": ["HexDir", "HexPos", "HexVec"],
    "referee.game.player": ["Player", "PlayerColor"],
}


def setUpModule():
    support.use("infexion")


def action(move):
    if "spawn" in move:
        return SpawnAction(HexPos(*move["spawn"]))
    return SpreadAction(HexPos(*move["spread"]), HexDir(tuple(move["dir"])))


def cells(board):
    return sorted([p.r, p.q, str(s.player)[0].lower(), s.power] for p, s in board._state.items() if s.player)


def is_legal(board, action):
    try:
        board.apply_action(action)
    except IllegalActionException:
        return False
    board.undo_action()
    return True


def legal_moves(board):
    found = []
    for r in range(BOARD_N):
        for q in range(BOARD_N):
            if is_legal(board, SpawnAction(HexPos(r, q))):
                found.append({"spawn": [r, q]})
            for d in HexDir:
                if is_legal(board, SpreadAction(HexPos(r, q), d)):
                    found.append({"spread": [r, q], "dir": [d.r, d.q]})
    return found


class Recorded(unittest.TestCase):
    def test_games_come_out_as_recorded(self):
        n_checked = 0
        for game in support.recorded("infexion"):
            with self.subTest(game["id"]):
                samples = {p["ply"]: p for p in game["positions"]}
                board = Board()
                for ply in range(len(game["moves"]) + 1):
                    sample = samples.get(ply)
                    if sample:
                        self.assertEqual(cells(board), sample["cells"])
                        self.assertEqual(str(board.turn_color).lower(), sample["turn"])
                        self.assertEqual(board.turn_count, ply)
                        n_checked += 1
                        if n_checked % 5 == 0 and not board.game_over:
                            self.assertEqual(support.sha(legal_moves(board)), sample["sha"])
                    if ply < len(game["moves"]):
                        self.assertFalse(board.game_over)
                        board.apply_action(action(game["moves"][ply]))
                self.assertEqual(board.game_over, game["result"]["over"])
                winner = board.winner_color
                self.assertEqual(winner and str(winner).lower(), game["result"]["winner"])
        self.assertGreater(n_checked, 800)

    def test_undo_leads_back(self):
        for game in support.recorded("infexion")[::20]:
            board = Board()
            before = []
            for move in game["moves"]:
                before.append((cells(board), board.turn_color))
                board.apply_action(action(move))
            while before:
                board.undo_action()
                self.assertEqual((cells(board), board.turn_color), before.pop())
            with self.assertRaises(IndexError):
                board.undo_action()


class Rules(unittest.TestCase):
    def refuse(self, board, action, message):
        before = cells(board)
        with self.assertRaises(IllegalActionException) as caught:
            board.apply_action(action)
        self.assertEqual(str(caught.exception), message)
        self.assertIs(caught.exception.color, board.turn_color)
        self.assertEqual((cells(board), board.turn_count), (before, len(board._history)))

    def test_odd_objects_are_refused(self):
        class Spawn(SpawnAction):
            pass

        class Pos(HexPos):
            pass

        board = Board()
        here = HexPos(1, 2)
        outside = HexPos(0, 0)
        object.__setattr__(outside, "r", 7)
        for odd in (None, "ACK", ("SPAWN", here), HexDir.Up):
            self.refuse(board, odd, f"Unknown action {odd}")
        self.refuse(board, Spawn(here), "'SPAWN(1, 2)' is not a valid SPAWN action.")
        for odd in (Pos(1, 2), HexVec(1, 2), (1, 2), None, outside):
            self.refuse(board, SpawnAction(odd), f"'{odd}' is not a valid position.")
        board.apply_action(SpawnAction(here))
        board.apply_action(SpawnAction(HexPos(5, 5)))
        for odd in (HexVec(1, 0), (1, 0), None):
            self.refuse(board, SpreadAction(here, odd), f"'{odd}' is not a valid direction.")

    def test_illegal_actions_are_refused(self):
        board = Board({HexPos(0, 0): CellState(RED, 2), HexPos(1, 1): CellState(BLUE, 1)})
        self.refuse(board, SpawnAction(HexPos(1, 1)), "Cell 1-1 is already occupied.")
        self.refuse(board, SpreadAction(HexPos(1, 1), HexDir.Up), "Cell 1-1 is not occupied by RED.")
        self.refuse(board, SpreadAction(HexPos(3, 3), HexDir.Up), "Cell 3-3 is not occupied by RED.")

    def test_a_full_board_refuses_spawns_before_it_looks_at_the_cell(self):
        full = {HexPos(r, 0): CellState(RED, 6) for r in range(7)}
        board = Board({**full, HexPos(0, 1): CellState(BLUE, 6), HexPos(1, 1): CellState(BLUE, 1)})
        self.assertEqual(board._total_power, 49)
        for cell in (HexPos(6, 6), HexPos(0, 0)):
            self.refuse(board, SpawnAction(cell), f"No SPAWN at {cell}: the total power is 49 already.")

    def test_a_stack_that_overflows_is_gone_and_one_token_wins_nothing(self):
        board = Board({HexPos(0, 0): CellState(RED, 2), HexPos(1, 0): CellState(BLUE, 6)})
        board._history = [None, None]
        mutation = board.apply_action(SpreadAction(HexPos(0, 0), HexDir.UpRight))
        self.assertEqual(cells(board), [[2, 0, "r", 1]])
        self.assertTrue(board.game_over)
        self.assertIsNone(board.winner_color)
        self.assertEqual(len(mutation.cell_mutations), 3)
        self.assertIn(CellMutation(HexPos(1, 0), CellState(BLUE, 6), CellState()), mutation.cell_mutations)

    def test_numbers_of_numpy_are_numbers(self):
        try:
            import numpy
        except ImportError:
            self.skipTest("numpy is not installed")
        board = Board()
        board.apply_action(SpawnAction(HexPos(numpy.int64(3), numpy.int8(4))))
        self.assertEqual(board[HexPos(3, 4)], CellState(RED, 1))


class Types(unittest.TestCase):
    def test_texts(self):
        pos = HexPos(3, 4)
        for value, text, representation in [
            (pos, "3-4", "HexPos(r=3, q=4)"),
            (HexVec(1, -1), "HexVec(r=1, q=-1)", "HexVec(r=1, q=-1)"),
            (HexDir.Up, "[↑]", "<HexDir.Up: HexVec(r=1, q=-1)>"),
            (RED, "RED", "<PlayerColor.RED: 0>"),
            (BLUE, "BLUE", "<PlayerColor.BLUE: 1>"),
            (SpawnAction(pos), "SPAWN(3, 4)", "SpawnAction(cell=HexPos(r=3, q=4))"),
            (
                SpreadAction(pos, HexDir.Up),
                "SPREAD(3, 4, 1, -1)",
                "SpreadAction(cell=HexPos(r=3, q=4), direction=<HexDir.Up: HexVec(r=1, q=-1)>)",
            ),
        ]:
            self.assertEqual((str(value), f"{value}", repr(value)), (text, text, representation))

    def test_vectors(self):
        a, b = HexVec(1, 2), HexVec(3, -4)
        self.assertEqual((a + b, a - b, -a, a * 3), (HexVec(4, -2), HexVec(-2, 6), HexVec(-1, -2), HexVec(3, 6)))
        self.assertEqual(a + HexDir.Down, HexVec(0, 3))
        self.assertEqual(tuple(a), (1, 2))
        self.assertEqual(hash(a), hash((1, 2)))
        self.assertNotEqual(a, HexPos(1, 2))
        self.assertFalse(hasattr(a, "__dict__"))
        with self.assertRaises(AttributeError):
            a.r = 5

    def test_positions(self):
        pos = HexPos(6, 0)
        self.assertEqual(
            (pos + HexDir.Up, pos - HexDir.Up, pos + HexVec(8, 8), pos - HexPos(0, 1)),
            (HexPos(0, 6), HexPos(5, 1), HexPos(0, 1), HexPos(6, 6)),
        )
        self.assertIs(type(pos + HexVec(1, 1)), HexPos)
        self.assertEqual(sorted([HexPos(1, 0), HexPos(0, 6), HexPos(0, 5)])[0], HexPos(0, 5))
        self.assertTrue(HexPos(0, 6) < HexPos(1, 0) <= HexPos(1, 0) and HexPos(1, 1) > HexPos(1, 0))
        self.assertEqual(len({HexPos(1, 2), HexPos(1, 2), HexPos(2, 1)}), 2)
        self.assertEqual(hash(pos), hash((6, 0)))
        r, q = pos
        self.assertEqual((r, q), (6, 0))
        for wrong in ((7, 0), (0, 7), (-1, 0), (0, -1)):
            with self.assertRaises(ValueError):
                HexPos(*wrong)
        with self.assertRaises(AttributeError):
            pos.r = 5

    def test_directions(self):
        self.assertEqual(
            [(d.name, d.r, d.q, str(d)) for d in HexDir],
            [
                ("DownRight", 0, 1, "[↘]"),
                ("Down", -1, 1, "[↓]"),
                ("DownLeft", -1, 0, "[↙]"),
                ("UpLeft", 0, -1, "[↖]"),
                ("Up", 1, -1, "[↑]"),
                ("UpRight", 1, 0, "[↗]"),
            ],
        )
        for d in HexDir:
            self.assertIs(HexDir((d.r, d.q)), d)
            self.assertIs(HexDir(HexVec(d.r, d.q)), d)
            self.assertEqual(d.value, HexVec(d.r, d.q))
            self.assertEqual(d * 3, HexVec(3 * d.r, 3 * d.q))
            self.assertEqual(((-d).r, (-d).q), (-d.r, -d.q))
        self.assertIs(-HexDir.DownLeft, HexDir.UpRight)
        for wrong in ((1, 1), HexVec(0, 0), 5, None, "Up"):
            with self.assertRaises(ValueError):
                HexDir(wrong)

    def test_colors(self):
        self.assertEqual(list(PlayerColor), [RED, BLUE])
        self.assertEqual((int(RED), int(BLUE)), (1, -1))
        self.assertEqual(("a", "b")[BLUE], "b")
        self.assertEqual((RED.value, BLUE.value), (0, 1))
        self.assertEqual((RED.opponent, BLUE.opponent), (BLUE, RED))

    def test_actions_match(self):
        match SpreadAction(HexPos(1, 2), HexDir.Up):
            case SpawnAction(cell):
                self.fail(cell)
            case SpreadAction(cell, direction):
                self.assertEqual((cell, direction), (HexPos(1, 2), HexDir.Up))
        self.assertIsInstance(SpawnAction(HexPos(0, 0)), Action)
        self.assertEqual(len({SpawnAction(HexPos(0, 0)), SpawnAction(HexPos(0, 0))}), 1)

    def test_cell_states(self):
        self.assertEqual(tuple(CellState(RED, 6)), (RED, 6))
        for empty in (CellState(), CellState(None, 3), CellState(BLUE, 7)):
            self.assertEqual(tuple(empty), (None, 0))
        with self.assertRaises(AttributeError):
            CellState().power = 1

    def test_the_board_has_what_agents_use(self):
        board = Board({HexPos(2, 2): CellState(RED, 3), HexPos(3, 3): CellState(BLUE, 1)})
        self.assertEqual((board._color_power(RED), board._color_power(BLUE), board._total_power), (3, 1, 4))
        self.assertEqual(board._player_cells(RED), [CellState(RED, 3)])
        self.assertTrue(board._cell_occupied(HexPos(2, 2)))
        self.assertFalse(board._cell_occupied(HexPos(0, 0)))
        self.assertTrue(board._within_bounds(HexPos(0, 0)))
        self.assertFalse(board._within_bounds(HexVec(7, 0)))
        self.assertEqual(board._state[HexPos(5, 5)], CellState())
        self.assertEqual((board.turn_count, board.turn_color, board._turn_color), (0, RED, RED))
        self.assertEqual((board.game_over, board.winner_color, board._history), (False, None, []))
        mutation = board.apply_action(SpawnAction(HexPos(0, 0)))
        self.assertIsInstance(mutation, BoardMutation)
        self.assertEqual(mutation.action, SpawnAction(HexPos(0, 0)))
        self.assertIsInstance(mutation.cell_mutations, set)
        self.assertEqual(board._history, [mutation])

    def test_pickles_and_copies(self):
        board = Board()
        board.apply_action(SpawnAction(HexPos(1, 2)))
        for value in (
            HexPos(1, 2),
            HexVec(-1, 2),
            HexDir.UpLeft,
            BLUE,
            SpawnAction(HexPos(1, 2)),
            SpreadAction(HexPos(1, 2), HexDir.Up),
            CellState(RED, 2),
            board._history[0],
        ):
            self.assertEqual(pickle.loads(pickle.dumps(value)), value)
        for twin in (pickle.loads(pickle.dumps(board)), copy.deepcopy(board)):
            twin.apply_action(SpawnAction(HexPos(0, 0)))
            self.assertEqual(len(cells(twin)), 2)
            self.assertEqual(len(cells(board)), 1)
        error = pickle.loads(pickle.dumps(IllegalActionException("no", BLUE)))
        self.assertEqual((str(error), error.color, type(error)), ("no", BLUE, IllegalActionException))
        self.assertIsInstance(error, PlayerException)

    def test_the_picture(self):
        stacks = {HexPos(6, 0): CellState(RED, 3), HexPos(0, 6): CellState(BLUE, 6), HexPos(0, 0): CellState(RED, 1)}
        board = Board(stacks)
        lines = board.render().split("\n")
        self.assertEqual(len(lines), 13)
        self.assertEqual(lines[0], " " * 24 + " r3     ")
        self.assertEqual(lines[6], " r1     " + " ..     " * 6)
        self.assertEqual(lines[12], " " * 24 + " b6     ")
        self.assertEqual(lines[7], " " * 4 + " ..     " * 6)
        self.assertIn("\033[", board.render(use_color=True))
        self.assertIn("··", board.render(use_unicode=True))

    def test_names(self):
        for name in """Action Board BoardUpdate BOARD_N GAME_NAME GameBegin GameEnd HexDir HexPos
            IllegalActionException MAX_CELL_POWER MAX_TOTAL_POWER MAX_TURNS NUM_PLAYERS Player PlayerColor
            PlayerError PlayerException PlayerInitialising SpawnAction SpreadAction TurnBegin TurnEnd
            UnhandledError WIN_POWER_DIFF actions board constants exceptions game hex player""".split():
            self.assertTrue(hasattr(referee.game, name), name)
            self.assertIn(name, globals(), f"{name} by *")
        self.assertEqual(
            (BOARD_N, MAX_TOTAL_POWER, MAX_CELL_POWER, MAX_TURNS, WIN_POWER_DIFF, NUM_PLAYERS, GAME_NAME),
            (7, 49, 6, 343, 2, 2, "Infexion"),
        )

    def test_deep_names(self):
        for module, names in DEEP.items():
            module = importlib.import_module(module)
            for name in names:
                self.assertTrue(hasattr(module, name), name)
