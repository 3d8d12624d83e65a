"""The actions of a turn."""

from __future__ import annotations

from dataclasses import dataclass

from .hex import HexDir, HexPos


@dataclass(frozen=True, slots=True)
class SpawnAction:
    """Places a stack of power 1 on an empty cell."""

    cell: HexPos

    def __str__(self) -> str:
        r, q = self.cell
        return f"SPAWN({r}, {q})"


@dataclass(frozen=True, slots=True)
class SpreadAction:
    """Distributes the tokens of an own stack, one to each of the next cells in a direction."""

    cell: HexPos
    direction: HexDir

    def __str__(self) -> str:
        r, q = self.cell
        return f"SPREAD({r}, {q}, {self.direction.r}, {self.direction.q})"


Action = SpawnAction | SpreadAction
