"""Log lines for people. The referee's begin with a star, unlike what agents print."""

import builtins


class StarLog:
    """Prints comments if its level is at least 1, debugging comments if it is at least 3, and results always."""

    def __init__(self, level=1, out=None):
        self._level = level
        self._out = out or builtins.print

    def config(self, level=None, out=None):
        """Changes the settings that are given."""
        if level is not None:
            self._level = level
        if out is not None:
            self._out = out

    def print(self, *values, **kwargs):
        """Prints values as they are."""
        self._out(*values, **dict({"flush": True}, **kwargs))

    def result(self, message, **kwargs):
        """Prints a line at every level."""
        self.print("* {}".format(message), **kwargs)

    def comment(self, message="", depth=0, **kwargs):
        """Prints each line with a star, indented by its depth; depth -1 is a section heading."""
        self.log(message, depth, level=1, **kwargs)

    def debug(self, message="", depth=0, **kwargs):
        """Prints like `comment`, but only at the highest level."""
        self.log(message, depth, level=3, **kwargs)

    def log(self, message="", depth=0, level=0, **kwargs):
        """Prints like `comment`, if the log's own level is at least this."""
        if self._level < level:
            return
        star = "** " if depth < 0 else "* " + "  " * depth
        for line in str(message).split("\n"):
            self.print(star + line, **kwargs)


_LOG = StarLog()

comment = _LOG.comment
config = _LOG.config
debug = _LOG.debug
log = _LOG.log
print = _LOG.print
result = _LOG.result
