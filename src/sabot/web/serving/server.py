"""The server: it binds its port, checks, serves, and stops in order.

The port is bound before anything is opened, so that a second process on the same port fails at once. Nothing is
answered before every check has passed.
"""

import asyncio
import contextlib
import errno
import gc
import signal
import socket
import ssl
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import msgspec
import structlog
import uvicorn
import uvloop

from sabot.basics.mistake import Mistake
from sabot.web.door.bounded_http import BoundedHttp, HttpDoor
from sabot.web.door.budgets import raised_descriptors
from sabot.web.door.doorman import Doorman
from sabot.web.door.hosts import Hosts
from sabot.web.door.turns import Turns
from sabot.web.door.visitors import Visitor, Visitors
from sabot.web.http.app import application
from sabot.web.serving.certificate import TlsFiles
from sabot.web.serving.control import control_socket
from sabot.web.serving.floor_file import Floor
from sabot.web.serving.listening import Listening, server_options
from sabot.web.serving.process import Premises, opened, system_ms
from sabot.web.socket.outbox import Outbox
from sabot.wire.frames import MOST_BYTES

log = structlog.get_logger(__name__)

YOUNG_OFTEN_OLD_SELDOM = (1_000, 4_000, 10)
"""Thresholds of the garbage collector: allocations before a young collection, and collections before older ones.

Play makes no cycles, and a connection that is closed in order leaves none. A collection stops all tables: with 2,000
playing stations one of 50,000 young objects took up to 61 ms, for which the slowest touches waited. One of 1,000 takes
0.2 ms, and 3 ms in one of a hundred times.
"""
GIVE_WAY_AFTER_S = 0.0001
"""The switch interval of threads. The journal's writer thread needs the interpreter many times, and briefly, for one
commit; with the usual interval each touch would wait until views for fifty stations have been made."""
PING_EVERY_S, PONG_WITHIN_S = 5.0, 10.0


async def _leave_nothing() -> None:
    """There is no floor to be stopped."""


class Server(uvicorn.Server):
    """Uvicorn with a door of its own, which stops the floor first when it stops.

    Pending commands are then recorded and answered, and devices are sent `bye`.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        hosts: Hosts,
        visitors: Visitors,
        leave: Callable[[], Awaitable[None]] = _leave_nothing,
    ) -> None:
        super().__init__(config)
        self._door, self.visitors, self._leave = HttpDoor(hosts, Turns(), Outbox()), visitors, leave

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        assert sockets is not None, "the port is bound before"
        tls = self.config.ssl
        if tls is not None:
            tls.options |= ssl.OP_NO_RENEGOTIATION
        doormen = [Doorman(one, self.visitors, self._made, tls) for one in sockets]
        for doorman in doormen:
            doorman.open()
        self.servers = doormen  # type: ignore[assignment]  # They have what uvicorn uses of its own.
        self.started = True

    def _made(self, visitor: Visitor) -> BoundedHttp:
        return BoundedHttp(self._door, visitor, self.config, self.server_state, {})

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._leave()
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to the event loop; uvicorn would end the process before the journal is closed."""
        yield


class RecordsLost(Exception):
    """Acknowledged records are gone from the journal of a floor that was served; carries one sentence."""


class Serving(msgspec.Struct, frozen=True):
    """A floor that is being served."""

    premises: Premises
    server: Server
    url: str

    def stop(self) -> None:
        """The log says so before anything is let go."""
        if not self.server.should_exit:
            log.info("stops")
        self.server.should_exit = True


def run(main: Awaitable[None]) -> None:
    """Run it on uvloop, with the settings that the benchmarks chose."""

    async def awaited() -> None:
        gc.freeze()  # Loaded modules stay, and a table's values form no cycles.
        gc.set_threshold(*YOUNG_OFTEN_OLD_SELDOM)
        sys.setswitchinterval(GIVE_WAY_AFTER_S)
        await main

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(awaited())


async def serve(wanted: Floor, build: str, wall_ms: Callable[[], int] = system_ms) -> None:
    """Serve until the process is told to stop."""
    async with served(wanted, build, wall_ms) as serving:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, serving.stop)
        floor = serving.premises.floor
        journal = floor.backing.journal
        async with _orders(wanted, serving):
            while not (serving.server.should_exit or floor.house.outdated or journal.is_lost):
                await asyncio.sleep(0.1)
        serving.stop()
    if journal.is_lost:
        raise RecordsLost(f"the floor has ended, because its journal has lost records: {journal.trouble}")
    if outdated := floor.house.outdated:
        raise Mistake(f"a newer program has this journal now: {outdated}")


def _orders(wanted: Floor, serving: Serving) -> contextlib.AbstractAsyncContextManager[None]:
    control = wanted.file.control
    if not control:
        return contextlib.nullcontext()
    premises = serving.premises
    services = premises.identities.services
    return control_socket(Path(control), premises.floor, services, serving.stop, premises.edits)


@contextlib.asynccontextmanager
async def served(wanted: Floor, build: str, wall_ms: Callable[[], int] = system_ms) -> AsyncIterator[Serving]:
    """A floor that answers on its port until the block is left."""
    listening, listener = bound(wanted.file.listen)
    tls = listening.tls()
    origins = (*listening.origins(tls=tls is not None), *wanted.file.origins)
    url = wanted.file.address or listening.origins(tls=tls is not None)[0]
    try:
        async with opened(wanted, build, url, wall_ms) as premises:
            app = application(premises, origins, tls=tls is not None)
            budgets = wanted.file.door.for_descriptors(raised_descriptors())
            visitors = Visitors(budgets, premises.floor.backing.counters.cut_off)
            hosts = Hosts((*listening.origins(tls=tls is not None), url), listening.port)
            server = Server(server_config(app, listening, tls), hosts, visitors, premises.leave)
            running = asyncio.create_task(server.serve(sockets=[listener]))
            try:
                while not server.started and not running.done():
                    await asyncio.sleep(0.01)
                log.info("listens", floor=wanted.file.floor, url=url, fingerprint=tls.fingerprint if tls else None)
                yield Serving(premises, server, url)
            finally:
                server.should_exit = True
                await running
    finally:
        listener.close()


def bound(listening: Listening) -> tuple[Listening, socket.socket]:
    """A socket bound to the port, and the listening with its number, which port 0 leaves to the system."""
    family = socket.AF_INET6 if ":" in listening.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((listening.host, listening.port))
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise Mistake(
                f"port {listening.port} of {listening.host} is taken: another program listens there"
            ) from None
        raise Mistake(f"cannot listen on port {listening.port} of {listening.host}: {error.strerror}") from None
    return msgspec.structs.replace(listening, port=listener.getsockname()[1]), listener


def server_config(app: object, listening: Listening, tls: TlsFiles | None) -> uvicorn.Config:
    options = server_options(listening, tls) | {
        "lifespan": "off",
        "log_config": None,
        "access_log": False,
        "ws_max_size": MOST_BYTES,
        "ws_ping_interval": PING_EVERY_S,
        "ws_ping_timeout": PONG_WITHIN_S,
    }
    return uvicorn.Config(app, **options)  # type: ignore[arg-type]  # An application is what it takes.
