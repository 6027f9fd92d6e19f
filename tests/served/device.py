"""A device at a served floor: how one of the client library is set, and one that speaks frame by frame."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect

from sabot.client.connection import Identity, Settings
from tests.runtime.floors import PATIENCE_S

FLOOR = "a floor for tests"
"""The name that every device's proof is bound to."""
EVENTS, VIEWS = Settings(feed="events", open_within_s=PATIENCE_S), Settings(feed="views", open_within_s=PATIENCE_S)


class Wire:
    """One device's end of a socket, with every frame that it heard and said."""

    def __init__(self, socket: ClientConnection, device: str) -> None:
        self.socket, self.device = socket, device
        self.heard: list[dict[str, Any]] = []
        self.said: list[dict[str, Any]] = []
        self.epoch = self.n = 0

    async def send(self, **frame: Any) -> None:
        self.said.append(frame)
        await self.socket.send(msgspec.json.encode(frame).decode())

    async def next(self) -> dict[str, Any]:
        frame: dict[str, Any] = msgspec.json.decode(await self.socket.recv())
        self.heard.append(frame)
        return frame

    async def frame(self, *kinds: str) -> dict[str, Any]:
        """The next frame of these kinds; others in between are only kept."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                while (frame := await self.next())["type"] not in kinds:
                    pass
        except TimeoutError:
            raise AssertionError(f"{self.device} was never told {' or '.join(kinds)}") from None
        return frame

    async def hello(self, **fields: Any) -> dict[str, Any]:
        await self.send(type="hello", **fields)
        welcome = await self.frame("welcome")
        self.epoch, self.n = welcome["epoch"], welcome.get("last", 0)
        return welcome

    async def ask(self, coup: int | None = None, *, token: str = "", second: str = "", **command: Any) -> int:
        """Ask, without waiting for the answer; the number that it will carry."""
        self.n += 1
        tokens = {name: value for name, value in (("token", token), ("second", second)) if value}
        await self.send(type="ask", epoch=self.epoch, n=self.n, coup=coup, command=command, **tokens)
        return self.n

    async def answer(self, coup: int | None = None, **command: Any) -> dict[str, Any]:
        n = await self.ask(coup, **command)
        while True:
            frame = await self.frame("answer", "trouble", "resynchronise", "bye")
            if frame.get("n", n) == n:
                return frame


@asynccontextmanager
async def proved(url: str, identity: Identity, table: str = "") -> AsyncIterator[Wire]:
    """A device that has proved its key, for one of its tables where it has several.

    It takes in whatever comes, since one that leaves with frames unread would first be waited for.
    """
    async with connect(url, compression=None, max_size=None, max_queue=None) as socket:
        wire = Wire(socket, identity.device)
        challenge = await wire.frame("challenge")
        proof = identity.key.prove(challenge["floor"], challenge["nonce"])
        named = {"table": table} if table else {}
        await wire.send(type="prove", device=identity.device, signature=proof, **named)
        await wire.frame("ready")
        yield wire
