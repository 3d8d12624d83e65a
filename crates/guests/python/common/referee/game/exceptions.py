"""Faults that lose the game of the player who commits them."""

from __future__ import annotations

from .player import PlayerColor


class PlayerException(Exception):
    """Something that the player of `color` must answer for."""

    def __init__(self, message: str, color: PlayerColor):
        super().__init__(message)
        self.color = color

    def __reduce__(self):
        # The default would make it anew from its message alone.
        return type(self), (*self.args, self.color)


class IllegalActionException(PlayerException):
    """An action that the rules do not allow."""
