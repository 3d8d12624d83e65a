"""Takes the move with the best balance of power, tried out on the referee's own board."""

import random

from referee.game import (
    BOARD_N, MAX_TOTAL_POWER, Action, Board, HexDir, HexPos, PlayerColor, SpawnAction, SpreadAction,
)

ALL_CELLS = [HexPos(r, q) for r in range(BOARD_N) for q in range(BOARD_N)]


class Agent:
    def __init__(self, color: PlayerColor, **referee: dict):
        self.me = color
        self.board = Board()
        self.rng = random.Random(0)

    def action(self, **referee: dict) -> Action:
        actions = self.legal_actions()
        self.rng.shuffle(actions)
        return max(actions, key=self.value)

    def turn(self, color: PlayerColor, action: Action, **referee: dict):
        self.board.apply_action(action)

    def legal_actions(self):
        actions = []
        may_spawn = self.board._total_power < MAX_TOTAL_POWER
        for pos in ALL_CELLS:
            owner, _ = self.board[pos]
            if owner == self.me:
                actions += [SpreadAction(pos, direction) for direction in HexDir]
            elif owner is None and may_spawn:
                actions.append(SpawnAction(pos))
        return actions

    def value(self, action: Action):
        self.board.apply_action(action)
        mine = self.board._color_power(self.me)
        theirs = self.board._color_power(self.me.opponent)
        won = self.board.game_over and self.board.winner_color == self.me
        self.board.undo_action()
        return (won, mine - theirs)
