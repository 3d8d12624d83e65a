"""Returns a list."""

from cachex_base import Base


class Player(Base):
    def action(self):
        return list(super().action())
