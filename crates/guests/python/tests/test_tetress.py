import copy
import importlib
import pickle
import unittest

import support

support.use("tetress")

import referee.game
from referee.game import *
from referee.game.board import BoardMutation, CellMutation, CellState
from referee.game.coord import Vector2
from referee.game.pieces import _TEMPLATES, Piece, PieceType, create_piece, piece_fingerprint

RED, BLUE = PlayerColor.RED, PlayerColor.BLUE

DEEP = {
    "referee.agent": [],
    "referee.options": [],
    "referee.run": [],
    "referee.game.actions": ["Action", "PlaceAction"],
    "referee.game.constants": ["BOARD_N", "MAX_TURNS"],
    "referee.game.coord": ["Coord", "Direction", "Vector2"],
    "referee.game.exceptions": ["IllegalActionException", "PlayerException"],
    "referee.game.pieces": ["BOARD_N"],
    "referee.game.player": ["Player", "PlayerColor"],
}


def setUpModule():
    support.use("tetress")


def action(move):
    return PlaceAction(*(Coord(*cell) for cell in move["place"]))


def place(text):
    """An action from `0-1 0-2 0-3 0-4`."""
    return PlaceAction(*(Coord(*map(int, cell.split("-"))) for cell in text.split()))


def cells(board):
    return sorted([p.r, p.c, str(s.player)[0].lower()] for p, s in board._state.items() if s.player)


def is_legal(board, action):
    try:
        board.apply_action(action)
    except IllegalActionException:
        return False
    board.undo_action()
    return True


def all_placements():
    return [
        create_piece(piece_type, Coord(r, c)).coords
        for piece_type in PieceType
        for r in range(BOARD_N)
        for c in range(BOARD_N)
    ]


def legal_moves(board):
    return [
        {"place": sorted([cell.r, cell.c] for cell in coords)}
        for coords in all_placements()
        if is_legal(board, PlaceAction(*coords))
    ]


class Recorded(unittest.TestCase):
    def test_games_come_out_as_recorded(self):
        n_checked = 0
        for game in support.recorded("tetress"):
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
                        if n_checked % 20 == 0 and not board.game_over:
                            self.assertEqual(support.sha(legal_moves(board)), sample["sha"])
                    if ply < len(game["moves"]):
                        self.assertFalse(board.game_over)
                        self.assertIsNone(board.winner_color)
                        board.apply_action(action(game["moves"][ply]))
                self.assertEqual(board.game_over, game["result"]["over"])
                winner = board.winner_color
                self.assertEqual(winner and str(winner).lower(), game["result"]["winner"])
                self.assertEqual(board.turn_limit_reached, len(game["moves"]) == MAX_TURNS)
                for refused in game.get("illegal_last", []):
                    self.assertFalse(is_legal(board, action(refused)), refused)
        self.assertGreater(n_checked, 800)

    def test_undo_leads_back(self):
        for game in support.recorded("tetress")[::20]:
            board = Board()
            before = []
            for move in game["moves"]:
                before.append((dict(board._state), board.turn_color))
                board.apply_action(action(move))
            while before:
                board.undo_action()
                self.assertEqual((board._state, board.turn_color), before.pop())
            with self.assertRaises(IndexError):
                board.undo_action()


