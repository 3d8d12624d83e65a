"""The interface of agents for Infexion (2023)."""

from .seats import Illegal, KeywordSeat, cell_text
from .text import words

CLASS = "Agent"
NUMPY_IS_FREE = True
IMPORTS_ARE_FREE = False
STDOUT_IS_RESERVED = True

# The directions in Yarra's notation, in the order of the official enum.
DIRECTIONS = ["dr", "d", "dl", "ul", "u", "ur"]


class Seat(KeywordSeat):
    def __init__(self, agent_class, color, size, space):
        super().__init__(agent_class, color, space, told="turn")
        from referee.game import HexDir, HexPos, SpawnAction, SpreadAction

        self._pos, self._dir, self._spawn, self._spread = HexPos, HexDir, SpawnAction, SpreadAction
        self._directions = dict(zip(DIRECTIONS, HexDir))
        self._names = {direction: name for name, direction in self._directions.items()}

    def read(self, move):
        cell = move.rstrip("dlur")
        pos = self._pos(*map(int, cell.split("-")))
        direction = move[len(cell):]
        return self._spread(pos, self._directions[direction]) if direction else self._spawn(pos)

    def write(self, action):
        if type(action) is self._spawn:
            return self._cell(action.cell)
        if type(action) is self._spread:
            cell = self._cell(action.cell)
            if type(action.direction) is not self._dir:
                raise Illegal("'%s' is not a valid hex direction." % words(action.direction))
            return cell + self._names[action.direction]
        raise Illegal("Unknown action %s" % words(action))

    def _cell(self, cell):
        if type(cell) is not self._pos:
            raise Illegal("'%s' is not a valid hex position." % words(cell))
        return cell_text(cell.r, cell.q)
