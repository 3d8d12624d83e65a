"""The command line."""

from __future__ import annotations

import argparse
import os
import sys
from typing import NamedTuple, Sequence

from .game.constants import GAME_NAME
from .game.edition import VERSION

# For each option, its value if it is not given, and if it is given without a value.
WAIT_DEFAULT, WAIT_NOVALUE = 0.0, 0.5
SPACE_LIMIT_DEFAULT, SPACE_LIMIT_NOVALUE = 0.0, 250.0
TIME_LIMIT_DEFAULT, TIME_LIMIT_NOVALUE = 0.0, 180.0
VERBOSITY_LEVELS = 4
VERBOSITY_DEFAULT, VERBOSITY_NOVALUE = 2, 3
LOGFILE_DEFAULT, LOGFILE_NOVALUE = None, "game.log"


class PlayerLoc(NamedTuple):
    """The location of an agent's class."""

    pkg: str
    cls: str

    def __str__(self) -> str:
        return f"{self.pkg}:{self.cls}"


def player_loc(spec: str) -> PlayerLoc:
    """Parses `module[:Class]`; the module may also be given as a path."""
    path, _, cls = spec.partition(":")
    if path.endswith(".py"):
        path = path[: -len(".py")]
    if "/" in path or os.sep in path:
        path = os.path.normpath(path).replace(os.sep, "/").replace("/", ".")
    if not all(part.isidentifier() for part in path.split(".")):
        raise argparse.ArgumentTypeError(f"expected module[:Class] below this folder, found '{spec}'")
    return PlayerLoc(path, cls or "Agent")


def get_options(args: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="referee",
        description=f"Referee for a game of {GAME_NAME} between two agents.",
    )
    parser.add_argument("-V", "--version", action="version", version=VERSION)
    for color in ("red", "blue"):
        parser.add_argument(
            color,
            metavar=color.upper(),
            type=player_loc,
            help=f"agent that plays {color}: module[:Class], Agent if no class is named",
        )

    def number(short: str, long: str, unit: str, default: float, bare: float, text: str) -> None:
        parser.add_argument(
            short,
            long,
            metavar=unit,
            type=float,
            nargs="?",
            default=default,
            const=bare,
            help=f"{text} (default {default:g}, without a number {bare:g})",
        )

    number("-w", "--wait", "SECONDS", WAIT_DEFAULT, WAIT_NOVALUE, "delay between turns, negative for Enter")
    number("-s", "--space", "MB", SPACE_LIMIT_DEFAULT, SPACE_LIMIT_NOVALUE, "memory limit of each player, 0 for none")
    time = (TIME_LIMIT_DEFAULT, TIME_LIMIT_NOVALUE)
    number("-t", "--time", "SECONDS", *time, "CPU time of each player a game, 0 for none")

    verbosity = parser.add_mutually_exclusive_group()
    verbosity.add_argument("-d", "--debug", action="store_true", help="the same as -v 3")
    verbosity.add_argument(
        "-v",
        "--verbosity",
        type=int,
        choices=range(VERBOSITY_LEVELS),
        nargs="?",
        default=VERBOSITY_DEFAULT,
        const=VERBOSITY_NOVALUE,
        help="0 the result only, 1 commentary, 2 and boards, 3 and debugging "
        f"(default {VERBOSITY_DEFAULT}, without a number {VERBOSITY_NOVALUE})",
    )
    parser.add_argument(
        "-l",
        "--logfile",
        metavar="FILE",
        nargs="?",
        default=LOGFILE_DEFAULT,
        const=LOGFILE_NOVALUE,
        help=f"log all events to a file, 'stdout' for the terminal (without a name {LOGFILE_NOVALUE})",
    )
    color = parser.add_mutually_exclusive_group()
    color.add_argument(
        "-c", "--colour", "--color", dest="use_color", action="store_true", default=None, help="use colors"
    )
    color.add_argument(
        "-C", "--colourless", "--colorless", dest="use_color", action="store_false", help="use no colors"
    )
    signs = parser.add_mutually_exclusive_group()
    signs.add_argument("-u", "--unicode", dest="use_unicode", action="store_true", help="draw in Unicode")
    signs.add_argument("-a", "--ascii", dest="use_unicode", action="store_false", help="draw in ASCII")
    parser.set_defaults(use_unicode=False)

    options = parser.parse_args(args)
    if options.debug:
        options.verbosity = 3
    if options.use_color is None:
        options.use_color = sys.stdout.isatty()
    return options
