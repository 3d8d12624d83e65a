"""The command line."""

import argparse
import sys

VERSION = "2022.0.1"
MIN_N, MAX_N = 3, 15

# For each option, its value if it is not given, and if it is given without a value.
DELAY_DEFAULT, DELAY_NOVALUE = 0, 0.5
SPACE_LIMIT_DEFAULT, SPACE_LIMIT_NOVALUE = 0, 100
TIME_LIMIT_DEFAULT, TIME_LIMIT_NOVALUE = 0, 60
VERBOSITY_LEVELS = 4
VERBOSITY_DEFAULT, VERBOSITY_NOVALUE = 2, 3
LOGFILE_DEFAULT, LOGFILE_NOVALUE = None, "game.log"


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

    def number(short, long, unit, default, bare, text):
        parser.add_argument(
            short,
            long,
            metavar=unit,
            type=float,
            nargs="?",
            default=default,
            const=bare,
            help="{} (default {:g}, without a number {:g})".format(text, default, bare),
        )

    time = (TIME_LIMIT_DEFAULT, TIME_LIMIT_NOVALUE)
    number("-t", "--time", "SECONDS", *time, "CPU time of each player a game, 0 for none")
    space = (SPACE_LIMIT_DEFAULT, SPACE_LIMIT_NOVALUE)
    number("-s", "--space", "MB", *space, "memory limit of each player, shared by both, 0 for none")
    delay = (DELAY_DEFAULT, DELAY_NOVALUE)
    number("-d", "--delay", "SECONDS", *delay, "delay between turns, negative for Enter")

    verbosity = parser.add_mutually_exclusive_group()
    verbosity.add_argument(
        "-v",
        "--verbosity",
        type=int,
        choices=range(VERBOSITY_LEVELS),
        nargs="?",
        default=VERBOSITY_DEFAULT,
        const=VERBOSITY_NOVALUE,
        help="0 the result only, 1 commentary, 2 and boards, 3 and debugging boards "
        "(default {}, without a number {})".format(VERBOSITY_DEFAULT, VERBOSITY_NOVALUE),
    )
    verbosity.add_argument("-D", "--debug", action="store_true", help="the same as -v 3")
    parser.add_argument(
        "-l",
        "--logfile",
        metavar="FILE",
        nargs="?",
        default=LOGFILE_DEFAULT,
        const=LOGFILE_NOVALUE,
        help="log all actions to a file (without a name {})".format(LOGFILE_NOVALUE),
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
