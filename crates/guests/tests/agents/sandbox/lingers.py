"""Leaves processes of every kind behind. All of them must be gone after the game; none lives for more than a minute."""

import os
import signal
import time

from base import Base


def sleep_deaf():
    """Ignores all signals that can be ignored, in a session and with files of its own."""
    os.setsid()
    for number in set(signal.valid_signals()) - {signal.SIGKILL, signal.SIGSTOP, 32, 33}:
        signal.signal(number, signal.SIG_IGN)
    os.closerange(0, 256)
    time.sleep(60)


def hop():
    """Is never the same process for long."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        time.sleep(0.002)
        if os.fork():
            os._exit(0)


def sleep_stopped():
    os.kill(os.getpid(), signal.SIGSTOP)
    time.sleep(60)


def start(task):
    """Runs a task in an orphan."""
    pid = os.fork()
    if pid:
        os.waitpid(pid, 0)
        return
    try:
        if os.fork() == 0:
            task()
    finally:
        os._exit(0)


class Agent(Base):
    def __init__(self, color, **referee):
        super().__init__(color)
        for task in (sleep_deaf, hop, sleep_stopped):
            start(task)
