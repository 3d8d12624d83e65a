"""Ignores SIGTERM and similar signals, and never returns."""

import signal

from base import Base


class Agent(Base):
    def action(self, **referee):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGXCPU):
            signal.signal(number, signal.SIG_IGN)
        while True:
            pass
