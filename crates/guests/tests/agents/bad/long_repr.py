"""Returns an object whose text is 50 MB long."""

from base import Base


class Talkative:
    def __repr__(self):
        return "x" * 50_000_000


class Agent(Base):
    def action(self, **referee):
        return Talkative()
