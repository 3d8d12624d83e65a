"""The 19 fixed tetrominoes."""

from __future__ import annotations

from enum import Enum
from typing import Collection

from .constants import BOARD_N
from .coord import Coord, Vector2


class PieceType(Enum):
    O = "O"
    IHorizontal = "I-H"
    IVertical = "I-V"
    TUp = "T-U"
    TRight = "T-R"
    TDown = "T-D"
    TLeft = "T-L"
    LUp = "L-U"
    LRight = "L-R"
    LDown = "L-D"
    LLeft = "L-L"
    JUp = "J-U"
    JRight = "J-R"
    JDown = "J-D"
    JLeft = "J-L"
    SHorizontal = "S-H"
    SVertical = "S-V"
    ZHorizontal = "Z-H"
    ZVertical = "Z-V"


def _offsets(*steps: tuple[int, int]) -> list[Vector2]:
    return [Vector2(0, 0), *(Vector2(r, c) for r, c in steps)]


# The cells of each piece, relative to its origin.
_TEMPLATES: dict[PieceType, list[Vector2]] = {
    PieceType.O: _offsets((0, 1), (1, 0), (1, 1)),
    PieceType.IHorizontal: _offsets((0, 1), (0, 2), (0, 3)),
    PieceType.IVertical: _offsets((1, 0), (2, 0), (3, 0)),
    PieceType.TUp: _offsets((-1, 0), (-1, 1), (-1, -1)),
    PieceType.TRight: _offsets((0, 1), (1, 1), (-1, 1)),
    PieceType.TDown: _offsets((1, 0), (1, -1), (1, 1)),
    PieceType.TLeft: _offsets((0, -1), (-1, -1), (1, -1)),
    PieceType.LUp: _offsets((0, -1), (-1, -1), (-2, -1)),
    PieceType.LRight: _offsets((-1, 0), (-1, 1), (-1, 2)),
    PieceType.LDown: _offsets((0, 1), (1, 1), (2, 1)),
    PieceType.LLeft: _offsets((1, 0), (1, -1), (1, -2)),
    PieceType.JUp: _offsets((0, 1), (-1, 1), (-2, 1)),
    PieceType.JRight: _offsets((1, 0), (1, 1), (1, 2)),
    PieceType.JDown: _offsets((0, -1), (1, -1), (2, -1)),
    PieceType.JLeft: _offsets((-1, 0), (-1, -1), (-1, -2)),
    PieceType.SHorizontal: _offsets((0, 1), (-1, 1), (-1, 2)),
    PieceType.SVertical: _offsets((-1, 0), (-1, -1), (-2, -1)),
    PieceType.ZHorizontal: _offsets((0, -1), (-1, -1), (-1, -2)),
    PieceType.ZVertical: _offsets((1, 0), (1, -1), (2, -1)),
}


def _key(coords: Collection[Coord]) -> tuple[int, ...]:
    """A key that two sets of cells share if and only if they are translations of each other on the torus."""
    # The minimum over all choices of the origin.
    return tuple(
        min(
            sorted([(cell.r - origin.r) % BOARD_N * BOARD_N + (cell.c - origin.c) % BOARD_N for cell in coords])
            for origin in coords
        )
    )


def piece_fingerprint(coords: Collection[Coord]) -> str:
    """A text that two sets of cells share if and only if they are translations of each other on the torus."""
    return ",".join("%d-%d" % divmod(number, BOARD_N) for number in _key(coords))


_TYPES = {_key(template): piece_type for piece_type, template in _TEMPLATES.items()}


class Piece:
    """Cells that form a tetromino, and its type. Pieces with the same cells are equal."""

    def __init__(self, coords: Collection[Coord]):
        key = _key(coords) if coords else ()
        if key not in _TYPES:
            raise ValueError("Coords do not match any known piece type.")
        self.coords = coords
        self.type = _TYPES[key]

    def __eq__(self, other: object) -> bool:
        return set(self.coords) == set(other.coords) if isinstance(other, Piece) else NotImplemented

    def __hash__(self) -> int:
        return hash(frozenset(self.coords))

    def __str__(self) -> str:
        return f"Piece({self.type.name}, {', '.join(map(str, self.coords))})"

    def __repr__(self) -> str:
        return f"Piece(type={self.type}, coords={self.coords})"


def create_piece(piece_type: PieceType, origin: Coord = Coord(0, 0)) -> Piece:
    """The piece of that type with its origin on that cell."""
    return Piece([origin + offset for offset in _TEMPLATES[piece_type]])