class Rules(unittest.TestCase):
    def refuse(self, board, action, message):
        before = cells(board)
        with self.assertRaises(IllegalActionException) as caught:
            board.apply_action(action)
        self.assertEqual(str(caught.exception), message)
        self.assertIs(caught.exception.color, board.turn_color)
        self.assertEqual(cells(board), before)

    def test_messages_in_the_order_of_the_checks(self):
        class Place(PlaceAction):
            pass

        class Cell(Coord):
            pass

        outside = Coord(0, 0)
        object.__setattr__(outside, "c", 11)
        board = Board()
        for odd in (None, (1, 2), "PLACE"):
            self.refuse(board, odd, f"Unknown action {odd}")
        square = [Coord(3, 3), Coord(3, 4), Coord(4, 3), Coord(4, 4)]
        subclass = Place(*square)
        self.refuse(board, subclass, f"Action '{subclass}' is not a PLACE action object.")
        for odd in ((3, 3), Vector2(3, 3), Cell(3, 3), None, outside):
            self.refuse(board, PlaceAction(odd, *square[1:]), f"'{odd}' is not a valid coordinate.")
        self.refuse(board, place("3-3 3-4 4-3 5-5"), "Coords do not match any known piece type.")
        self.refuse(board, place("3-3 3-4 4-3 4-3"), "Coords do not match any known piece type.")
        board.apply_action(PlaceAction(*square))
        board.apply_action(place("8-0 8-1 8-2 8-3"))
        # The first cell with a fault counts, whatever its fault; then adjacency, then the shape.
        good, taken, odd = Coord(0, 0), Coord(3, 3), (1, 1)
        self.refuse(board, PlaceAction(good, taken, odd, good), "Coord 3-3 is already occupied.")
        self.refuse(board, PlaceAction(good, odd, taken, good), "'(1, 1)' is not a valid coordinate.")
        self.refuse(
            board,
            place("0-0 0-1 0-3 6-6"),
            "No coords in PLACE(0-0, 0-1, 0-3, 6-6) neighbour a RED piece.",
        )
        self.refuse(board, place("2-3 2-4 2-5 0-0"), "Coords do not match any known piece type.")
        self.assertTrue(is_legal(board, place("2-3 2-4 2-5 1-5")))

    def test_the_shortest_game(self):
        board = Board()
        for text in ("0-0 0-1 0-2 0-3", "0-4 0-5 0-6 0-7"):
            board.apply_action(place(text))
            self.assertFalse(board.game_over)
        mutation = board.apply_action(place("0-8 0-9 0-10 1-8"))
        self.assertEqual(cells(board), [[1, 8, "r"]])
        self.assertEqual(len(mutation.cell_mutations), 12)
        self.assertTrue(board.game_over)
        self.assertIs(board.winner_color, RED)

    def test_a_board_with_tokens_starts_without_the_need_of_neighbors(self):
        board = Board({Coord(0, 0): CellState(RED)}, BLUE)
        self.assertIs(board.turn_color, BLUE)
        board.apply_action(place("5-5 5-6 5-7 5-8"))
        board.apply_action(place("7-5 7-6 7-7 7-8"))
        self.refuse(board, place("9-5 9-6 9-7 9-8"), "No coords in PLACE(9-5, 9-6, 9-7, 9-8) neighbour a BLUE piece.")

    def test_room_for_three_is_not_enough(self):
        empty = {Coord(0, 0), Coord(0, 1), Coord(1, 0), Coord(10, 10), Coord(5, 5)}
        full = {Coord(r, c): CellState(RED) for r in range(11) for c in range(11)}
        blocked = Board({**full, **{cell: CellState() for cell in empty}})
        self.assertTrue(blocked.game_over)
        self.assertIs(blocked.winner_color, BLUE)
        free = Board({**full, **{cell: CellState() for cell in empty | {Coord(0, 10)}}})
        self.assertFalse(free.game_over)


