"""Raises a subclass of SystemExit."""

from base import Base


class Farewell(SystemExit):
    pass


class Agent(Base):
    def action(self, **referee):
        raise Farewell(3)
