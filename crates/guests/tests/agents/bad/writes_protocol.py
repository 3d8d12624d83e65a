"""Writes garbage to every open file descriptor except the standard ones."""

import os

from base import Base


class Agent(Base):
    def action(self, **referee):
        for number in range(3, 256):
            try:
                os.write(number, b"nonsense\n\x00\xff{}\n")
            except OSError:
                pass
        return super().action(**referee)
