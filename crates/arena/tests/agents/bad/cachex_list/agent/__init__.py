"""Returns a list."""

from .base import Base


class Player(Base):
    def action(self):
        return list(super().action())
