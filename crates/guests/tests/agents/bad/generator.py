"""Is a generator instead of returning an action."""

from base import Base


class Agent(Base):
    def action(self, **referee):
        yield super().action(**referee)
