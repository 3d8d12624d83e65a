"""Log lines for people: `* <namespace> <sign> text`."""

from __future__ import annotations

import sys
from enum import Enum, IntEnum


class LogLevel(IntEnum):
    """How important a message is; levels can be compared."""

    DEBUG = 0
    INFO = 1
    WARNING = 2
    ERROR = 3
    CRITICAL = 4


class LogColor(str, Enum):
    """Terminal codes that start a color or, with `RESET_ALL`, end all."""

    RED = "\033[31m"
    GREEN = "\033[32m"
    YELLOW = "\033[33m"
    BLUE = "\033[34m"
    MAGENTA = "\033[35m"
    CYAN = "\033[36m"
    WHITE = "\033[37m"
    BRIGHT = "\033[1m"
    DIM = "\033[2m"
    RESET_ALL = "\033[0m"

    def __str__(self) -> str:
        return self.value


_SIGNS = "~:#!@"
_COLORS = (LogColor.DIM, LogColor.RESET_ALL, LogColor.YELLOW, LogColor.RED, LogColor.BRIGHT)
_NAMESPACE_WIDTH = 7


class LogStream:
    """Prints messages at or above its level."""

    def __init__(self, namespace: str, level: LogLevel = LogLevel.INFO, use_color: bool = False):
        self._namespace = namespace
        self._level = level
        self._use_color = use_color

    def named(self, namespace: str) -> LogStream:
        """The same stream for another namespace."""
        return LogStream(namespace, self._level, self._use_color)

    def log(self, message: str, level: LogLevel = LogLevel.INFO) -> None:
        if level < self._level:
            return
        for text in str(message).split("\n"):
            line = f"* {self._namespace:{_NAMESPACE_WIDTH}} {_SIGNS[level]} {text}"
            if self._use_color:
                line = f"{_COLORS[level]}{line}{LogColor.RESET_ALL}"
            # A character that the terminal lacks becomes a question mark instead of an exception.
            encoding = sys.stdout.encoding or "ascii"
            print(line.encode(encoding, "replace").decode(encoding), flush=True)

    def debug(self, message: str) -> None:
        self.log(message, LogLevel.DEBUG)

    def info(self, message: str) -> None:
        self.log(message, LogLevel.INFO)

    def warning(self, message: str) -> None:
        self.log(message, LogLevel.WARNING)

    def error(self, message: str) -> None:
        self.log(message, LogLevel.ERROR)

    def critical(self, message: str) -> None:
        self.log(message, LogLevel.CRITICAL)


class NullLogger(LogStream):
    """Prints nothing."""

    def __init__(self, namespace: str = ""):
        super().__init__(namespace)

    def log(self, message: str, level: LogLevel = LogLevel.INFO) -> None:
        pass
