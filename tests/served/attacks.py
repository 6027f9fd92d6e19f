"""Strangers who attack a floor without signing on, as the tests and `sabot bench attacks` send them.

Every attack ends by itself: when it was cut off, or when it has sent as much as it was told to. It says what became of
it. The peers are raw connections, since a proper client would not do any of this.
"""

import asyncio
import base64
import os
import ssl
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple, cast

PING, PONG, TEXT, CONTINUED = 0x89, 0x8A, 0x81, 0x00
HEAD = "GET {path} HTTP/1.1\r\nHost: {host}\r\n"
UPGRADE = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n"
HANDSHAKE = bytes.fromhex("160301020001000200")
"""The beginning of a client's first message of TLS."""
MASK = bytes(4)
MOST = 8 * 1_024 * 1_024
"""Bytes of a flood: many times what every buffer between the two holds."""
REQUESTS = 10_000
ANSWER_WITHIN_S = 10.0


class Target(NamedTuple):
    port: int
    host: str = "127.0.0.1"
    tls: ssl.SSLContext | None = None
    path: str = "/healthz"
    """A path that anybody may ask for."""
    comes_from: str = ""
    """The address of the attacker; of this machine there are many."""

    def head(self, path: str = "") -> bytes:
        """The beginning of a request, without its end."""
        return HEAD.format(path=path or self.path, host=f"{self.host}:{self.port}").encode()


class Became(NamedTuple):
    """What became of an attacker."""

    is_cut_off: bool
    sent: int
    """Bytes, or whatever the attack counts."""
    heard: bytes = b""


