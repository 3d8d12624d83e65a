"""The two colors, and the interface of their players."""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import Enum
from typing import Any


class PlayerColor(Enum):
    """Red moves first. As an index a color is 0 or 1, as an `int` a sign: +1 or -1."""

    RED = 0
    BLUE = 1

    @property
    def opponent(self) -> PlayerColor:
        return PlayerColor.BLUE if self is PlayerColor.RED else PlayerColor.RED

    def __str__(self) -> str:
        return self._name_

    def __index__(self) -> int:
        return self._value_

    def __int__(self) -> int:
        return 1 if self is PlayerColor.RED else -1


class Player(ABC):
    """A player of one color in `game()`.

    It is entered before the first turn and exited after the last one. The method named `edition.LISTENER` is called
    with the color and the action of every turn but the last.
    """

    def __init__(self, color: PlayerColor):
        self._color = color

    @property
    def color(self) -> PlayerColor:
        return self._color

    def __str__(self) -> str:
        return str(self._color)

    @abstractmethod
    async def action(self) -> Any:
        """The player's choice; it may be any value, the board checks it."""

    async def turn(self, color: PlayerColor, action: Any) -> None:
        """Is told an action, in Infexion."""

    async def update(self, color: PlayerColor, action: Any) -> None:
        """Is told an action, in Tetress."""

    async def __aenter__(self) -> Player:
        return self

    async def __aexit__(self, *_) -> None:
        pass
