"""Reads the address 0."""

import ctypes

from base import Base


class Agent(Base):
    def action(self, **referee):
        ctypes.string_at(0)
        return super().action(**referee)
