"""Computes 0.1 s in a callback of each garbage collection between its calls, off the official clock;
crashes with STOLE if that time was not counted."""

import gc
import time

from base import Base


class Agent(Base):
    def __init__(self, color, time_remaining=None, **referee):
        super().__init__(color)
        self.is_called = True
        self.first = (time.process_time(), time_remaining)
        gc.callbacks.append(self.think)
        self.is_called = False

    def think(self, phase, info):
        end = time.process_time() + 0.1
        while phase == "start" and not self.is_called and time.process_time() < end:
            pass

    def action(self, time_remaining=None, **referee):
        self.is_called = True
        if time_remaining is not None and self.first[1] is not None:
            used = time.process_time() - self.first[0]
            counted = self.first[1] - time_remaining
            if used - counted > 0.5:
                raise RuntimeError(f"STOLE {used - counted:.3f} s")
        action = super().action()
        self.is_called = False
        return action

    def turn(self, color, action, **referee):
        self.is_called = True
        super().turn(color, action)
        self.is_called = False
