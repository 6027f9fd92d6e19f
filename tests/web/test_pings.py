"""Whether a device is still there is asked of those alone that have been silent."""

import asyncio
import time

from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from sabot.web.door.budgets import Budgets
from sabot.web.door.hosts import Hosts
from sabot.web.door.visitors import Visitors
from sabot.web.serving.listening import Listening
from sabot.web.serving.server import Server, bound, server_config
from sabot.web.socket.fast_websocket import SocketKeeper, directly
from tests.runtime.floors import PATIENCE_S
from tests.served import attacks

EVERY_S, WITHIN_S = 0.25, 0.5
A_TICK_S = 0.01
"""What the clock of an event loop leaves out."""


async def echo(websocket: WebSocket) -> None:
    await websocket.accept()
    direct, over = directly(websocket), asyncio.Event()
    direct.take_over(SocketKeeper(direct.write, over.clear, over.set))
    await over.wait()


class Peer:
    """A device that never answers a ping."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self.silent_s = list[float]()
        """At each ping that came, how long ago it had last said something."""
        self._said_s = time.monotonic()

    def say(self) -> None:
        self._said_s = time.monotonic()
        self._writer.write(attacks.frame(attacks.TEXT, b"here"))

    async def hear(self) -> int:
        """The kind of the next frame."""
        kind, length = await self._reader.readexactly(2)
        await self._reader.readexactly(length)
        if kind == attacks.PING:
            self.silent_s.append(time.monotonic() - self._said_s)
        return kind


def test_who_speaks_is_not_pinged_and_who_is_silent_is_cut_off_without_a_pong() -> None:
    async def test(port: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        head = attacks.Target(port).head("/ws") + attacks.UPGRADE.format(key="AAAAAAAAAAAAAAAAAAAAAA==").encode()
        writer.write(head + b"\r\n")
        await reader.readuntil(b"\r\n\r\n")
        peer, until = Peer(reader, writer), time.monotonic() + 4 * EVERY_S
        while time.monotonic() < until:
            peer.say()
            while await peer.hear() != attacks.TEXT:
                continue
            await asyncio.sleep(EVERY_S / 10)
        while await peer.hear() != attacks.PING:
            continue
        assert min(peer.silent_s) >= EVERY_S - A_TICK_S
        assert await reader.read() == b""  # Cut off, without a word.
        writer.close()

    async def serve() -> None:
        listening, listener = bound(Listening(port=0))
        config = server_config(Starlette(routes=[WebSocketRoute("/ws", echo)]), listening, None)
        config.ws_ping_interval, config.ws_ping_timeout = EVERY_S, WITHIN_S
        server = Server(config, Hosts(listening.origins(tls=False), listening.port), Visitors(Budgets()))
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        async with asyncio.timeout(PATIENCE_S):
            while not server.started:
                await asyncio.sleep(0)
            await test(listening.port)
        server.should_exit = True
        await serving

    asyncio.run(serve())
