"""Changes its working directory to /."""

import os

from base import Base


class Agent(Base):
    def __init__(self, color, **referee):
        super().__init__(color)
        os.chdir("/")
