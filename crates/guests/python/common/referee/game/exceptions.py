"""Faults that lose the game for the player that commits them."""

from __future__ import annotations

from .player import PlayerColor


class PlayerException(Exception):
    """A fault of the player of `color`."""

    def __init__(self, message: str, color: PlayerColor):
        super().__init__(message)
        self.color = color

    def __reduce__(self):
        # The default would unpickle it from its message alone.
        return type(self), (*self.args, self.color)


class IllegalActionException(PlayerException):
    """An action that the rules do not allow."""
