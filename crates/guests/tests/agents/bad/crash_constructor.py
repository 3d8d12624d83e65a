"""Raises an exception in its constructor."""

from base import Base


class Agent(Base):
    def __init__(self, color, **referee):
        raise KeyError("constructor")
