"""Prints 64 MB."""

from base import Base


class Agent(Base):
    def action(self, **referee):
        for _ in range(64):
            print("x" * (1 << 20))
        return super().action(**referee)
