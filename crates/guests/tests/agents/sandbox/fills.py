"""Writes files until it is stopped, but no more than a gigabyte; plays on if it can."""

import tempfile

from base import Base


class Agent(Base):
    def __init__(self, color, **referee):
        super().__init__(color)
        self.files = []
        block = bytes(1 << 20)
        try:
            for _ in range(64):
                # Without a name.
                file = tempfile.TemporaryFile()
                self.files.append(file)
                for _ in range(16):
                    file.write(block)
        except OSError:
            pass
        self.files.clear()
