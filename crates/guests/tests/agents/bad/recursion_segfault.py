"""Takes the limit of recursion away and recurses through C until the stack is gone."""

import sys

from base import Base


def dive(depth):
    # Calls from C take the stack of C, which Python's own calls leave alone.
    return list(map(dive, [depth + 1]))


class Agent(Base):
    def action(self, **referee):
        sys.setrecursionlimit(10**9)
        return dive(0)