class Stranger(asyncio.Protocol):
    """One raw connection."""

    def __init__(self) -> None:
        self.heard = bytearray()
        self.over, self._has_room = asyncio.Event(), asyncio.Event()
        self._has_room.set()
        self.sent = 0
        self.transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        self.heard += data

    def pause_writing(self) -> None:
        self._has_room.clear()

    def resume_writing(self) -> None:
        self._has_room.set()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  It is over either way.
        self.over.set()
        self._has_room.set()

    def leave(self) -> None:
        if not self.over.is_set():
            self.transport.abort()

    def send(self, data: bytes) -> None:
        if not self.over.is_set():
            self.transport.write(data)
            self.sent += len(data)

    async def flood(self, piece: bytes, most: int = MOST) -> Became:
        """The same again and again, until it is cut off or has sent so much."""
        while self.sent < most and not self.over.is_set():
            self.send(piece)
            await self._has_room.wait()
            await asyncio.sleep(0)
        return await self.became(1.0)

    async def drip(self, data: bytes, every_s: float) -> Became:
        """A byte at a time."""
        for byte in data:
            if self.over.is_set():
                break
            self.send(bytes([byte]))
            await asyncio.sleep(every_s)
        return await self.became(0)

    async def hears(self, words: bytes) -> None:
        async with asyncio.timeout(ANSWER_WITHIN_S):
            while words not in self.heard:
                assert not self.over.is_set(), bytes(self.heard)
                await asyncio.sleep(0.001)

    async def became(self, within_s: float = ANSWER_WITHIN_S) -> Became:
        """Whether the floor ends the connection."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self.over.wait(), within_s)
        return Became(self.over.is_set(), self.sent, bytes(self.heard))


@contextmanager
def _left(strangers: list[Stranger]) -> Iterator[None]:
    try:
        yield
    finally:
        for stranger in strangers:
            stranger.leave()


async def connected(target: Target) -> Stranger:
    loop = asyncio.get_running_loop()
    own = (target.comes_from, 0) if target.comes_from else None
    _, stranger = await loop.create_connection(Stranger, target.host, target.port, ssl=target.tls, local_addr=own)
    return stranger


async def socket_of(target: Target) -> Stranger:
    """A socket that was challenged and has not proved anything."""
    stranger = await connected(target)
    key = base64.b64encode(os.urandom(16)).decode()
    stranger.send(target.head("/ws") + UPGRADE.format(key=key).encode())
    await stranger.hears(b"challenge")
    stranger.sent = 0
    return stranger


def frame(head: int, text: bytes = b"") -> bytes:
    """A short frame as a client sends it, masked with zeros."""
    return bytes([head, 0x80 | len(text)]) + MASK + text


# What one connection can do


async def endless_header(target: Target) -> Became:
    """A header whose value never ends."""
    stranger = await connected(target)
    with _left([stranger]):
        stranger.send(target.head() + b"X-Long: ")
        return await stranger.flood(b"a" * 65_536)


async def many_headers(target: Target) -> Became:
    stranger = await connected(target)
    with _left([stranger]):
        stranger.send(target.head())
        return await stranger.flood(b"X: y\r\n" * 4_096)


async def endless_target(target: Target) -> Became:
    stranger = await connected(target)
    with _left([stranger]):
        stranger.send(b"GET /")
        return await stranger.flood(b"a" * 65_536)


async def endless_body(target: Target) -> Became:
    stranger = await connected(target)
    with _left([stranger]):
        stranger.send(_post(target) + b"Content-Length: 99999999999\r\n\r\n")
        return await stranger.flood(b" " * 65_536)


async def endless_chunks(target: Target) -> Became:
    """A body in chunks of one byte each."""
    stranger = await connected(target)
    with _left([stranger]):
        stranger.send(_post(target) + b"Transfer-Encoding: chunked\r\n\r\n")
        return await stranger.flood(b"1\r\n \r\n" * 4_096)


async def endless_trailers(target: Target) -> Became:
    """Header fields after the last chunk."""
    stranger = await connected(target)
    with _left([stranger]):
        stranger.send(_post(target) + b"Transfer-Encoding: chunked\r\n\r\n0\r\n")
        return await stranger.flood(b"X: y\r\n" * 4_096)


async def many_requests(target: Target) -> Became:
    """Whole requests on one connection, each as soon as the one before is answered."""
    stranger = await connected(target)
    with _left([stranger]):
        last = b""
        for _ in range(REQUESTS):
            if stranger.over.is_set():
                break
            stranger.send(target.head() + b"\r\n")
            while b"HTTP/1.1 " not in stranger.heard and not stranger.over.is_set():
                await asyncio.sleep(0)
            last = bytes(stranger.heard) or last
            stranger.heard.clear()
        became = await stranger.became(1.0)
        return became._replace(heard=last)


async def pipelined_requests(target: Target) -> Became:
    """Whole requests by the hundred, without waiting for an answer."""
    stranger = await connected(target)
    with _left([stranger]):
        return await stranger.flood((target.head() + b"\r\n") * 500)


async def slow_header(target: Target, every_s: float = 0.1) -> Became:
    stranger = await connected(target)
    with _left([stranger]):
        return await stranger.drip(target.head() + b"X-Slow: " + b"a" * 200, every_s)


async def slow_body(target: Target, every_s: float = 0.1) -> Became:
    stranger = await connected(target)
    with _left([stranger]):
        stranger.send(_post(target) + b"Content-Length: 1000\r\n\r\n")
        return await stranger.drip(b" " * 400, every_s)


async def pings(target: Target) -> Became:
    return await _frames(target, frame(PING) * 10_000)


async def pongs(target: Target) -> Became:
    return await _frames(target, frame(PONG) * 10_000)


async def empty_fragments(target: Target) -> Became:
    stranger = await socket_of(target)
    with _left([stranger]):
        stranger.send(frame(0x01))
        return await stranger.flood(frame(CONTINUED) * 10_000)


async def empty_objects(target: Target) -> Became:
    """Frames that are none; the floor says goodbye to the first of them."""
    return await _frames(target, frame(TEXT, b"{}") * 10_000)


async def pings_after_goodbye(target: Target) -> Became:
    stranger = await socket_of(target)
    with _left([stranger]):
        stranger.send(frame(TEXT, b"{}"))
        await stranger.hears(b"bye")
        return await stranger.flood(frame(PING) * 10_000)


async def objects_after_goodbye(target: Target) -> Became:
    stranger = await socket_of(target)
    with _left([stranger]):
        stranger.send(frame(TEXT, b"{}"))
        await stranger.hears(b"bye")
        return await stranger.flood(frame(TEXT, b"{}") * 10_000)


async def _frames(target: Target, piece: bytes) -> Became:
    stranger = await socket_of(target)
    with _left([stranger]):
        return await stranger.flood(piece)


def _post(target: Target) -> bytes:
    return target.head("/api/sign-on").replace(b"GET", b"POST") + b"Content-Type: application/json\r\n"


# What many connections can do


async def half_open(target: Target, count: int = 5_000, held_s: float = 0.0, begun: bytes = b"") -> Became:
    """So many connections with half a request each, which stay; how many were cut off in the end."""
    begun = begun or target.head()
    strangers: list[Stranger] = []
    with _left(strangers):
        for number in range(count):
            try:
                strangers.append(await connected(target))
            except OSError:
                continue
            strangers[-1].send(begun[: 1 + number % len(begun)])
        await asyncio.sleep(held_s)
        gone = sum(one.over.is_set() for one in strangers)
        return Became(gone > 0, gone)


async def slow_handshakes(target: Target, count: int = 500, held_s: float = 0.0) -> Became:
    """Connections to a port of TLS that say hello and nothing more."""
    return await half_open(target._replace(tls=None), count, held_s, HANDSHAKE)


async def comings_and_goings(target: Target, count: int = 5_000) -> Became:
    """Sockets that are opened, challenged and left, one after the other."""
    refused = 0
    for _ in range(count):
        try:
            stranger = await socket_of(target)
        except (OSError, AssertionError, TimeoutError):
            refused += 1
        else:
            stranger.leave()
    return Became(refused > 0, refused)


Attack = Callable[[Target], Awaitable[Became]]
OF_ONE: tuple[Attack, ...] = (
    endless_header,
    many_headers,
    endless_target,
    endless_body,
    endless_chunks,
    endless_trailers,
    many_requests,
    pipelined_requests,
    slow_header,
    slow_body,
    pings,
    pongs,
    empty_fragments,
    empty_objects,
    pings_after_goodbye,
    objects_after_goodbye,
)
OF_MANY: tuple[Attack, ...] = (half_open, comings_and_goings)
