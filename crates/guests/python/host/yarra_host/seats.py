"""What the interfaces of 2023 and 2024 share."""

from .serve import short


class Illegal(Exception):
    """A return value that is not a legal action."""


class KeywordSeat:
    """Calls an agent with its time and space as keyword arguments; `told` is its method for moves."""

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
        return judged(self.write, self._agent.action(**self._referee(time)))

    def turn(self, time, color, move):
        tell = getattr(self._agent, self._told)
        tell(self._colors[color], self.read(move), **self._referee(time))


def judged(write, action):
    """The reply for an action: the move in Yarra's notation, or why it is illegal."""
    try:
        return {"move": write(action), "said": words(action)}
    except Illegal as fault:
        return {"illegal": str(fault), "said": words(action)}


def words(action):
    """The text of an action, by its own class if that works."""
    try:
        text = str(action)
    except BaseException:
        return short(action)
    return text if len(text) <= 200 else text[:200] + "..."
