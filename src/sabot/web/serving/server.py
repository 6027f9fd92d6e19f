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
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

import msgspec
import structlog
import uvicorn
import uvloop

from sabot.basics.mistake import Mistake
from sabot.web.http.app import application
from sabot.web.serving.certificate import TlsFiles
from sabot.web.serving.floor_file import Floor
from sabot.web.serving.listening import Listening, server_options
from sabot.web.serving.process import Premises, opened, system_ms
from sabot.wire.frames import MOST_BYTES

log = structlog.get_logger(__name__)

SELDOM = (50_000, 20, 50)
"""Thresholds of the garbage collector: allocations before a young collection, and collections before older ones."""
GIVE_WAY_AFTER_S = 0.0001
"""The switch interval of threads. The journal's writer thread needs the interpreter many times, and briefly, for one
commit; with the usual interval each touch would wait until views for fifty stations have been made."""
PING_EVERY_S, PONG_WITHIN_S = 5.0, 10.0
BACKLOG = 4_096
"""Connections that may wait to be accepted, as after the restart of a process."""


class Server(uvicorn.Server):
    """Uvicorn that stops the floor first: pending commands are recorded and answered, and devices are sent `bye`."""

    def __init__(self, config: uvicorn.Config, leave: Callable[[], Awaitable[None]]) -> None:
        super().__init__(config)
        self._leave = leave

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
        self.server.should_exit = True


def run(main: Awaitable[None]) -> None:
    """Run it on uvloop, with the settings that the benchmarks chose."""

    async def awaited() -> None:
        gc.freeze()  # Loaded modules stay, and a table's values form no cycles.
        gc.set_threshold(*SELDOM)
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
        journal = serving.premises.floor.backing.journal
        while not serving.server.should_exit and not journal.is_lost:
            await asyncio.sleep(0.1)
        log.info("stops")
    if journal.is_lost:
        raise RecordsLost(f"the floor has ended, because its journal has lost records: {journal.trouble}")


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
            server = Server(_config(app, listening, tls), premises.leave)
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


def _config(app: object, listening: Listening, tls: TlsFiles | None) -> uvicorn.Config:
    options = server_options(listening, tls) | {
        "lifespan": "off",
        "log_config": None,
        "access_log": False,
        "backlog": BACKLOG,
        "ws_max_size": MOST_BYTES,
        "ws_ping_interval": PING_EVERY_S,
        "ws_ping_timeout": PONG_WITHIN_S,
    }
    return uvicorn.Config(app, **options)  # type: ignore[arg-type]  # An application is what it takes.
