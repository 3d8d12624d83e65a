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


class Meter:
    """Measures CPU time within `with`, and memory above that at construction.

    A limit of 0 is no limit.
    """

    def __init__(self, time_limit: float, space_limit: float, tolerance: float):
        self._time_limit = time_limit
        self._space_limit = space_limit
        self._tolerance = tolerance
        self._base = _memory()[0]
        self._called = False
        self.usage = Usage(0.0, None, None)

    def __enter__(self) -> None:
        gc.collect()
        self._start = time.process_time()

    def __exit__(self, kind, *_) -> None:
        elapsed = time.process_time() - self._start
        size, peak = _memory()
        known = self._base is not None
        self.usage = Usage(
            self.usage.time + elapsed,
            size - self._base if known else None,
            peak - self._base if known else None,
        )
        self._called = True
        if kind is None:
            self._check()

    def _check(self) -> None:
        if self._time_limit and self.usage.time > self._time_limit * self._tolerance:
            raise ResourceLimitException("exceeded available time")
        peak = self.usage.peak
        if self._space_limit and peak is not None and peak > self._space_limit * self._tolerance:
            raise ResourceLimitException(f"exceeded space limit (peak={peak:.1f}MB)")

    def report(self) -> dict[str, float | None]:
        """The keyword arguments of every call of the agent."""
        return {
            "time_remaining": self._time_limit - self.usage.time if self._time_limit else None,
            "space_remaining": self._space_remaining(),
            "space_limit": self._space_limit or None,
        }

    def _space_remaining(self) -> float | None:
        if not self._called:
            return self._space_limit or None
        # The official referee passes None if no more memory is used than at the start, and does not check
        # whether there is a limit, so that the value can be negative. Agents may rely on both.
        space = self.usage.space
        return self._space_limit - space if space is not None and space > 0 else None


def _memory() -> tuple[float, float] | tuple[None, None]:
    """The present and the peak address space in megabytes; known on Linux only."""
    try:
        with open("/proc/self/status") as status:
            fields = dict(line.split(":", 1) for line in status)
        return tuple(int(fields[name].split()[0]) / 1024 for name in ("VmSize", "VmPeak"))
    except (OSError, KeyError, ValueError):
        return None, None
