"""Returns None."""

from base import Base


class Agent(Base):
    def action(self, **referee):
        return None
