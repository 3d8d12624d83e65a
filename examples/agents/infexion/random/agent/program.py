"""Plays any legal move."""

import random

from referee.game import Action, HexDir, HexPos, PlayerColor, SpawnAction, SpreadAction
from referee.game.constants import *


class Agent:
    def __init__(self, color: PlayerColor, **referee: dict):
        self._color = color
        self._cells = {}  # HexPos -> (PlayerColor, power), occupied cells only

    def action(self, **referee: dict) -> Action:
        actions = []
        for pos, (color, _) in self._cells.items():
            if color == self._color:
                actions += [SpreadAction(pos, direction) for direction in HexDir]
        if sum(power for _, power in self._cells.values()) < MAX_TOTAL_POWER:
            board = [HexPos(r, q) for r in range(BOARD_N) for q in range(BOARD_N)]
            actions += [SpawnAction(pos) for pos in board if pos not in self._cells]
        return random.choice(actions)

    def turn(self, color: PlayerColor, action: Action, **referee: dict):
        match action:
            case SpawnAction(pos):
                self._cells[pos] = (color, 1)
            case SpreadAction(pos, direction):
                _, power = self._cells.pop(pos)
                for _ in range(power):
                    pos = pos + direction
                    _, old = self._cells.pop(pos, (None, 0))
                    if old < MAX_CELL_POWER:
                        self._cells[pos] = (color, old + 1)
