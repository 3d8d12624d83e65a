"""One game from the command line."""

from referee.game import IllegalActionException, play
from referee.log import comment, config, result
from referee.options import get_options
from referee.player import PlayerWrapper, ResourceLimitException, SharedSpace

_BOARDS = (None, None, "plain", "debug")  # by verbosity


def main(args=None):
    """Returns after an illegal action or an exceeded limit; an agent's exception propagates."""
    options = get_options(args)
    config(level=options.verbosity)
    logfile = open(options.logfile, "w") if options.logfile else None

    def log(line):
        if logfile:
            logfile.write(line + "\n")
            logfile.flush()

    try:
        space = SharedSpace(options.space)
        players = [
            PlayerWrapper("player {}".format(number), location, options.time, space)
            for number, location in ((1, options.red), (2, options.blue))
        ]
        space.start()
        outcome = play(
            players,
            options.n,
            delay=options.delay,
            boards=_BOARDS[options.verbosity],
            use_colour=options.use_colour,
            use_unicode=options.use_unicode,
            log=log,
        )
        comment("game over!", depth=-1)
        result(outcome)
    except IllegalActionException as error:
        comment("game error!", depth=-1)
        result("error: invalid action!")
        result(error)
    except ResourceLimitException as error:
        log("error: {}".format(error))
        comment("game error!", depth=-1)
        result("error: resource limit exceeded!")
        result(error)
    finally:
        if logfile:
            logfile.close()
