"""Alpha-beta, two plies deep, on the cells of both sides' shortest ways. It tells the world what it does."""

from numbats.grid import Grid

SIDES = {"red": 1, "blue": -1}
WIN = 10000


class Player:
    def __init__(self, player, n):
        self.player = player
        self.side = SIDES[player]
        self.grid = Grid(n)
        self.n_turns = 0
        print("I am numbats and I play", player, "on a board of size", n)

    def action(self):
        n = self.grid.n
        if self.n_turns == 0:
            return ("PLACE", 0, n - 1)
        if self.n_turns == 1:
            # With the stone where it is, or where it would be as ours?
            if self.grid.distance(1)[0] < n and self.stone_is_inside():
                return ("STEAL",)
        print(self.grid)
        best, alpha = None, -WIN - 1
        for cell in self.candidates():
            captured = self.grid.place(self.side, cell)
            score = -self.negamax(-self.side, 1, -WIN - 1, -alpha)
            self.grid.undo(self.side, cell, captured)
            print("considered", cell, "with score", score)
            if score > alpha:
                best, alpha = cell, score
        print("so I play", best)
        return ("PLACE", best[0], best[1])

    def turn(self, player, action):
        print(player, "played", action)
        self.n_turns += 1
        if action[0] == "STEAL":
            self.grid.steal()
        else:
            self.grid.place(SIDES[player], action[1:])

    def negamax(self, side, depth, alpha, beta):
        theirs, _ = self.grid.distance(-side)
        if theirs == 0:
            return -WIN
        if depth == 0:
            return theirs - self.grid.distance(side)[0]
        for cell in self.candidates():
            captured = self.grid.place(side, cell)
            alpha = max(alpha, -self.negamax(-side, depth - 1, -beta, -alpha))
            self.grid.undo(side, cell, captured)
            if alpha >= beta:
                break
        return alpha

    def candidates(self):
        ways = self.grid.distance(1)[1] + self.grid.distance(-1)[1]
        cells = sorted({cell for cell in ways if self.grid.cells[cell] == 0})
        middle = (self.grid.n - 1) / 2
        cells.sort(key=lambda cell: abs(cell[0] - middle) + abs(cell[1] - middle))
        return cells[:8] or self.grid.empty()

    def stone_is_inside(self):
        n = self.grid.n
        return any(self.grid.cells[r, q] for r in range(1, n - 1) for q in range(1, n - 1))
