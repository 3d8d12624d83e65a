"""Starts daemons and waits for a minute."""

import time

from base import Base
from lingers import sleep_deaf, sleep_stopped, start


class Agent(Base):
    def __init__(self, color, **referee):
        super().__init__(color)
        start(sleep_deaf)
        start(sleep_stopped)
        time.sleep(60)
