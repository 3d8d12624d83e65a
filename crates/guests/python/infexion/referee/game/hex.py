"""Cells and directions of the hexagonal torus, in axial coordinates."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Iterator

from .constants import BOARD_N


@dataclass(frozen=True, slots=True)
class HexVec:
    """A step on the grid, or a sum of steps; it does not wrap."""

    r: int
    q: int

    def __add__(self, other: HexVec | HexDir) -> HexVec:
        return self.__class__(self.r + other.r, self.q + other.q)

    def __sub__(self, other: HexVec | HexDir) -> HexVec:
        return self.__class__(self.r - other.r, self.q - other.q)

    def __neg__(self) -> HexVec:
        return self.__class__(-self.r, -self.q)

    def __mul__(self, n: int) -> HexVec:
        return self.__class__(self.r * n, self.q * n)

    def __iter__(self) -> Iterator[int]:
        yield self.r
        yield self.q


@dataclass(frozen=True, order=True)
class HexPos(HexVec):
    """A cell. Sums and differences wrap around the board's edges."""

    def __post_init__(self):
        if not (0 <= self.r < BOARD_N and 0 <= self.q < BOARD_N):
            raise ValueError(f"Out-of-bounds hex position: {self.r}-{self.q}")

    def __str__(self) -> str:
        return f"{self.r}-{self.q}"

    def __add__(self, other: HexVec | HexDir) -> HexPos:
        return _CELLS[(self.r + other.r) % BOARD_N, (self.q + other.q) % BOARD_N]

    def __sub__(self, other: HexVec | HexDir) -> HexPos:
        return _CELLS[(self.r - other.r) % BOARD_N, (self.q - other.q) % BOARD_N]


# Sums come from this table, because creating a frozen object takes several times as long.
_CELLS = {(r, q): HexPos(r, q) for r in range(BOARD_N) for q in range(BOARD_N)}


class HexDir(Enum):
    """The six directions. The board is drawn with r growing to the upper right, q to the lower right."""

    DownRight = HexVec(0, 1)
    Down = HexVec(-1, 1)
    DownLeft = HexVec(-1, 0)
    UpLeft = HexVec(0, -1)
    Up = HexVec(1, -1)
    UpRight = HexVec(1, 0)

    def __init__(self, step: HexVec):
        self.r = step.r
        self.q = step.q

    @classmethod
    def _missing_(cls, value: object) -> HexDir | None:
        """The direction of two numbers, in a tuple, list or vector."""
        try:
            r, q = value
        except (TypeError, ValueError):
            return None
        return next((d for d in cls if (d.r, d.q) == (r, q)), None)

    def __neg__(self) -> HexDir:
        return HexDir(-self._value_)

    def __mul__(self, n: int) -> HexVec:
        return self._value_ * n

    def __str__(self) -> str:
        return _GLYPHS[self._name_]


_GLYPHS = {
    "DownRight": "[↘]",
    "Down": "[↓]",
    "DownLeft": "[↙]",
    "UpLeft": "[↖]",
    "Up": "[↑]",
    "UpRight": "[↗]",
}
