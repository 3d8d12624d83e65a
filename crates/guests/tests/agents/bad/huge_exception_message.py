"""Raises an exception with a message of 50 MB."""

from base import Base


class Agent(Base):
    def action(self, **referee):
        raise RuntimeError("x" * 50_000_000)
