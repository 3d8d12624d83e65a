"""The tree of UCT. With numpy all children are compared at once, without it one by one."""

import math

try:
    import numpy as np
except ImportError:
    np = None

EXPLORATION = 1.0


class Node:
    def __init__(self, moves):
        self.moves = moves
        self.children = [None] * len(moves)
        self.n = 0
        if np is None:
            self.visits = [0] * len(moves)
            self.values = [0.0] * len(moves)
        else:
            self.visits = np.zeros(len(moves))
            self.values = np.zeros(len(moves))

    def select(self):
        """The index of the next move to try; moves not tried yet come first, in their order."""
        if self.n < len(self.moves):
            return self.n
        log = math.log(self.n)
        if np is None:
            scores = [
                value / visits + EXPLORATION * math.sqrt(log / visits)
                for value, visits in zip(self.values, self.visits)
            ]
            return scores.index(max(scores))
        return int(np.argmax(self.values / self.visits + EXPLORATION * np.sqrt(log / self.visits)))

    def update(self, idx, value):
        self.n += 1
        self.visits[idx] += 1
        self.values[idx] += value

    def best(self):
        tried = [idx for idx in range(len(self.moves)) if self.visits[idx]]
        return self.moves[max(tried, key=lambda idx: (self.visits[idx], self.values[idx]))]
