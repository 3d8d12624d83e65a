"""Log lines for people: `* <name> <sign> text`."""

from __future__ import annotations

import sys
from enum import IntEnum


class LogLevel(IntEnum):
    DEBUG = 0
    INFO = 1
    WARNING = 2
    ERROR = 3
    CRITICAL = 4


_SIGNS = "~:#!@"
_COLORS = ("2", "0", "33", "31", "1")
_NAME_WIDTH = 7


class Log:
    """Prints messages at or above its level."""

    def __init__(self, name: str, level: LogLevel = LogLevel.INFO, use_color: bool = False):
        self._name = name
        self._level = level
        self._use_color = use_color

    def named(self, name: str) -> Log:
        """The same log under another name."""
        return Log(name, self._level, self._use_color)

    def write(self, level: LogLevel, message: str) -> None:
        if level < self._level:
            return
        for text in str(message).split("\n"):
            line = f"* {self._name:{_NAME_WIDTH}} {_SIGNS[level]} {text}"
            if self._use_color:
                line = f"\033[{_COLORS[level]}m{line}\033[0m"
            # A character that the terminal lacks becomes a question mark instead of an exception.
            encoding = sys.stdout.encoding or "ascii"
            print(line.encode(encoding, "replace").decode(encoding), flush=True)

    def debug(self, message: str) -> None:
        self.write(LogLevel.DEBUG, message)

    def info(self, message: str) -> None:
        self.write(LogLevel.INFO, message)

    def warning(self, message: str) -> None:
        self.write(LogLevel.WARNING, message)

    def error(self, message: str) -> None:
        self.write(LogLevel.ERROR, message)

    def critical(self, message: str) -> None:
        self.write(LogLevel.CRITICAL, message)