class Types(unittest.TestCase):
    def test_texts(self):
        square = place("3-3 3-4 4-3 4-4")
        for value, text, representation in [
            (Coord(3, 10), "3-10", "Coord(r=3, c=10)"),
            (Vector2(-1, 2), "Vector2(-1, 2)", "Vector2(r=-1, c=2)"),
            (Direction.Up, "[↑]", "<Direction.Up: Vector2(r=-1, c=0)>"),
            (RED, "RED", "<PlayerColor.RED: 0>"),
            (
                square,
                "PLACE(3-3, 3-4, 4-3, 4-4)",
                "PlaceAction(c1=Coord(r=3, c=3), c2=Coord(r=3, c=4), c3=Coord(r=4, c=3), c4=Coord(r=4, c=4))",
            ),
        ]:
            self.assertEqual((str(value), f"{value}", repr(value)), (text, text, representation))

    def test_vectors(self):
        a, b = Vector2(1, 2), Vector2(3, -4)
        self.assertEqual((a + b, a - b, -a, a * 3), (Vector2(4, -2), Vector2(-2, 6), Vector2(-1, -2), Vector2(3, 6)))
        self.assertEqual((a.down(), a.up(2)), (Vector2(2, 2), Vector2(-1, 2)))
        self.assertEqual((a.left(), a.right(3)), (Vector2(1, 1), Vector2(1, 5)))
        self.assertEqual(a - Direction.Left, Vector2(1, 3))
        self.assertEqual(tuple(a), (1, 2))
        self.assertTrue(a < b and Vector2(1, 1) < a)
        self.assertEqual(hash(a), hash((1, 2)))
        self.assertNotEqual(a, Coord(1, 2))
        self.assertFalse(hasattr(a, "__dict__"))
        with self.assertRaises(AttributeError):
            a.r = 5

    def test_coordinates(self):
        self.assertEqual(
            (Coord(10, 0) + Direction.Down, Coord(0, 0) - Vector2(1, 12), Coord(0, 0).up(), Coord(5, 10).right(2)),
            (Coord(0, 0), Coord(10, 10), Coord(10, 0), Coord(5, 1)),
        )
        self.assertIs(type(Coord(10, 10) + Coord(1, 1)), Coord)
        self.assertTrue(Coord(0, 10) < Coord(1, 0) <= Coord(1, 0) and Coord(1, 1) >= Coord(1, 0) > Coord(0, 0))
        self.assertEqual((hash(Coord(3, 4)), len({Coord(3, 4), Coord(3, 4)})), (hash((3, 4)), 1))
        for wrong in ((11, 0), (0, 11), (-1, 0), (0, -1)):
            with self.assertRaisesRegex(ValueError, f"^Out-of-bounds coordinate: {wrong[0]}-{wrong[1]}$"):
                Coord(*wrong)
        with self.assertRaises(ValueError):
            -Coord(1, 1)
        with self.assertRaises(ValueError):
            Coord(6, 6) * 2
        with self.assertRaises(AttributeError):
            Coord(1, 1).r = 5

    def test_directions(self):
        self.assertEqual(
            [(d.name, d.r, d.c, str(d)) for d in Direction],
            [("Down", 1, 0, "[↓]"), ("Up", -1, 0, "[↑]"), ("Left", 0, -1, "[←]"), ("Right", 0, 1, "[→]")],
        )
        for d in Direction:
            self.assertIs(Direction((d.r, d.c)), d)
            self.assertIs(Direction(d.value), d)
            self.assertEqual(d * 3, Vector2(3 * d.r, 3 * d.c))
            self.assertIs(-(-d), d)
        self.assertIs(-Direction.Up, Direction.Down)
        for wrong in ((1, 1), Vector2(0, 0), 5, None):
            with self.assertRaises(ValueError):
                Direction(wrong)

    def test_colors(self):
        self.assertEqual(list(PlayerColor), [RED, BLUE])
        self.assertEqual((int(RED), int(BLUE), ("a", "b")[BLUE]), (1, -1, "b"))
        self.assertEqual((RED.opponent, BLUE.opponent), (BLUE, RED))

    def test_actions_depend_on_the_order_of_their_cells(self):
        one, other = place("3-3 3-4 4-3 4-4"), place("3-4 3-3 4-3 4-4")
        self.assertNotEqual(one, other)
        self.assertEqual((one.coords, type(one.coords)), (other.coords, set))
        self.assertEqual(hash(one), hash(place("3-3 3-4 4-3 4-4")))
        self.assertIs(Action, PlaceAction)
        self.assertFalse(hasattr(one, "__dict__"))

    def test_pieces(self):
        self.assertEqual(
            " ".join(piece_type.value for piece_type in PieceType),
            "O I-H I-V T-U T-R T-D T-L L-U L-R L-D L-L J-U J-R J-D J-L S-H S-V Z-H Z-V",
        )
        self.assertEqual(list(_TEMPLATES), list(PieceType))
        for piece_type in PieceType:
            piece = create_piece(piece_type, Coord(10, 10))
            self.assertIs(piece.type, piece_type)
            self.assertEqual(piece.coords, [Coord(10, 10) + offset for offset in _TEMPLATES[piece_type]])
            self.assertIs(Piece(set(piece.coords)).type, piece_type)
            self.assertEqual(piece_fingerprint(piece.coords), piece_fingerprint(create_piece(piece_type).coords))
        self.assertEqual(len({frozenset(coords) for coords in all_placements()}), 2299)
        for wrong in ("0-0 0-1 0-2 0-4", "0-0 1-1 2-2 3-3", "0-0 0-0 0-1 0-2"):
            with self.assertRaisesRegex(ValueError, "^Coords do not match any known piece type.$"):
                Piece(place(wrong).coords)
        with self.assertRaises(ValueError):
            Piece([])

    def test_the_board_has_what_agents_use(self):
        board = Board()
        self.assertEqual((len(board._state), board.turn_count, board.game_over), (121, 0, False))
        self.assertEqual((board.turn_limit_reached, board.winner_color, board._history), (False, None, []))
        action = place("3-3 3-4 4-3 4-4")
        planned = board._resolve_place_action(action)
        self.assertEqual(cells(board), [])
        self.assertEqual(board.apply_action(action), planned)
        self.assertIsInstance(planned, BoardMutation)
        self.assertIn(CellMutation(Coord(3, 3), CellState(), CellState(RED)), planned.cell_mutations)
        self.assertEqual(board[Coord(3, 3)], CellState(RED))
        self.assertEqual((board.turn_color, board._turn_color), (BLUE, BLUE))
        self.assertEqual(board._occupied_coords(), action.coords)
        self.assertEqual((board._cell_empty(Coord(3, 3)), board._cell_occupied(Coord(3, 3))), (False, True))
        self.assertEqual((board._player_token_count(RED), board._player_token_count(BLUE)), (4, 0))
        self.assertTrue(board._has_neighbour(Coord(2, 3), RED))
        self.assertFalse(board._has_neighbour(Coord(2, 3), BLUE))
        self.assertFalse(board._within_bounds(Vector2(0, 11)))

    def test_pickles_and_copies(self):
        board = Board()
        board.apply_action(place("3-3 3-4 4-3 4-4"))
        for value in (
            Coord(1, 2),
            Vector2(-1, 2),
            Direction.Left,
            BLUE,
            place("3-3 3-4 4-3 4-4"),
            PieceType.TUp,
            CellState(RED),
            board._history[0],
        ):
            self.assertEqual(pickle.loads(pickle.dumps(value)), value)
        for twin in (pickle.loads(pickle.dumps(board)), copy.deepcopy(board)):
            twin.apply_action(place("0-0 0-1 0-2 0-3"))
            self.assertEqual((len(cells(twin)), len(cells(board))), (8, 4))
        error = pickle.loads(pickle.dumps(IllegalActionException("no", BLUE)))
        self.assertEqual((str(error), error.color, type(error)), ("no", BLUE, IllegalActionException))

    def test_the_picture(self):
        board = Board({Coord(0, 1): CellState(RED), Coord(10, 10): CellState(BLUE)})
        lines = board.render().split("\n")
        self.assertEqual(lines[0], ". r " + ". " * 9)
        self.assertEqual(lines[10], ". " * 10 + "b ")
        self.assertEqual(lines[5], ". " * 11)
        self.assertEqual(len(lines), 11)
        self.assertIn("\033[", board.render(use_color=True))
        self.assertIn("·", board.render(use_unicode=True))

    def test_names(self):
        for name in """Action Board BoardUpdate BOARD_N Coord Direction GAME_NAME GameBegin GameEnd GameUpdate
            IllegalActionException MAX_TURNS NUM_PLAYERS PlaceAction Player PlayerColor PlayerError
            PlayerException PlayerInitialising TurnBegin TurnEnd UnhandledError actions board constants coord
            exceptions game pieces player""".split():
            self.assertTrue(hasattr(referee.game, name), name)
            self.assertIn(name, globals(), f"{name} by *")
        self.assertEqual((GAME_NAME, NUM_PLAYERS, BOARD_N, MAX_TURNS), ("Tetress", 2, 11, 150))

    def test_deep_names(self):
        for module, names in DEEP.items():
            module = importlib.import_module(module)
            for name in names:
                self.assertTrue(hasattr(module, name), name)
