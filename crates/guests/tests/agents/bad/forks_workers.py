"""Computes in two child processes; plays on if it may not fork."""

import os
import time

from base import Base


def burn(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


class Agent(Base):
    def action(self, **referee):
        children = []
        try:
            for _ in range(2):
                pid = os.fork()
                if pid == 0:
                    burn(0.05)
                    os._exit(0)
                children.append(pid)
        except OSError:
            pass
        for pid in children:
            os.waitpid(pid, 0)
        return super().action(**referee)
