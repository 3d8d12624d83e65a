"""Returns a function without a name."""

from base import Base


class Agent(Base):
    def action(self, **referee):
        return lambda: None
