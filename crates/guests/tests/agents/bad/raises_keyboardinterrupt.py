"""Raises what Ctrl-C raises, which `except Exception` does not catch."""

from base import Base


class Agent(Base):
    def action(self, **referee):
        raise KeyboardInterrupt
