"""The board of Tetress and its rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Iterator, Mapping

from .actions import Action, PlaceAction
from .constants import BOARD_N, MAX_TURNS
from .coord import Coord, Direction
from .exceptions import IllegalActionException
from .pieces import Piece, PieceType, create_piece
from .player import PlayerColor


@dataclass(frozen=True)
class CellState:
    """A token's color, or `None` for an empty cell."""

    player: PlayerColor | None = None

    def __iter__(self) -> Iterator[PlayerColor | None]:
        yield self.player

    def __str__(self) -> str:
        return f"CellState({self.player})"


@dataclass(frozen=True)
class CellMutation:
    """The change of one cell."""

    cell: Coord
    prev: CellState
    next: CellState

    def __str__(self) -> str:
        return f"CellMutation({self.cell}, {self.prev}, {self.next})"


@dataclass(frozen=True)
class BoardMutation:
    """The effect of an action on the board."""

    action: Action
    cell_mutations: set[CellMutation]

    def __str__(self) -> str:
        return f"BoardMutation({self.action}, {', '.join(sorted(map(str, self.cell_mutations)))})"


_EMPTY = CellState()
_SPAN = range(BOARD_N)
_TOKENS = {color: CellState(color) for color in PlayerColor}
_CELLS = [Coord(r, c) for r in range(BOARD_N) for c in range(BOARD_N)]
_ROWS = [[Coord(r, c) for c in range(BOARD_N)] for r in range(BOARD_N)]
_COLUMNS = [[Coord(r, c) for r in range(BOARD_N)] for c in range(BOARD_N)]
_NEIGHBOURS = {cell: [cell + direction for direction in Direction] for cell in _CELLS}


