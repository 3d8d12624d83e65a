"""A yarra agent for Infexion, for the official referee. Made by `yarra export-agent`."""

from referee.game import HexDir, HexPos, SpawnAction, SpreadAction

from .engine import Engine

# The program to run; the environment variable YARRA overrides it.
YARRA = "@YARRA@"
# The agent, for example "mcts:nodes=1000".
AGENT = "@AGENT@"
# Seconds per move if the referee sets no time limit; None leaves it to the agent.
SECONDS_A_MOVE = 1.0

DIRECTIONS = {"DownRight": "dr", "Down": "d", "DownLeft": "dl", "UpLeft": "ul", "Up": "u", "UpRight": "ur"}


class Agent:
    def __init__(self, color, **referee):
        self._engine = Engine(YARRA, "infexion", AGENT, SECONDS_A_MOVE)

    def action(self, time_remaining=None, **referee):
        return read_move(self._engine.choose(time_remaining))

    def turn(self, color, action, **referee):
        self._engine.played(write_move(action))


def write_move(action):
    """The text of an action: `3-4` is a spawn, `3-4ur` a spread."""
    cell = "{}-{}".format(action.cell.r, action.cell.q)
    return cell if isinstance(action, SpawnAction) else cell + DIRECTIONS[action.direction.name]


def read_move(text):
    """The action that a text stands for."""
    direction = text.lstrip("0123456789-")
    r, q = text[: len(text) - len(direction)].split("-")
    cell = HexPos(int(r), int(q))
    if not direction:
        return SpawnAction(cell)
    [name] = [name for name, short in DIRECTIONS.items() if short == direction]
    return SpreadAction(cell, HexDir[name])
