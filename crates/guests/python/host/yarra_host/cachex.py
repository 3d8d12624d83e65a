"""The interface of agents for Cachex (2022)."""

from .seats import Illegal, cell_text, judged
from .text import short

CLASS = "Player"
NUMPY_IS_FREE = False
IMPORTS_ARE_FREE = True
STDOUT_IS_RESERVED = False


class Seat:
    def __init__(self, player_class, color, size, space):
        self._class, self._color, self._size = player_class, color, size
        self._player = None

    def new(self, time):
        self._player = self._class(self._color, self._size)

    def action(self, time):
        action = self._player.action()
        if not isinstance(action, tuple) or not action:
            action = (action,)
        return judged(write, action)

    def turn(self, time, color, move):
        self._player.turn(color, read(move))


def read(move):
    return ("STEAL",) if move == "steal" else ("PLACE", *map(int, move.split("-")))


def write(action):
    kind, *cell = action
    if type(kind) is str and kind == "STEAL" and not cell:
        return "steal"
    if type(kind) is str and kind == "PLACE" and [type(number) for number in cell] == [int, int]:
        return cell_text(*cell)
    raise Illegal("action %s is not well formed" % short(action))
