"""Starts processes as fast as it can, for 20 seconds at most."""

import os
import time

from base import Base


class Agent(Base):
    def action(self, **referee):
        end = time.monotonic() + 20
        while time.monotonic() < end:
            try:
                os.fork()
            except OSError:
                pass
        os._exit(0)
