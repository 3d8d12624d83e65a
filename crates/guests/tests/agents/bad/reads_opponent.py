"""Searches for the other agents' files; crashes with FOUND and the path if it finds the word in
`../folders/secret/agent/secret.txt`."""

import os

from base import Base

# In two parts, so that this file itself is not found.
WORD = ("OPPONENT" + "_SECRET").encode()
SYSTEM = ("/proc", "/sys", "/dev", "/usr", "/lib", "/lib64", "/bin", "/sbin", "/boot")
MOST_FILES = 20000


def search(root):
    n_files = 0
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if os.path.join(folder, name) not in SYSTEM]
        for name in files:
            n_files += 1
            if n_files > MOST_FILES:
                return
            path = os.path.join(folder, name)
            try:
                if not os.path.isfile(path) or os.path.getsize(path) > 10000:
                    continue
                with open(path, "rb") as file:
                    if WORD in file.read():
                        raise RuntimeError("FOUND " + os.path.abspath(path))
            except OSError:
                pass


class Agent(Base):
    def __init__(self, color, **referee):
        super().__init__(color)
        # The nearest places first: a whole disk is large.
        for root in ("..", "../..", "/"):
            search(root)
