"""The referee's end of an agent's process."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

from ..game.actions import Action
from ..game.edition import LISTENER, REPLY_TIMEOUT
from ..game.exceptions import PlayerException
from ..game.player import Player, PlayerColor
from ..log import Log
from ..options import PlayerLoc
from .wire import decode, decode_answer, encode

_EXIT_TIMEOUT = 2.0  # seconds for a process to exit by itself after the game
_LONGEST_REPLY = 1 << 26  # bytes


class AgentProxyPlayer(Player):
    """A player that calls an agent in its own process; every fault of the agent is a `PlayerException`."""

    def __init__(
        self,
        name: str,
        color: PlayerColor,
        location: PlayerLoc,
        time_limit: float = 0.0,
        space_limit: float = 0.0,
        log: Log | None = None,
        tolerance: float = 1.0,
    ):
        super().__init__(color)
        self.name = f"{name} [{location}]"
        self._log = log or Log(name)
        self._birth = encode(
            (location.pkg, location.cls, time_limit, space_limit, tolerance, (), {"color": color})
        )

    async def __aenter__(self) -> AgentProxyPlayer:
        self._log.debug("creating the agent")
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            f"{__package__}.subprocess",
            self._birth.decode(),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=_LONGEST_REPLY,
        )
        try:
            await self._reply()
        except BaseException:
            # `async with` does not call `__aexit__` if `__aenter__` fails.
            await self.__aexit__()
            raise
        return self

    async def __aexit__(self, *_) -> None:
        self._process.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), _EXIT_TIMEOUT)
        except asyncio.TimeoutError:
            await self._kill()

    async def action(self) -> Any:
        return await self._call("action")

    async def turn(self, color: PlayerColor, action: Action) -> None:
        await self._call(LISTENER, color, action)

    update = turn  # Each edition uses one of the two names.

    async def _call(self, method: str, *args) -> Any:
        self._log.debug(f"call {method}({', '.join(map(str, args))})")
        try:
            self._process.stdin.write(encode((method, args, {})) + b"\n")
            await self._process.stdin.drain()
        except ConnectionError:
            pass  # The process is gone; the missing reply is handled below.
        return await self._reply()

    async def _reply(self) -> Any:
        try:
            line = await asyncio.wait_for(self._process.stdout.readline(), REPLY_TIMEOUT)
            usage, status, content = decode(line) if line else (None, None, None)
        except asyncio.TimeoutError:
            await self._kill()
            raise self._fault(f"no reply from {self.name} within {REPLY_TIMEOUT:.0f} seconds") from None
        except Exception:
            raise self._fault(f"unreadable reply from {self.name}") from None
        if status is None:
            raise self._fault(f"EOF reply from {self.name} (did the process exit?)")
        if status == b"EXC":
            fault, trace = content
            message = f"{fault} in {self.name} agent"
            if trace:
                self._log.error(trace)
                message += f"\n-> {trace.splitlines()[-1]}"
            raise self._fault(message)
        answer = decode_answer(content)
        self._log.debug(f"reply {answer!r}, {usage}")
        return answer

    async def _kill(self) -> None:
        try:
            self._process.kill()
            # A child of the agent may keep the pipes open; it is not waited for.
            await asyncio.wait_for(self._process.wait(), _EXIT_TIMEOUT)
        except (ProcessLookupError, asyncio.TimeoutError):
            pass

    def _fault(self, message: str) -> PlayerException:
        return PlayerException(message, self.color)
