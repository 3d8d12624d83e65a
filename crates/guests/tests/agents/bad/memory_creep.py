"""Allocates 1 MB at a time, up to 1 GB."""

from base import Base


class Agent(Base):
    def action(self, **referee):
        self.hoard = []
        for _ in range(1024):
            self.hoard.append(bytearray(b"x") * (1 << 20))
        return super().action(**referee)
