"""Aborts its process."""

import os

from base import Base


class Agent(Base):
    def action(self, **referee):
        os.abort()
