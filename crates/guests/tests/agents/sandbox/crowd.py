"""Starts as many idle processes as it can, and fails."""

import os
import time

from base import Base


class Agent(Base):
    def action(self, **referee):
        try:
            while True:
                if os.fork() == 0:
                    time.sleep(100)
                    os._exit(0)
        except OSError:
            pass
        raise ValueError("enough")
