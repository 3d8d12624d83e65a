"""Steals with the bare string, which the official referee accepts."""

from cachex_base import Base


class Player(Base):
    def action(self):
        return "STEAL" if self.n_turns == 1 else super().action()
