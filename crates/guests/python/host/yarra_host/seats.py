"""What the interfaces of the three games share."""

from pickle import dumps, loads

from .text import short, words


class Illegal(Exception):
    """A return value that is not a legal action."""


class KeywordSeat:
    """The interface of 2023 and 2024: time and space are keyword arguments; `told` is the method for moves."""

    def __init__(self, agent_class, color, space, told):
        from referee.game import PlayerColor

        self._class = agent_class
        self._colors = {"red": PlayerColor.RED, "blue": PlayerColor.BLUE}
        self._color = self._colors[color]
        self._space = space
        self._told = told
        self._agent = None

    def _referee(self, time, is_first=False):
        limit = self._space.limit
        remaining = limit if is_first else self._space.remaining()
        return {"time_remaining": time, "space_remaining": remaining, "space_limit": limit}

    def new(self, time):
        self._agent = self._class(color=self._color, **self._referee(time, is_first=True))

    def action(self, time):
        return judged(self.write, received(self._agent.action(**self._referee(time))))

    def turn(self, time, color, move):
        tell = getattr(self._agent, self._told)
        tell(self._colors[color], self.read(move), **self._referee(time))


def received(action):
    """An action as it arrives in the official referee, to which it is sent as a pickle."""
    try:
        return loads(dumps(action))
    except BaseException:
        return "<unpickleable>"


def judged(write, action):
    """The reply for an action: the move in Yarra's notation, or why it is illegal."""
    try:
        return {"move": write(action), "said": words(action)}
    except Illegal as fault:
        return {"illegal": str(fault), "said": words(action)}
    except BaseException:
        # It looks like an action, but its parts are not what they should be.
        return {"illegal": "action %s is not well formed" % short(action), "said": words(action)}


# The official boards look cells up in dictionaries, where all numbers that are equal to an integer are the same key:
# those of numpy, a `bool`, a member of an `IntEnum`, even 3.0. No board has more rows than these.
NUMBERS = {number: number for number in range(100)}


def cell_text(row, column):
    """A cell in Yarra's notation. The referee checks whether the board has it."""
    try:
        return "%d-%d" % (NUMBERS[row], NUMBERS[column])
    except (KeyError, TypeError):
        raise Illegal("%s is not a cell of the board" % short((row, column))) from None
