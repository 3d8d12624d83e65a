"""CPU time and memory of an agent, measured inside its own process."""

from __future__ import annotations

import gc
import time
from dataclasses import dataclass


class ResourceLimitException(Exception):
    """An agent has exceeded a limit."""


@dataclass(frozen=True)
class Usage:
    """Seconds and megabytes, as sent to the referee; memory is `None` if unknown."""

    time: float
    space: float | None
    peak: float | None

    def __str__(self) -> str:
        space = "" if self.space is None else f", space: {self.space:.1f}MB (peak {self.peak:.1f}MB)"
        return f"time: {self.time:.3f}s{space}"


class CountdownTimer:
    """Measures CPU time within `with`, off which garbage is collected. A limit of 0 is no limit."""

    def __init__(self, time_limit: float = 0.0, tolerance: float = 1.0):
        self._limit = time_limit
        self._tolerance = tolerance
        self.used = 0.0

    def __enter__(self) -> CountdownTimer:
        gc.collect()
        self._start = time.process_time()
        return self

    def __exit__(self, *_) -> None:
        self.used += time.process_time() - self._start

    def remaining(self) -> float | None:
        return self._limit - self.used if self._limit else None

    def check(self) -> None:
        if self._limit and self.used > self._limit * self._tolerance:
            raise ResourceLimitException("exceeded available time")


class MemoryWatcher:
    """Measures memory in megabytes above that at construction, if it is known. A limit of 0 is no limit."""

    def __init__(self, space_limit: float = 0.0, tolerance: float = 1.0):
        self.limit = space_limit
        self._tolerance = tolerance
        self._base = _memory()[0]
        self.space: float | None = None
        self.peak: float | None = None

    def update(self) -> None:
        size, peak = _memory()
        if self._base is not None:
            self.space, self.peak = size - self._base, peak - self._base

    def remaining(self) -> float | None:
        # The official referee passes None if no more memory is used than at the start, and does not check
        # whether there is a limit, so that the value can be negative. Agents may rely on both.
        return self.limit - self.space if self.space is not None and self.space > 0 else None

    def check(self) -> None:
        if self.limit and self.peak is not None and self.peak > self.limit * self._tolerance:
            raise ResourceLimitException(f"exceeded space limit (peak={self.peak:.1f}MB)")


class Meter:
    """The time and memory of all calls of an agent, each within `with`."""

    def __init__(self, time_limit: float, space_limit: float, tolerance: float):
        self._timer = CountdownTimer(time_limit, tolerance)
        self._watcher = MemoryWatcher(space_limit, tolerance)
        self._called = False

    @property
    def usage(self) -> Usage:
        return Usage(self._timer.used, self._watcher.space, self._watcher.peak)

    def __enter__(self) -> None:
        self._timer.__enter__()

    def __exit__(self, kind, *_) -> None:
        self._timer.__exit__()
        self._watcher.update()
        self._called = True
        if kind is None:
            self._timer.check()
            self._watcher.check()

    def report(self) -> dict[str, float | None]:
        """The keyword arguments of every call of the agent."""
        limit = self._watcher.limit or None
        return {
            "time_remaining": self._timer.remaining(),
            "space_remaining": self._watcher.remaining() if self._called else limit,
            "space_limit": limit,
        }


def _memory() -> tuple[float, float] | tuple[None, None]:
    """The present and the peak address space in megabytes; known on Linux only."""
    try:
        with open("/proc/self/status") as status:
            fields = dict(line.split(":", 1) for line in status)
        return tuple(int(fields[name].split()[0]) / 1024 for name in ("VmSize", "VmPeak"))
    except (OSError, KeyError, ValueError):
        return None, None