class Board:
    """A position with the actions that led to it, which can be undone.

    The first two actions need no neighbor, even on a board that starts with tokens.
    """

    def __init__(
        self,
        initial_state: Mapping[Coord, CellState] = {},
        initial_player: PlayerColor = PlayerColor.RED,
    ):
        self._state: dict[Coord, CellState] = dict.fromkeys(_CELLS, _EMPTY)
        self._state.update(initial_state)
        self._turn_color = initial_player
        self._history: list[BoardMutation] = []

    def __getitem__(self, cell: Coord) -> CellState:
        if not self._within_bounds(cell):
            raise IndexError(f"'{cell}' is not on the board")
        return self._state[cell]

    def apply_action(self, action: Action) -> BoardMutation:
        """Plays an action of the side to move.

        Raises `IllegalActionException` and leaves the board unchanged if the rules do not allow it. An action
        after the end of the game is checked like any other.
        """
        if not isinstance(action, PlaceAction):
            raise self._illegal(f"Unknown action {action}")
        mutation = self._resolve_place_action(action)
        for change in mutation.cell_mutations:
            self._state[change.cell] = change.next
        self._history.append(mutation)
        self._turn_color = self._turn_color.opponent
        return mutation

    def undo_action(self) -> BoardMutation:
        """Undoes the last action."""
        if not self._history:
            raise IndexError("no action has been played that could be undone")
        mutation = self._history.pop()
        for change in mutation.cell_mutations:
            self._state[change.cell] = change.prev
        self._turn_color = self._turn_color.opponent
        return mutation

    def render(self, use_color: bool = False, use_unicode: bool = False) -> str:
        """A drawing with row 0 on top, each cell followed by a space."""
        blank = "·" if use_unicode else "."
        lines = []
        for row in _ROWS:
            line = ""
            for cell in row:
                state = self._state[cell]
                text = blank if state.player is None else str(state.player).lower()[0]
                if use_color and state.player is not None:
                    text = f"\033[1;{'31' if state.player is PlayerColor.RED else '34'}m{text}\033[0m"
                line += text + " "
            lines.append(line)
        return "\n".join(lines)

    @property
    def turn_count(self) -> int:
        """The number of actions played."""
        return len(self._history)

    @property
    def turn_limit_reached(self) -> bool:
        return self.turn_count >= MAX_TURNS

    @property
    def turn_color(self) -> PlayerColor:
        """The side to move."""
        return self._turn_color

    @property
    def game_over(self) -> bool:
        return self.turn_limit_reached or not self._can_place()

    @property
    def winner_color(self) -> PlayerColor | None:
        """The winner when the game is over; `None` before that, and in a draw.

        At the turn limit tokens are counted, even if the side to move has no action left.
        """
        if self.turn_limit_reached:
            lead = self._player_token_count(PlayerColor.RED) - self._player_token_count(PlayerColor.BLUE)
            if lead == 0:
                return None
            return PlayerColor.RED if lead > 0 else PlayerColor.BLUE
        return None if self._can_place() else self._turn_color.opponent

    def _can_place(self) -> bool:
        """Whether the side to move has a legal action."""
        # Any four connected cells are a piece, so that a starting cell with room for four is enough.
        free = self.turn_count < 2
        return any(
            self._has_room(cell)
            for cell, state in self._state.items()
            if state.player is None and (free or self._has_neighbour(cell, self._turn_color))
        )

    def _has_room(self, cell: Coord) -> bool:
        """Whether this cell is in a group of at least four connected empty cells."""
        found = [cell]
        for near in found:
            for neighbour in _NEIGHBOURS[near]:
                if self._state[neighbour].player is None and neighbour not in found:
                    found.append(neighbour)
            if len(found) >= 4:
                return True
        return False

    def _cell_empty(self, cell: Coord) -> bool:
        return self._state[cell].player is None

    def _cell_occupied(self, cell: Coord) -> bool:
        return self._state[cell].player is not None

    def _occupied_coords(self) -> set[Coord]:
        return {cell for cell, state in self._state.items() if state.player is not None}

    def _within_bounds(self, cell: Coord) -> bool:
        r, c = cell
        return r in _SPAN and c in _SPAN

    def _has_neighbour(self, cell: Coord, color: PlayerColor) -> bool:
        """Whether a token of that color is adjacent to the cell."""
        return any([self._state[neighbour].player is color for neighbour in _NEIGHBOURS[cell]])

    def _player_token_count(self, color: PlayerColor) -> int:
        return sum([state.player is color for state in self._state.values()])

    def _illegal(self, message: str) -> IllegalActionException:
        return IllegalActionException(message, self._turn_color)

    def _resolve_place_action(self, action: PlaceAction) -> BoardMutation:
        """The effect of an action; raises `IllegalActionException` if it is not legal."""
        # Subclasses are refused too, because they could behave in any way. Coordinates are checked again,
        # because unpickling does not call their constructor.
        if type(action) != PlaceAction:
            raise self._illegal(f"Action '{action}' is not a PLACE action object.")
        for cell in (action.c1, action.c2, action.c3, action.c4):
            if type(cell) != Coord or not self._within_bounds(cell):
                raise self._illegal(f"'{cell}' is not a valid coordinate.")
            if self._cell_occupied(cell):
                raise self._illegal(f"Coord {cell} is already occupied.")
        cells = action.coords
        color = self._turn_color
        if self.turn_count >= 2 and not any(self._has_neighbour(cell, color) for cell in cells):
            raise self._illegal(f"No coords in {action} neighbour a {color} piece.")
        try:
            Piece(cells)
        except ValueError as error:
            raise self._illegal(str(error)) from None

        def full(line: list[Coord]) -> bool:
            return all(self._state[cell].player is not None or cell in cells for cell in line)

        rows = [cell.r for cell in cells]
        columns = [cell.c for cell in cells]
        lines = _ROWS[min(rows) : max(rows) + 1] + _COLUMNS[min(columns) : max(columns) + 1]
        cleared = {cell for line in lines if full(line) for cell in line}
        token = _TOKENS[color]
        changes = {CellMutation(cell, _EMPTY, token) for cell in cells - cleared}
        changes.update(CellMutation(cell, self._state[cell], _EMPTY) for cell in cleared)
        return BoardMutation(action, changes)
