"""The interface of agents for Tetress (2024)."""

from .seats import Illegal, KeywordSeat, cell_text
from .text import words

CLASS = "Agent"
NUMPY_IS_FREE = True
IMPORTS_ARE_FREE = False
STDOUT_IS_RESERVED = True


class Seat(KeywordSeat):
    def __init__(self, agent_class, color, size, space):
        super().__init__(agent_class, color, space, told="update")
        from referee.game import Coord, PlaceAction

        self._coord, self._place = Coord, PlaceAction

    def read(self, move):
        return self._place(*[self._coord(*map(int, cell.split("-"))) for cell in move.split(",")])

    def write(self, action):
        if type(action) is not self._place:
            raise Illegal("Action '%s' is not a PLACE action object." % words(action))
        cells = [action.c1, action.c2, action.c3, action.c4]
        for cell in cells:
            if type(cell) is not self._coord:
                raise Illegal("'%s' is not a valid coordinate." % words(cell))
        return ",".join(cell_text(cell.r, cell.c) for cell in cells)
