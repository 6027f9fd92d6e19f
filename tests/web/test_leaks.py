"""Nothing stays of a connection that is over: no object, and no memory of the process."""

import asyncio
import gc
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import uvloop
from httptools import HttpRequestParser
from starlette.websockets import WebSocket
from websockets.asyncio.client import connect
from websockets.server import ServerProtocol

from sabot.web.door.bounded_http import BoundedHttp
from sabot.web.door.visitors import Visitor
from sabot.web.socket.fast_websocket import DirectProtocol
from sabot.web.socket.rates import Rates
from sabot.web.socket.socket import Socket
from tests.runtime.floors import table_for, until
from tests.served import attacks
from tests.served.attacks import Target
from tests.served.floor_file import write_floor
from tests.served.process import serving
from tests.served.server import Served, served

OF_A_CONNECTION = (BoundedHttp, HttpRequestParser, DirectProtocol, ServerProtocol, WebSocket, Visitor, Socket, Rates)
TIMES = 20
BATCH = 400
MOST_KB = 1.0
"""By which a process may grow with each connection, after it has warmed up; one that kept them grew by ten and more."""
Visit = Callable[[Served], Awaitable[None]]


async def _request(floor: Served) -> None:
    stranger = await attacks.connected(Target(floor.port))
    stranger.send(Target(floor.port).head() + b"Connection: close\r\n\r\n")
    await stranger.became()


async def _broken_request(floor: Served) -> None:
    stranger = await attacks.connected(Target(floor.port))
    stranger.send(b"nonsense\r\n\r\n")
    await stranger.became()


async def _half_a_request(floor: Served) -> None:
    stranger = await attacks.connected(Target(floor.port))
    stranger.send(b"GET / HT")
    stranger.leave()


async def _idle_socket(floor: Served) -> None:
    (await attacks.socket_of(Target(floor.port))).leave()


async def _polite_socket(floor: Served) -> None:
    async with connect(floor.socket) as socket:
        await socket.recv()


async def _wrong_frame(floor: Served) -> None:
    async with connect(floor.socket) as socket:
        await socket.recv()
        await socket.send("{}")


async def _flood(floor: Served) -> None:
    stranger = await attacks.socket_of(Target(floor.port))
    stranger.send(attacks.frame(attacks.PING) * 1_000)
    await stranger.became()


async def _device(floor: Served) -> None:
    async with floor.connected("A1") as wire:
        await wire.hello()


@contextmanager
def _no_collection() -> Iterator[None]:
    """What is only found by looking for cycles counts as kept: a serving process looks for them very seldom."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _alive() -> Counter[str]:
    return Counter(type(one).__name__ for one in gc.get_objects() if type(one) in OF_A_CONNECTION)


@pytest.mark.parametrize(
    "visit",
    [
        _request,
        _broken_request,
        _half_a_request,
        _idle_socket,
        _polite_socket,
        _wrong_frame,
        _flood,
        _device,
    ],
)
def test_no_object_of_a_connection_outlives_it(visit: Visit) -> None:
    async def test() -> None:
        async with served(None, table_for()) as floor:
            await floor.enrol("A1")
            await visit(floor)
            await until(lambda: floor.visitors.unproved + floor.visitors.proved == 0)
            with _no_collection():
                before = _alive()
                for _ in range(TIMES):
                    await visit(floor)
                await until(lambda: _alive() <= before)

    uvloop.run(test())


def test_a_table_where_nothing_happens_keeps_no_view_of_everybody_who_said_hello() -> None:
    async def test() -> None:
        async with served(None, table_for()) as floor:
            await floor.enrol("A1")
            async with floor.connected("A1") as wire:
                sizes = []
                for hellos in (200, 600):
                    for _ in range(hellos):
                        await wire.hello()
                    wire.heard.clear()
                    sizes.append(len(gc.get_objects()))
            assert sizes[1] - sizes[0] < 4 * hellos, "each had ten objects and more"

    uvloop.run(test())


def test_a_serving_process_does_not_grow_with_every_connection(tmp_path: Path) -> None:
    config = write_floor(tmp_path, table_for(), dealer="live")

    async def grown() -> float:
        with serving(config) as process:
            target = Target(int(process.url.rpartition(":")[2]))
            sizes = []
            for _ in range(3):
                for _ in range(BATCH // 20):
                    await asyncio.gather(*(_come_and_go(target) for _ in range(20)))
                sizes.append(process.memory_kb)
            return (sizes[2] - sizes[1]) / BATCH

    async def _come_and_go(target: Target) -> None:
        stranger = await attacks.socket_of(target)
        stranger.send(attacks.frame(attacks.TEXT, b"{}"))
        await stranger.hears(b"bye")
        stranger.leave()

    assert asyncio.run(grown()) < MOST_KB
