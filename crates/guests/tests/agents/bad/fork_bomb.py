"""Forks 255 processes that sleep; plays on with as many as it gets."""

import os
import time

from base import Base


class Agent(Base):
    def action(self, **referee):
        pid = os.getpid()
        try:
            # Doubles only eight times, so that the machine survives if there is no sandbox.
            for _ in range(8):
                os.fork()
        except OSError:
            pass
        if os.getpid() != pid:
            time.sleep(600)
            os._exit(0)
        return super().action(**referee)
