"""Faults that lose the game for the player that commits them."""

from __future__ import annotations

from .player import PlayerColor


class PlayerException(Exception):
    """A fault of a player; its arguments are a message and the player's color."""

    def __init__(self, message: str, color: PlayerColor):
        super().__init__(message, color)

    @property
    def color(self) -> PlayerColor:
        return self.args[1]

    def __str__(self) -> str:
        return str(self.args[0])


class IllegalActionException(PlayerException):
    """An action that the rules do not allow."""
