"""The referee's end of the pipes to an agent's process."""

from __future__ import annotations

import asyncio
import sys

from .io import decode, encode

_EXIT_TIMEOUT = 2.0  # seconds for a process to exit by itself after the game
_LONGEST_REPLY = 1 << 26  # bytes


class RemoteProcessClient:
    """A process that runs a module of this package, `subprocess`, and answers calls line by line."""

    def __init__(self, birth: object, timeout: float):
        self._birth = encode(birth)
        self._timeout = timeout

    async def start(self) -> None:
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            f"{__package__}.subprocess",
            self._birth.decode(),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=_LONGEST_REPLY,
        )

    async def send(self, call: object) -> None:
        try:
            self._process.stdin.write(encode(call) + b"\n")
            await self._process.stdin.drain()
        except ConnectionError:
            pass  # The process is gone, which shows by its missing reply.

    async def receive(self) -> tuple | None:
        """The next reply; `None` if the process has exited. Raises `TimeoutError` after killing a silent process."""
        try:
            line = await asyncio.wait_for(self._process.stdout.readline(), self._timeout)
        except asyncio.TimeoutError:
            await self.kill()
            raise TimeoutError from None
        return decode(line) if line else None

    async def close(self) -> None:
        """Waits for the process, which exits at the end of its input, but not for long."""
        self._process.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), _EXIT_TIMEOUT)
        except asyncio.TimeoutError:
            await self.kill()

    async def kill(self) -> None:
        try:
            self._process.kill()
            # A child of the agent may keep the pipes open; it is not waited for.
            await asyncio.wait_for(self._process.wait(), _EXIT_TIMEOUT)
        except (ProcessLookupError, asyncio.TimeoutError):
            pass
