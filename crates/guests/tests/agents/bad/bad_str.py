"""Raises an exception that cannot be printed."""

from base import Base


class Unprintable(Exception):
    def __str__(self):
        raise RuntimeError("no text for you")

    __repr__ = __str__


class Agent(Base):
    def action(self, **referee):
        raise Unprintable()
