"""The game loop, as a stream of updates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import AsyncGenerator, Union

from .actions import Action
from .board import Board
from .edition import GREETING_COMES_FIRST, LISTENER
from .exceptions import IllegalActionException, PlayerException
from .player import Player


@dataclass(frozen=True)
class PlayerInitialising:
    player: Player


@dataclass(frozen=True)
class GameBegin:
    board: Board


@dataclass(frozen=True)
class TurnBegin:
    turn_id: int
    player: Player


@dataclass(frozen=True)
class TurnEnd:
    turn_id: int
    player: Player
    action: Action


@dataclass(frozen=True)
class BoardUpdate:
    board: Board


@dataclass(frozen=True)
class PlayerError:
    message: str


@dataclass(frozen=True)
class GameEnd:
    winner: Player | None


@dataclass(frozen=True)
class UnhandledError:
    message: str


GameUpdate = Union[
    PlayerInitialising, GameBegin, TurnBegin, TurnEnd, BoardUpdate, PlayerError, GameEnd, UnhandledError
]


async def game(p1: Player, p2: Player) -> AsyncGenerator[GameUpdate, None]:
    """Plays a game of red `p1` against blue `p2`.

    A player's fault ends it with the opponent as winner. Any other exception is an error of the referee and
    ends it with an `UnhandledError` and no `GameEnd`.
    """
    players = {player.color: player for player in (p1, p2)}
    board = Board()
    try:
        try:
            if GREETING_COMES_FIRST:
                yield GameBegin(board)
            yield PlayerInitialising(p1)
            async with p1:
                yield PlayerInitialising(p2)
                async with p2:
                    if not GREETING_COMES_FIRST:
                        yield GameBegin(board)
                    while True:
                        turn_id = board.turn_count + 1
                        mover = players[board.turn_color]
                        yield TurnBegin(turn_id, mover)
                        action = await mover.action()
                        _apply(board, action)
                        yield TurnEnd(turn_id, mover, action)
                        yield BoardUpdate(board)
                        if board.game_over:
                            break
                        for player in (p1, p2):
                            await getattr(player, LISTENER)(mover.color, action)
            winner = players.get(board.winner_color)
        except IllegalActionException as error:
            yield PlayerError(f"ILLEGAL ACTION: {error}")
            winner = players[error.color.opponent]
        except PlayerException as error:
            yield PlayerError(f"ERROR: {error}")
            winner = players[error.color.opponent]
        yield GameEnd(winner)
    except Exception as error:
        yield UnhandledError(f"{type(error).__name__}: {error}")


def _apply(board: Board, action: Action) -> None:
    try:
        board.apply_action(action)
    except PlayerException:
        raise
    except Exception as error:
        # What makes the board fail, such as an object that cannot be printed, is illegal too.
        raise IllegalActionException(f"{type(error).__name__}: {error}", board.turn_color) from error
