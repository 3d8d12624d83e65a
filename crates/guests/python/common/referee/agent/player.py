"""A player in `game()` that is an agent in its own process."""

from __future__ import annotations

from typing import Any

from ..game.actions import Action
from ..game.edition import LISTENER, REPLY_TIMEOUT
from ..game.exceptions import PlayerException
from ..game.player import Player, PlayerColor
from ..log import LogStream
from ..options import PlayerLoc
from .client import RemoteProcessClient
from .io import decode_answer


class AgentProxyPlayer(Player):
    """A player that calls an agent in its own process; every fault of the agent is a `PlayerException`."""

    def __init__(
        self,
        name: str,
        color: PlayerColor,
        location: PlayerLoc,
        time_limit: float = 0.0,
        space_limit: float = 0.0,
        log: LogStream | None = None,
        tolerance: float = 1.0,
    ):
        super().__init__(color)
        self.name = f"{name} [{location}]"
        self._log = log or LogStream(name)
        birth = (location.pkg, location.cls, time_limit, space_limit, tolerance, (), {"color": color})
        self._client = RemoteProcessClient(birth, REPLY_TIMEOUT)

    async def __aenter__(self) -> AgentProxyPlayer:
        self._log.debug("creating the agent")
        await self._client.start()
        try:
            await self._reply()
        except BaseException:
            # `async with` does not call `__aexit__` if `__aenter__` fails.
            await self.__aexit__()
            raise
        return self

    async def __aexit__(self, *_) -> None:
        await self._client.close()

    async def action(self) -> Any:
        return await self._call("action")

    async def turn(self, color: PlayerColor, action: Action) -> None:
        await self._call(LISTENER, color, action)

    update = turn  # Each edition uses one of the two names.

    async def _call(self, method: str, *args) -> Any:
        self._log.debug(f"call {method}({', '.join(map(str, args))})")
        await self._client.send((method, args, {}))
        return await self._reply()

    async def _reply(self) -> Any:
        try:
            usage, status, content = await self._client.receive() or (None, None, None)
        except TimeoutError:
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

    def _fault(self, message: str) -> PlayerException:
        return PlayerException(message, self.color)
