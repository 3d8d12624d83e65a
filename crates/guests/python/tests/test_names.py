"""Names that agents may import besides the rules, each in a process of its own."""

import os
import subprocess
import sys
import unittest

import support


class Names(unittest.TestCase):
    def run_code(self, game, code):
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=dict(os.environ, PYTHONPATH=support.root(game), PYTHONDONTWRITEBYTECODE="1"),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=100,
        )
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    COMMON = """
import referee.main, referee.run, referee.options, referee.log, referee.agent, referee.agent.client, referee.agent.io
import referee.agent.resources, referee.agent.subprocess, referee.agent.player
from referee.main import main
from referee.run import game_commentator, game_event_logger, output_board_updates, game_delay, run_game
from referee.options import (
    PlayerLoc, get_options, TIME_LIMIT_DEFAULT, TIME_LIMIT_NOVALUE, SPACE_LIMIT_DEFAULT, SPACE_LIMIT_NOVALUE,
    WAIT_DEFAULT, WAIT_NOVALUE, VERBOSITY_LEVELS, VERBOSITY_DEFAULT, VERBOSITY_NOVALUE,
    LOGFILE_DEFAULT, LOGFILE_NOVALUE,
)
assert (TIME_LIMIT_NOVALUE, SPACE_LIMIT_NOVALUE, WAIT_NOVALUE, LOGFILE_NOVALUE) == (180, 250, 0.5, "game.log")
from referee.log import LogStream, LogColor, NullLogger, LogLevel
assert LogLevel.DEBUG < LogLevel.INFO < LogLevel.WARNING < LogLevel.ERROR < LogLevel.CRITICAL
assert max(LogLevel) is LogLevel.CRITICAL
for stream in (LogStream("me", LogLevel.DEBUG), NullLogger()):
    for level in ("debug", "info", "warning", "error", "critical"):
        getattr(stream, level)("hello")
assert str(LogColor.RED) == "\\033[31m"
from referee.agent.resources import CountdownTimer, MemoryWatcher, ResourceLimitException
timer, watcher = CountdownTimer(0.001), MemoryWatcher(250)
with timer:
    sum(range(1000000))
watcher.update()
watcher.check()
assert timer.used > 0.001 and timer.remaining() < 0 and CountdownTimer().remaining() is None
try:
    timer.check()
    raise AssertionError
except ResourceLimitException as error:
    assert str(error) == "exceeded available time"
import pickle
from referee.game import *
error = pickle.loads(pickle.dumps(IllegalActionException("no", PlayerColor.BLUE)))
assert (str(error), error.args, error.color) == ("no", ("no", PlayerColor.BLUE), PlayerColor.BLUE)
assert Player.turn and Player.update
"""

    def test_what_2023_and_2024_share(self):
        lines = ["* me      {} hello".format(sign) for sign in "~:#!@"]
        for game in ("infexion", "tetress"):
            self.assertEqual(self.run_code(game, self.COMMON).splitlines(), lines)

    def test_infexion(self):
        self.run_code(
            "infexion",
            """
from referee.game import *
from referee.game.board import Board, BoardMutation, CellMutation, CellState
from referee.game.hex import HexVec
board = Board({HexPos(1, 2): CellState(PlayerColor.RED, 3)})
assert board[HexPos(1, 2)] == CellState(PlayerColor.RED, 3) and tuple(board[HexPos(1, 2)]) == (PlayerColor.RED, 3)
assert board[(1, 2)] == board[1, 2] == CellState(), "a tuple is another key of the defaultdict"
for cell in ((7, 0), (0, -1)):
    try:
        board[cell]
        raise AssertionError
    except IndexError:
        pass
assert board._mutable and board._history == [] and board._turn_color is PlayerColor.RED
assert board._state[HexPos(6, 6)] == CellState()
mutation = board.apply_action(SpreadAction(HexPos(1, 2), HexDir.Up))
assert isinstance(mutation, BoardMutation) and board._history == [mutation]
assert mutation.action == SpreadAction(HexPos(1, 2), HexDir.Up)
change = next(change for change in mutation.cell_mutations if change.cell == HexPos(1, 2))
assert (change.prev, change.next) == (CellState(PlayerColor.RED, 3), CellState())
assert str(change) == "CellMutation(1-2, CellState(RED, 3), CellState(None, 0))"
assert board._turn_color is PlayerColor.BLUE
assert HexDir([1, -1]) is HexDir((1, -1)) is HexDir(HexVec(1, -1)) is HexDir.Up
for value in ([1, 1], (1,), 3, "ab", None):
    try:
        HexDir(value)
        raise AssertionError(value)
    except ValueError:
        pass
assert board.render(use_color=True, use_unicode=True) and board.render(True, True).count("\\n") == 12
""",
        )

    def test_tetress(self):
        self.run_code(
            "tetress",
            """
from referee.game import *
from referee.game.board import Board, CellState, CellMutation, BoardMutation, Piece, PieceType, create_piece
from referee.game.pieces import piece_fingerprint, BOARD_N, _TEMPLATES
from referee.game.coord import Vector2
cells = [Coord(0, 0), Coord(0, 1), Coord(1, 0), Coord(1, 1)]
piece = Piece(cells)
assert piece == Piece(set(cells)) == create_piece(PieceType.O) and hash(piece) == hash(create_piece(PieceType.O))
assert piece != create_piece(PieceType.O, Coord(5, 5)) and piece != 3 and len({piece, Piece(cells[::-1])}) == 1
assert piece.type is PieceType.O and str(piece) == "Piece(O, 0-0, 0-1, 1-0, 1-1)"
assert isinstance(piece_fingerprint(cells), str)
assert piece_fingerprint(cells) == piece_fingerprint(create_piece(PieceType.O, Coord(10, 10)).coords)
state, = CellState(PlayerColor.RED)
assert state is PlayerColor.RED and str(CellState(PlayerColor.RED)) == "CellState(RED)"
assert str(CellState()) == "CellState(None)"
board = Board()
for key, kind in (((1, 2), KeyError), (Coord(0, 0), None), ((11, 0), IndexError), (Vector2(1, 2), KeyError)):
    try:
        board[key]
        assert kind is None
    except (KeyError, IndexError) as error:
        assert type(error) is kind
assert Direction([1, 0]) is Direction((1, 0)) is Direction(Vector2(1, 0)) is Direction.Down
mutation = board.apply_action(PlaceAction(*cells))
assert {change.cell for change in mutation.cell_mutations} == set(cells) and board._history == [mutation]
assert board.render(use_color=True, use_unicode=True).count("\\n") == 10
""",
        )

    def test_cachex(self):
        out = self.run_code(
            "cachex",
            """
from referee.game import (
    Game, play, IllegalActionException, COLOURS, GAME_NAME, NUM_PLAYERS, _PLAYER_AXIS, _ACTION_STEAL, _ACTION_PLACE,
    _MAX_TURNS, _MAX_REPEAT_STATES, _RENDER, _FORMAT_ACTION,
)
from referee.board import Board, _ADD, _HEX_STEPS, _CAPTURE_PATTERNS, _TOKEN_MAP_OUT, _TOKEN_MAP_IN, _SWAP_PLAYER
from referee.log import StarLog, comment, config, print
from referee.options import DELAY_NOVALUE, SPACE_LIMIT_NOVALUE, TIME_LIMIT_NOVALUE, LOGFILE_NOVALUE
from referee.player import PlayerWrapper
import referee.main
assert (DELAY_NOVALUE, SPACE_LIMIT_NOVALUE, TIME_LIMIT_NOVALUE, LOGFILE_NOVALUE) == (0.5, 100, 60, "game.log")
assert _FORMAT_ACTION(("PLACE", 0, 4)) == "PLACE token in cell (0, 4)"
assert _FORMAT_ACTION(("STEAL",)) == "STEAL first move"
game = Game(3)
game.update("red", ("PLACE", 0, 1))
assert callable(_RENDER) and "r" in _RENDER(game) and _RENDER(game) == _RENDER(game.board)
log = StarLog(level=1)
log.comment("comment")
log.debug("debug")
log.log("log")
StarLog(level=3).debug("debug at last", depth=1)
print("two", "values")
""",
        )
        self.assertEqual(out.splitlines(), ["* comment", "* log", "*   debug at last", "two values"])
