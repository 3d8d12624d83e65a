"""The rules of Cachex beyond the board, and the game loop."""

import time
from collections import Counter

from referee.board import Board
from referee.log import comment
from referee.picture import _SYMBOLS, _SYMBOLS_UNICODE, draw

GAME_NAME = "Cachex"
NUM_PLAYERS = 2
COLOURS = ("red", "blue")

# The coordinate that differs between a player's two sides.
_PLAYER_AXIS = {"red": 0, "blue": 1}

_ACTION_STEAL = "STEAL"
_ACTION_PLACE = "PLACE"

# The argument types of each kind of action.
_ACTION_ARGS = {_ACTION_STEAL: (), _ACTION_PLACE: (int, int)}

_MAX_TURNS = 343
_MAX_REPEAT_STATES = 7


# The board as text.
_RENDER = draw


def _FORMAT_ACTION(action):
    """An action as the log has it."""
    if action[0] == _ACTION_STEAL:
        return "STEAL first move"
    return "PLACE token in cell {}".format(action[1:])


class IllegalActionException(Exception):
    """An action that the rules do not allow."""


class Game:
    """The state of a game; `result` is a text once it is over."""

    def __init__(self, n):
        self.board = Board(n)
        self.nturns = 0
        self.last_coord = None
        self.last_captures = None
        self.result = None
        self.result_cluster = set()
        # How often each board has occurred, regardless of the side to move.
        self.history = Counter({self.board.digest(): 1})

    def update(self, player, action):
        """Plays an action of "red" or "blue" and returns it in its normal form, a tuple.

        Raises `IllegalActionException` and leaves the game unchanged if the rules do not allow it.
        """
        if not (isinstance(action, tuple) and action):
            action = (action,)
        self._check(player, action)
        if action[0] == _ACTION_STEAL:
            self.board.swap()
            r, q = self.last_coord
            self.last_coord = (q, r)
        else:
            self.last_coord = action[1:]
            self.last_captures = self.board.place(player, self.last_coord)
        self.nturns += 1
        self.history[self.board.digest()] += 1
        self._judge(player)
        return action

    def over(self):
        """Whether the game has ended."""
        return self.result is not None

    def end(self):
        """How the game has ended; None if it has not."""
        return self.result

    def _check(self, player, action):
        def require(condition, message):
            if not condition:
                raise IllegalActionException(message)

        owner = COLOURS[self.nturns % NUM_PLAYERS]
        require(player == owner, "it is {}'s turn, not {}'s".format(owner, player))

        kind, args = action[0], action[1:]
        require(
            # Types must match exactly: a number that only behaves like an int is not well formed.
            type(kind) is str
            and kind in _ACTION_ARGS
            and tuple(type(arg) for arg in args) == _ACTION_ARGS[kind],
            "action {!r} is not well formed".format(action),
        )
        if kind == _ACTION_STEAL:
            require(self.nturns == 1, "only the second turn of the game can be a {}".format(kind))
            return
        r, q = args
        n = self.board.n
        require(self.board.inside_bounds(args), "cell {} is outside of the board".format(args))
        require(
            self.nturns > 0 or not 2 * r == 2 * q == n - 1,
            "the first turn cannot be on the center, cell {}".format(args),
        )
        require(not self.board.is_occupied(args), "cell {} is occupied".format(args))

    def _judge(self, player):
        # A shorter game cannot have a chain that is long enough. So a steal is never checked either.
        if self.nturns >= 2 * self.board.n - 1:
            chain = self.board.connected_coords(self.last_coord)
            ends = {coord[_PLAYER_AXIS[player]] for coord in chain}
            if 0 in ends and self.board.n - 1 in ends:
                self.result = "winner: " + player
                self.result_cluster = set(chain)
                return
        if self.history[self.board.digest()] >= _MAX_REPEAT_STATES:
            # The spaces are those of the official referee.
            self.result = "draw: same game state occurred{}{} times".format(" " * 17, _MAX_REPEAT_STATES)
        elif self.nturns >= _MAX_TURNS:
            self.result = "draw: maximum number of turns reached"


def play(players, n, delay=0, boards=None, use_colour=False, use_unicode=False, log=lambda line: None):
    """Plays a game of two wrapped players, red first; returns its result.

    `boards` says how the board is drawn after every turn: "plain", "debug" or, for not at all, None. `log`
    is called with a line for every turn and for the result. An illegal action leaves the game without a
    winner and raises `IllegalActionException`.
    """
    game = Game(n)
    by_colour = dict(zip(COLOURS, players))

    def show():
        if boards is not None:
            comment("board", depth=-1)
            comment(_RENDER(game, boards == "debug", use_colour, use_unicode))

    comment("initialising players", depth=-1)
    for colour, player in by_colour.items():
        player.init(colour, n)
    show()
    while not game.over():
        colour = COLOURS[game.nturns % NUM_PLAYERS]
        comment("Turn {}".format(game.nturns + 1), depth=-1)
        action = by_colour[colour].action()
        try:
            action = game.update(colour, action)
        except IllegalActionException as error:
            log("error: {}: illegal action ({})".format(colour, error))
            raise
        log("turn {}: {}: {}".format(game.nturns, colour, _FORMAT_ACTION(action)))
        show()
        for player in players:
            player.turn(colour, action)
        _pause(delay)
    log(game.end())
    return game.end()


def _pause(delay):
    if delay >= 0:
        time.sleep(delay)
        return
    comment("press Enter to go on")
    try:
        input()
    except EOFError:
        pass
