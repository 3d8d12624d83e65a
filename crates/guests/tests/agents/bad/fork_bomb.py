"""Forks 255 processes that sleep; plays on with however many it gets."""

import os
import time

from base import Base


class Agent(Base):
    def action(self, **referee):
        pid = os.getpid()
        try:
            # It doubles eight times only, so that the lack of a sandbox does not cost us the machine.
            for _ in range(8):
                os.fork()
        except OSError:
            pass
        if os.getpid() != pid:
            time.sleep(600)
            os._exit(0)
        return super().action(**referee)
