"""Raises an exception in action."""

from base import Base


class Agent(Base):
    def action(self, **referee):
        raise KeyError("action")
