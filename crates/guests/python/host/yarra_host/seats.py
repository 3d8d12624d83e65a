"""What the interfaces of 2023 and 2024 have in common."""

from .serve import short


class Illegal(Exception):
    """A return value that the referee refuses."""


class KeywordSeat:
    """An agent that is told its time and space by keywords."""

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
    """An action as a move in Yarra's notation, or what is wrong with it."""
    try:
        return {"move": write(action), "said": words(action)}
    except Illegal as fault:
        return {"illegal": str(fault), "said": words(action)}


def words(action):
    """The action as its own class prints it."""
    try:
        text = str(action)
    except BaseException:
        return short(action)
    return text if len(text) <= 200 else text[:200] + "..."
