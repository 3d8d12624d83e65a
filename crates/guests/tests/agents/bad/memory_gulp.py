"""Allocates 1 GB at once."""

from base import Base


class Agent(Base):
    def action(self, **referee):
        self.block = bytearray(b"x") * (1 << 30)
        return super().action(**referee)
