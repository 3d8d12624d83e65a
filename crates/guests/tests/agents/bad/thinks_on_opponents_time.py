"""Computes in a thread all the time; crashes with STOLE if that used more than 120 ms of CPU time between
two of its calls."""

import threading
import time

from base import Base

# The thread stops after this many moves, because it makes every call slow.
MOVES = 20


class Agent(Base):
    def __init__(self, color, **referee):
        super().__init__(color)
        self.n_moves = 0
        self.counter = 0
        threading.Thread(target=self.think, daemon=True).start()
        self.last = time.process_time()

    def think(self):
        while self.n_moves < MOVES:
            self.counter += 1

    def check(self):
        used = time.process_time() - self.last
        # The opponent computes 200 ms; on a busy machine it takes the referee a while to suspend this agent.
        if used > 0.12:
            raise RuntimeError(f"STOLE {used:.3f} s")

    def action(self, **referee):
        self.check()
        self.n_moves += 1
        action = super().action()
        self.last = time.process_time()
        return action

    def turn(self, color, action, **referee):
        self.check()
        super().turn(color, action)
        self.last = time.process_time()
