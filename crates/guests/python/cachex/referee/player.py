"""Agents in the referee's own process, with a clock for each and shared memory accounting."""

import gc
import importlib
import time

from referee.log import comment


class ResourceLimitException(Exception):
    """A player has exceeded a limit."""


class PlayerWrapper:
    """Calls an agent and checks its time and the shared memory.

    `location` is a module and the name of a class in it; `space` is shared by both players. A limit of 0
    is no limit. Exceptions of the agent propagate.
    """

    def __init__(self, name, location, time_limit=0, space=None):
        self.name = name
        self._time_limit = time_limit
        self._time_used = 0.0
        self._space = space or SharedSpace()
        module, cls = location
        self._make = getattr(importlib.import_module(module), cls)

    def init(self, colour, n):
        self.name = "{} ({})".format(self.name, colour)
        comment("initialising {}...".format(self.name))
        self._player, elapsed = self._clocked(self._make, colour, n)
        self._settle(elapsed)

    def action(self):
        comment("asking {} for next action...".format(self.name))
        action, elapsed = self._clocked(self._player.action)
        comment("{} returned action: {!r}".format(self.name, action), depth=1)
        self._settle(elapsed)
        return action

    def turn(self, colour, action):
        comment("telling {} of {}'s action {!r}...".format(self.name, colour, action))
        _, elapsed = self._clocked(self._player.turn, colour, action)
        self._settle(elapsed)

    def _clocked(self, function, *args):
        gc.collect()
        start = time.process_time()
        answer = function(*args)
        return answer, time.process_time() - start

    def _settle(self, elapsed):
        self._time_used += elapsed
        comment(
            "time:  +{:6.3f}s  (just elapsed)  {:7.3f}s  (game total)".format(elapsed, self._time_used),
            depth=1,
        )
        self._space.report()
        if self._time_limit and self._time_used > self._time_limit:
            raise ResourceLimitException("{} exceeded available time".format(self.name))
        self._space.check()


class SharedSpace:
    """The memory of both players together, above that at the start; known on Linux only."""

    def __init__(self, limit_per_player=0):
        self._limit = 2 * limit_per_player
        self.start()

    def start(self):
        """Measures from the present use on."""
        self._base = _memory()[0]

    def report(self):
        size, peak = self._used()
        if size is not None:
            comment(
                "space: {:7.3f}MB (current usage) {:7.3f}MB (max usage) (shared)".format(size, peak),
                depth=1,
            )

    def check(self):
        peak = self._used()[1]
        if self._limit and peak is not None and peak > self._limit:
            raise ResourceLimitException("players exceeded shared space limit")

    def _used(self):
        size, peak = _memory()
        if size is None or self._base is None:
            return None, None
        return size - self._base, peak - self._base


def _memory():
    """The present and the peak address space in megabytes."""
    try:
        with open("/proc/self/status") as status:
            fields = dict(line.split(":", 1) for line in status)
        return tuple(int(fields[name].split()[0]) / 1024 for name in ("VmSize", "VmPeak"))
    except (OSError, KeyError, ValueError):
        return None, None
