"""A yarra agent for Tetress, for the official referee. Made by `yarra export-agent`."""

from referee.game import Coord, PlaceAction

from .engine import Engine

# The program to run; the environment variable YARRA overrides it.
YARRA = "@YARRA@"
# The agent, for example "mcts:nodes=1000".
AGENT = "@AGENT@"
# Seconds per move if the referee sets no time limit; None leaves it to the agent.
SECONDS_A_MOVE = 1.0


class Agent:
    def __init__(self, color, **referee):
        self._engine = Engine(YARRA, "tetress", AGENT, SECONDS_A_MOVE)

    def action(self, time_remaining=None, **referee):
        return read_move(self._engine.choose(time_remaining))

    def update(self, color, action, **referee):
        self._engine.played(write_move(action))


def write_move(action):
    """The text of an action: its cells in order, as in `3-3,3-4,4-3,4-4`."""
    cells = sorted((coord.r, coord.c) for coord in (action.c1, action.c2, action.c3, action.c4))
    return ",".join("{}-{}".format(r, c) for r, c in cells)


def read_move(text):
    """The action that a text stands for."""
    return PlaceAction(*(Coord(*map(int, cell.split("-"))) for cell in text.split(",")))
