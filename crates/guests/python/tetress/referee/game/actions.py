"""The actions of a turn."""

from __future__ import annotations

from dataclasses import dataclass

from .coord import Coord


@dataclass(frozen=True, slots=True)
class PlaceAction:
    """Places tokens on four cells. Actions with the same cells in a different order are not equal."""

    c1: Coord
    c2: Coord
    c3: Coord
    c4: Coord

    @property
    def coords(self) -> set[Coord]:
        return {self.c1, self.c2, self.c3, self.c4}

    def __str__(self) -> str:
        return f"PLACE({self.c1}, {self.c2}, {self.c3}, {self.c4})"


Action = PlaceAction
