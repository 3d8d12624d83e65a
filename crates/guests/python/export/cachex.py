"""A yarra agent for Cachex, for the official referee. Made by `yarra export-agent`."""

from .engine import Engine

# The program to run; the environment variable YARRA overrides it.
YARRA = "@YARRA@"
# The agent, for example "mcts:nodes=1000".
AGENT = "@AGENT@"
# Seconds for all moves of a game, which this referee does not pass on; None for the course's n * n.
SECONDS_A_GAME = None


class Player:
    def __init__(self, player, n):
        self._engine = Engine(YARRA, "cachex:{}".format(n), AGENT, None)
        self._seconds = n * n if SECONDS_A_GAME is None else SECONDS_A_GAME

    def action(self):
        return read_move(self._engine.choose(self._seconds))

    def turn(self, player, action):
        self._engine.played(write_move(action))


def write_move(action):
    """The text of an action: `3-4` or `steal`."""
    return "steal" if action[0] == "STEAL" else "{}-{}".format(*action[1:])


def read_move(text):
    """The action that a text stands for."""
    if text == "steal":
        return ("STEAL",)
    r, q = text.split("-")
    return ("PLACE", int(r), int(q))
