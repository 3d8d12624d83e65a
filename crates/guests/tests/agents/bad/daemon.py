"""Leaves a process behind that sleeps for ten minutes."""

import os
import time

from base import Base


def live():
    time.sleep(600)


def start_daemon():
    """Starts a grandchild in its own session that keeps all files open."""
    try:
        pid = os.fork()
    except OSError:
        return
    if pid != 0:
        os.waitpid(pid, 0)
        return
    try:
        os.setsid()
        if os.fork() == 0:
            live()
    finally:
        os._exit(0)


class Agent(Base):
    def __init__(self, color, **referee):
        super().__init__(color)
        start_daemon()
