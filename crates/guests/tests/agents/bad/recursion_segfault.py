"""Removes the recursion limit and recurses through C until the stack overflows."""

import sys

from base import Base


def dive(depth):
    # Calls through C use the C stack; pure Python calls do not.
    return list(map(dive, [depth + 1]))


class Agent(Base):
    def action(self, **referee):
        sys.setrecursionlimit(10**9)
        return dive(0)
