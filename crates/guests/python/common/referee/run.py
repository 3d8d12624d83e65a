"""One game from the command line: two agents and the observers of their game."""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from contextlib import ExitStack
from typing import Callable, Sequence, TextIO

from .agent import AgentProxyPlayer
from .game import (
    BoardUpdate,
    GameBegin,
    GameEnd,
    GameUpdate,
    PlayerColor,
    PlayerError,
    PlayerInitialising,
    TurnBegin,
    TurnEnd,
    UnhandledError,
    game,
)
from .game.edition import BOARD_INDENT, COMMENTATOR
from .log import LogStream, LogLevel
from .options import get_options

Observer = Callable[[GameUpdate], None]

_LEVELS = (LogLevel.CRITICAL, LogLevel.INFO, LogLevel.INFO, LogLevel.DEBUG)  # by verbosity
_FRAME_WIDTH = 66


def game_commentator(log: LogStream) -> Observer:
    """Prints the game as commentary."""

    def observe(update: GameUpdate) -> None:
        match update:
            case GameBegin():
                log.info("let the game begin!")
            case PlayerInitialising(player):
                log.info(f"player {player} is initialising")
            case TurnBegin(turn_id, player):
                log.info(f"{player} to play (turn {turn_id}) ...")
            case TurnEnd(_, player, action):
                log.info(f"{player} plays action {action}")
            case PlayerError(message):
                log.error(f"player error: {message}")
            case GameEnd(None):
                log.info("game ended in a draw")
            case GameEnd(winner):
                log.info(f"game over, winner is {winner}")
            case UnhandledError(message):
                log.error(f"fatal error: {message}")

    return observe


def output_board_updates(log: LogStream, use_color: bool, use_unicode: bool) -> Observer:
    """Draws the board after every action."""

    def observe(update: GameUpdate) -> None:
        if isinstance(update, BoardUpdate):
            log.info(f"{' game board ':=^{_FRAME_WIDTH}}")
            for line in update.board.render(use_color, use_unicode).split("\n"):
                log.info(" " * BOARD_INDENT + line)
            log.info("=" * _FRAME_WIDTH)

    return observe


def game_event_logger(file: TextIO) -> Observer:
    """Writes events as tab-separated lines, for programs."""
    start = time.monotonic()

    def observe(update: GameUpdate) -> None:
        match update:
            case PlayerInitialising(player):
                event = (player, "initialising")
            case GameBegin():
                event = ("referee", "game_begin")
            case TurnBegin(turn_id, player):
                event = (player, "turn_begin", turn_id)
            case TurnEnd(turn_id, player, action):
                event = (player, "turn_end", turn_id, action)
            case BoardUpdate():
                event = ("referee", "board_update")
            case PlayerError(message):
                event = ("referee", "player_error", " ".join(message.split()))
            case GameEnd(winner):
                event = ("referee", "game_end", f"winner:{winner}")
            case UnhandledError(message):
                event = ("referee", "unhandled_error", " ".join(message.split()))
        print(f"T{time.monotonic() - start:08.3f}", *event, sep="\t", file=file, flush=True)

    return observe


def game_delay(log: LogStream, seconds: float) -> Observer:
    """Pauses after every action."""

    def observe(update: GameUpdate) -> None:
        if not isinstance(update, BoardUpdate):
            return
        if seconds >= 0:
            time.sleep(seconds)
            return
        log.info("press Enter to go on")
        try:
            input()
        except EOFError:
            pass

    return observe


async def run_game(p1: AgentProxyPlayer, p2: AgentProxyPlayer, observers: Sequence[Observer]) -> str | None:
    """Plays a game; returns the winner's name, `draw`, or `None` if the referee has failed."""
    result = None
    async for update in game(p1, p2):
        for observe in observers:
            observe(update)
        if isinstance(update, GameEnd):
            result = update.winner.name if update.winner else "draw"
    return result


def run(options: argparse.Namespace) -> str | None:
    """Plays the game that the command line asks for."""
    log = LogStream("referee", _LEVELS[options.verbosity], options.use_color)
    players = [
        AgentProxyPlayer(
            f"player {number}",
            color,
            location,
            options.time,
            options.space,
            log.named(f"player{number}"),
        )
        for number, color, location in (
            (1, PlayerColor.RED, options.red),
            (2, PlayerColor.BLUE, options.blue),
        )
    ]
    observers = [game_commentator(log.named(COMMENTATOR))]
    if options.verbosity >= 2:
        observers.append(output_board_updates(log.named(COMMENTATOR), options.use_color, options.use_unicode))
    with ExitStack() as stack:
        if options.logfile == "stdout":
            observers.append(game_event_logger(sys.stdout))
        elif options.logfile:
            observers.append(game_event_logger(stack.enter_context(open(options.logfile, "w", encoding="utf-8"))))
        if options.wait:
            observers.append(game_delay(log, options.wait))
        return asyncio.run(run_game(*players, observers))


def main(args: Sequence[str] | None = None) -> None:
    """Exits with 0 after every finished game, whatever its result."""
    options = get_options(args)
    try:
        result = run(options)
    except KeyboardInterrupt:
        result = "<interrupt>"
    except OSError as error:
        LogStream("referee").error(str(error))
        result = None
    LogStream("referee", use_color=options.use_color).critical(f"result: {result or '<error>'}")
    sys.exit(1 if result in (None, "<interrupt>") else 0)
