"""The command line."""

import argparse
import sys

VERSION = "2022.0.1"
MIN_N, MAX_N = 3, 15
LOGFILE_BARE = "game.log"


def board_size(text):
    try:
        n = int(text)
    except ValueError:
        n = None
    if n is None or not MIN_N <= n <= MAX_N:
        raise argparse.ArgumentTypeError(
            "expected a size from {} to {}, found '{}'".format(MIN_N, MAX_N, text)
        )
    return n


def location(spec):
    """Parses `module[:Class]`; the module may also be given as a path."""
    path, _, cls = spec.partition(":")
    if path.endswith(".py"):
        path = path[: -len(".py")]
    module = ".".join(part for part in path.split("/") if part not in ("", "."))
    if not all(part.isidentifier() for part in module.split(".")):
        raise argparse.ArgumentTypeError(
            "expected module[:Class] below this folder, found '{}'".format(spec)
        )
    return module, cls or "Player"


def get_options(args=None):
    parser = argparse.ArgumentParser(
        prog="referee", description="Referee for a game of Cachex between two agents."
    )
    parser.add_argument("-V", "--version", action="version", version=VERSION)
    parser.add_argument("n", metavar="N", type=board_size, help="size of the board, 3 to 15")
    for colour in ("red", "blue"):
        parser.add_argument(
            colour,
            metavar=colour.upper(),
            type=location,
            help="agent that plays {}: module[:Class], Player if no class is named".format(colour),
        )

    def number(short, long, unit, bare, text):
        parser.add_argument(
            short,
            long,
            metavar=unit,
            type=float,
            nargs="?",
            default=0,
            const=bare,
            help="{} (default 0, without a number {:g})".format(text, bare),
        )

    number("-t", "--time", "SECONDS", 60, "CPU time of each player a game, 0 for none")
    number("-s", "--space", "MB", 100, "memory limit of each player, shared by both, 0 for none")
    number("-d", "--delay", "SECONDS", 0.5, "delay between turns, negative for Enter")

    verbosity = parser.add_mutually_exclusive_group()
    verbosity.add_argument(
        "-v",
        "--verbosity",
        type=int,
        choices=range(4),
        nargs="?",
        default=2,
        const=3,
        help="0 the result only, 1 commentary, 2 and boards, 3 and debugging boards "
        "(default 2, without a number 3)",
    )
    verbosity.add_argument("-D", "--debug", action="store_true", help="the same as -v 3")
    parser.add_argument(
        "-l",
        "--logfile",
        metavar="FILE",
        nargs="?",
        const=LOGFILE_BARE,
        help="log all actions to a file (without a name {})".format(LOGFILE_BARE),
    )
    colour = parser.add_mutually_exclusive_group()
    colour.add_argument(
        "-c", "--colour", "--color", dest="use_colour", action="store_true", default=None, help="use colors"
    )
    colour.add_argument(
        "-C", "--colourless", "--colorless", dest="use_colour", action="store_false", help="use no colors"
    )
    signs = parser.add_mutually_exclusive_group()
    signs.add_argument("-u", "--unicode", dest="use_unicode", action="store_true", help="draw in Unicode")
    signs.add_argument("-a", "--ascii", dest="use_unicode", action="store_false", help="draw in ASCII")
    parser.set_defaults(use_unicode=False)

    options = parser.parse_args(args)
    if options.debug:
        options.verbosity = 3
    if options.use_colour is None:
        options.use_colour = sys.stdout.isatty()
    return options
