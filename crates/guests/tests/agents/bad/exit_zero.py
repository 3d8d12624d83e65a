"""Calls sys.exit() in action."""

import sys

from base import Base


class Agent(Base):
    def action(self, **referee):
        sys.exit()
