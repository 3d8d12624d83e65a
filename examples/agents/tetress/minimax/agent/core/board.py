"""The position: own tokens, the opponent's, plies played."""

from .bits import COLUMNS, PIECES, ROWS, neighbours

MAX_TURNS = 150


class Board:
    __slots__ = ("mine", "theirs", "plies")

    def __init__(self, mine=0, theirs=0, plies=0):
        self.mine = mine
        self.theirs = theirs
        self.plies = plies

    def pieces(self):
        occupied = self.mine | self.theirs
        if self.plies < 2:
            return [piece for piece, _ in PIECES if not piece & occupied]
        mine = self.mine
        return [piece for piece, near in PIECES if near & mine and not piece & occupied]

    def after(self, piece):
        """The position as the next player sees it."""
        mine, theirs = self.mine | piece, self.theirs
        occupied = mine | theirs
        full = 0
        for line in ROWS + COLUMNS:
            if occupied & line == line:
                full |= line
        return Board(theirs & ~full, mine & ~full, self.plies + 1)

    def room(self):
        """How many free cells we touch more than they do, and a tenth of the difference of tokens."""
        free = ~(self.mine | self.theirs)
        mine = (neighbours(self.mine) & free).bit_count()
        theirs = (neighbours(self.theirs) & free).bit_count()
        return mine - theirs + (self.mine.bit_count() - self.theirs.bit_count()) / 10
