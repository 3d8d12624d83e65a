"""Uses 0.2 s of CPU time for each of its first three moves, so that its opponent has time to steal."""

import time

from base import Base


def burn(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


class Agent(Base):
    def action(self, **referee):
        if self.board.turn_count < 6:
            burn(0.2)
        return super().action(**referee)
