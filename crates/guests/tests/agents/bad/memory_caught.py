"""Tries to allocate 1 GB before its first move and plays on without it."""

from base import Base


class Agent(Base):
    def action(self, **referee):
        if self.board.turn_count < 2:
            try:
                bytearray(1 << 30)
            except MemoryError:
                pass
        return super().action(**referee)
