"""Cells and directions of the square torus, in rows and columns."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Iterator

from .constants import BOARD_N


@dataclass(frozen=True, slots=True)
class Vector2:
    """A step on the grid, or a sum of steps; it does not wrap."""

    r: int
    c: int

    def __lt__(self, other: Vector2) -> bool:
        return (self.r, self.c) < (other.r, other.c)

    def __hash__(self) -> int:
        return hash((self.r, self.c))

    def __str__(self) -> str:
        return f"Vector2({self.r}, {self.c})"

    def __add__(self, other: Vector2 | Direction) -> Vector2:
        return self.__class__(self.r + other.r, self.c + other.c)

    def __sub__(self, other: Vector2 | Direction) -> Vector2:
        return self.__class__(self.r - other.r, self.c - other.c)

    def __neg__(self) -> Vector2:
        return self.__class__(-self.r, -self.c)

    def __mul__(self, n: int) -> Vector2:
        return self.__class__(self.r * n, self.c * n)

    def __iter__(self) -> Iterator[int]:
        yield self.r
        yield self.c

    def down(self, n: int = 1) -> Vector2:
        return self + Direction.Down * n

    def up(self, n: int = 1) -> Vector2:
        return self + Direction.Up * n

    def left(self, n: int = 1) -> Vector2:
        return self + Direction.Left * n

    def right(self, n: int = 1) -> Vector2:
        return self + Direction.Right * n


class Direction(Enum):
    """The four directions. Rows grow downwards, columns to the right."""

    Down = Vector2(1, 0)
    Up = Vector2(-1, 0)
    Left = Vector2(0, -1)
    Right = Vector2(0, 1)

    def __init__(self, step: Vector2):
        self.r = step.r
        self.c = step.c

    @classmethod
    def _missing_(cls, value: object) -> Direction | None:
        """The direction of two numbers, in a tuple, list or vector."""
        try:
            r, c = value
        except (TypeError, ValueError):
            return None
        return next((d for d in cls if (d.r, d.c) == (r, c)), None)

    def __neg__(self) -> Direction:
        return Direction(-self._value_)

    def __mul__(self, n: int) -> Vector2:
        return self._value_ * n

    def __str__(self) -> str:
        return _GLYPHS[self._name_]


_GLYPHS = {"Down": "[↓]", "Up": "[↑]", "Left": "[←]", "Right": "[→]"}


@dataclass(frozen=True, order=True)
class Coord(Vector2):
    """A cell. Sums and differences wrap around the board's edges."""

    def __post_init__(self):
        if not (0 <= self.r < BOARD_N and 0 <= self.c < BOARD_N):
            raise ValueError(f"Out-of-bounds coordinate: {self.r}-{self.c}")

    def __str__(self) -> str:
        return f"{self.r}-{self.c}"

    def __add__(self, other: Vector2 | Direction) -> Coord:
        return _CELLS[(self.r + other.r) % BOARD_N, (self.c + other.c) % BOARD_N]

    def __sub__(self, other: Vector2 | Direction) -> Coord:
        return _CELLS[(self.r - other.r) % BOARD_N, (self.c - other.c) % BOARD_N]


# Sums come from this table, because creating a frozen object takes several times as long.
_CELLS = {(r, c): Coord(r, c) for r in range(BOARD_N) for c in range(BOARD_N)}
