"""Computes in two threads; plays on if it may not have threads.

Threads reserve address space, sometimes more than 250 MB: the memory limit is set so that only time can decide.
"""

import hashlib
import threading
import time

from base import Base


def think():
    """Hashes, because that releases the interpreter lock, so that threads run in parallel."""
    block = bytes(1 << 20)
    while time.thread_time() < 0.05:
        hashlib.sha256(block).digest()


class Agent(Base):
    def action(self, **referee):
        threads = [threading.Thread(target=think) for _ in range(2)]
        try:
            for thread in threads:
                thread.start()
        except RuntimeError:
            pass
        for thread in threads:
            if thread.ident is not None:
                thread.join()
        return super().action(**referee)
