"""A player whose moves are always legal: it spawns on the first empty cell, and spreads once the board is full."""

from referee.game import Board, HexDir, HexPos, SpawnAction, SpreadAction

CELLS = [HexPos(r, q) for r in range(7) for q in range(7)]


class Base:
    def __init__(self, color, **referee):
        self.color = color
        self.board = Board()

    def action(self, **referee):
        if sum(self.board[cell].power for cell in CELLS) < 49:
            return SpawnAction(next(cell for cell in CELLS if self.board[cell].player is None))
        own = next(cell for cell in CELLS if self.board[cell].player == self.color)
        return SpreadAction(own, HexDir.Up)

    def turn(self, color, action, **referee):
        self.board.apply_action(action)
