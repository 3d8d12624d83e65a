"""The agent's own process: `python -m referee.agent.subprocess CALL`.

`CALL` holds the agent, its limits and the arguments of its constructor. Then every line of the input is a
method call. Each call, and the constructor, is answered by a line `(usage, b"OK", answer)` or
`(usage, b"EXC", (fault, traceback))`; the traceback is empty if a limit was exceeded. The process exits at
the end of the input.
"""

from __future__ import annotations

import gc
import importlib
import os
import signal
import sys
import traceback

from .io import decode, encode, encode_answer
from .resources import Meter, ResourceLimitException


class _Forbidden:
    """Replaces a stream that is reserved for the referee."""

    def __init__(self, name: str):
        self._name = name

    def __getattr__(self, attribute: str):
        raise RuntimeError(f"agents must not use {self._name}")

    def __iter__(self):
        raise RuntimeError(f"agents must not use {self._name}")


def _take_streams():
    """Reserves standard input and output for the referee; what the agent prints goes to standard error."""
    calls, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    # The descriptors are replaced too, for code that is not written in Python.
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    sys.stdin = sys.__stdin__ = _Forbidden("stdin")
    sys.__stdout__ = _Forbidden("stdout")
    return calls, replies


def main() -> None:
    package, name, time_limit, space_limit, tolerance, args, kwargs = decode(sys.argv[1].encode())
    calls, replies = _take_streams()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # The referee gets it too and ends this process.
    try:
        import numpy  # Its memory is not charged to the agent.
    except ImportError:
        pass
    # Garbage is collected before each call; it need not scan what was imported so far.
    gc.freeze()
    meter = Meter(time_limit, space_limit, tolerance)
    agent = None

    def construct(*args, **kwargs) -> None:
        nonlocal agent
        report = meter.report()
        make = getattr(importlib.import_module(package), name)
        with meter:
            agent = make(*args, **kwargs, **report)

    def call(method: str, args: tuple, kwargs: dict) -> object:
        function = getattr(agent, method)
        report = meter.report()
        with meter:
            return function(*args, **kwargs, **report)

    def reply(function, *args, **kwargs) -> bool:
        try:
            answer, good = (b"OK", encode_answer(function(*args, **kwargs))), True
        except ResourceLimitException as error:
            answer, good = (b"EXC", (str(error), "")), False
        except Exception:
            answer, good = (b"EXC", ("error", traceback.format_exc().rstrip())), False
        replies.write(encode((meter.usage, *answer)) + b"\n")
        replies.flush()
        return good

    if reply(construct, *args, **kwargs):
        for line in calls:
            if not reply(call, *decode(line)):
                break


if __name__ == "__main__":
    main()
