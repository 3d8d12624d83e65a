"""Raises an exception with half of a surrogate pair in its message, which is not valid Unicode."""

from base import Base


class Agent(Base):
    def action(self, **referee):
        raise RuntimeError("half a letter: \ud800")
