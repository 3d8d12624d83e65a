"""The board of Infexion and its rules."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Iterator, Mapping

from .actions import Action, SpawnAction, SpreadAction
from .constants import BOARD_N, MAX_CELL_POWER, MAX_TOTAL_POWER, MAX_TURNS, WIN_POWER_DIFF
from .exceptions import IllegalActionException
from .hex import HexDir, HexPos
from .player import PlayerColor


@dataclass(frozen=True)
class CellState:
    """A stack, or an empty cell. A stack above the maximum power becomes an empty cell."""

    player: PlayerColor | None = None
    power: int = 0

    def __post_init__(self):
        if self.player is None or self.power > MAX_CELL_POWER:
            object.__setattr__(self, "player", None)
            object.__setattr__(self, "power", 0)

    def __iter__(self) -> Iterator[PlayerColor | int | None]:
        yield self.player
        yield self.power

    def __str__(self) -> str:
        return f"CellState({self.player}, {self.power})"


@dataclass(frozen=True)
class CellMutation:
    """The change of one cell."""

    cell: HexPos
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


def _picture(stack: CellState) -> str:
    return f"{str(stack.player).lower()[0]}{stack.power}"


_EMPTY = CellState()
_SPAN = range(BOARD_N)


class Board:
    """A position with the actions that led to it, which can be undone."""

    def __init__(self, initial_state: Mapping[HexPos, CellState] = {}):
        self._mutable = True
        self._state: defaultdict[HexPos, CellState] = defaultdict(CellState, initial_state)
        self._turn_color = PlayerColor.RED
        self._history: list[BoardMutation] = []

    def __getitem__(self, cell: HexPos) -> CellState:
        """The state of a cell. A pair of numbers is not a cell and has the state of an empty one."""
        if not self._within_bounds(cell):
            raise IndexError(f"'{cell}' is not on the board")
        return self._state[cell]

    def apply_action(self, action: Action) -> BoardMutation:
        """Plays an action of the side to move.

        Raises `IllegalActionException` and leaves the board unchanged if the rules do not allow it. An action
        after the end of the game is checked like any other.
        """
        if isinstance(action, SpawnAction):
            mutation = self._resolve_spawn_action(action)
        elif isinstance(action, SpreadAction):
            mutation = self._resolve_spread_action(action)
        else:
            raise self._illegal(f"Unknown action {action}")
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
        """A drawing of 13 lines, in which each diagonal is a row or a column of the board."""
        blank = "··" if use_unicode else ".."
        last = BOARD_N - 1
        lines = []
        for i in range(2 * BOARD_N - 1):
            line = " " * (4 * abs(last - i))
            for j in range(BOARD_N - abs(last - i)):
                state = self._state.get(HexPos(max(last - i, 0) + j, max(i - last, 0) + j), _EMPTY)
                text = f"{blank if state.player is None else _picture(state):^4}"
                if use_color and state.player is not None:
                    text = f"\033[1;{'31' if state.player is PlayerColor.RED else '34'}m{text}\033[0m"
                line += text + "    "
            lines.append(line)
        return "\n".join(lines)

    @property
    def turn_count(self) -> int:
        """The number of actions played."""
        return len(self._history)

    @property
    def turn_color(self) -> PlayerColor:
        """The side to move."""
        return self._turn_color

    @property
    def game_over(self) -> bool:
        if self.turn_count < 2:
            return False
        return (
            self.turn_count >= MAX_TURNS
            or self._color_power(PlayerColor.RED) == 0
            or self._color_power(PlayerColor.BLUE) == 0
        )

    @property
    def winner_color(self) -> PlayerColor | None:
        """The side with a clear lead when the game is over; `None` before that, and in a draw.

        A lead by a single token is a draw even if the other side has none left.
        """
        if not self.game_over:
            return None
        lead = self._color_power(PlayerColor.RED) - self._color_power(PlayerColor.BLUE)
        if abs(lead) < WIN_POWER_DIFF:
            return None
        return PlayerColor.RED if lead > 0 else PlayerColor.BLUE

    @property
    def _total_power(self) -> int:
        return sum([state.power for state in self._state.values()])

    def _color_power(self, color: PlayerColor) -> int:
        return sum([state.power for state in self._state.values() if state.player is color])

    def _player_cells(self, color: PlayerColor) -> list[CellState]:
        return [state for state in self._state.values() if state.player is color]

    def _cell_occupied(self, cell: HexPos) -> bool:
        return self._state[cell].power > 0

    def _within_bounds(self, cell: HexPos) -> bool:
        r, q = cell
        return r in _SPAN and q in _SPAN

    def _illegal(self, message: str) -> IllegalActionException:
        return IllegalActionException(message, self._turn_color)

    def _require(self, value: object, kind: type, what: str) -> None:
        # Subclasses are refused too, because they could behave in any way. Positions are checked again,
        # because unpickling does not call their constructor.
        if type(value) != kind or (kind is HexPos and not self._within_bounds(value)):
            raise self._illegal(f"'{value}' is not a valid {what}.")

    def _resolve_spawn_action(self, action: SpawnAction) -> BoardMutation:
        self._require(action, SpawnAction, "SPAWN action")
        cell = action.cell
        self._require(cell, HexPos, "position")
        if self._total_power >= MAX_TOTAL_POWER:
            raise self._illegal(f"No SPAWN at {cell}: the total power is {MAX_TOTAL_POWER} already.")
        if self._cell_occupied(cell):
            raise self._illegal(f"Cell {cell} is already occupied.")
        return BoardMutation(action, {CellMutation(cell, self._state[cell], CellState(self._turn_color, 1))})

    def _resolve_spread_action(self, action: SpreadAction) -> BoardMutation:
        self._require(action, SpreadAction, "SPREAD action")
        cell, direction = action.cell, action.direction
        self._require(cell, HexPos, "position")
        self._require(direction, HexDir, "direction")
        source = self._state[cell]
        if source.player is not self._turn_color:
            raise self._illegal(f"Cell {cell} is not occupied by {self._turn_color}.")
        changes = {CellMutation(cell, source, _EMPTY)}
        target = cell
        for _ in range(source.power):
            target += direction
            prev = self._state[target]
            changes.add(CellMutation(target, prev, CellState(self._turn_color, prev.power + 1)))
        return BoardMutation(action, changes)
