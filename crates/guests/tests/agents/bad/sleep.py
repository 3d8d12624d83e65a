"""Sleeps for ten minutes in action."""

import time

from base import Base


class Agent(Base):
    def action(self, **referee):
        time.sleep(600)
        return super().action(**referee)
