"""Calls sys.exit() in its constructor."""

import sys

from base import Base


class Agent(Base):
    def __init__(self, color, **referee):
        sys.exit()
