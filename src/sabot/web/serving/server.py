"""The server: binds first, checks, listens, and leaves in order when it is told to.

The port is bound before anything is opened, so that a second start says at once what is wrong; nobody is answered there
before every check has passed.
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
from sabot.web.serving.process import Premises, opened
from sabot.wire.frames import MOST_BYTES

log = structlog.get_logger(__name__)

SELDOM = (50_000, 20, 50)
"""How many new things it takes to look for circles among the young, and how many such looks for one at the old."""
GIVE_WAY_AFTER_S = 0.0001
"""How long the tables may keep the journal's writer waiting. It has a thread of its own and needs only moments, but
many of them for one commit; if each had to wait until fifty stations have been shown a coup, so would every touch."""
PING_EVERY_S, PONG_WITHIN_S = 5.0, 10.0
BACKLOG = 4_096
"""So many devices may knock at once, as they do when a process comes back."""


class Server(uvicorn.Server):
    """Uvicorn, but the floor leaves first: what waits is written and answered, and devices hear goodbye."""

    def __init__(self, config: uvicorn.Config, leave: Callable[[], Awaitable[None]]) -> None:
        super().__init__(config)
        self._leave = leave

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._leave()
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """The signals are the event loop's; uvicorn's way would end the process before the journal is closed."""
        yield


class Serving(msgspec.Struct, frozen=True):
    """A floor that is being served."""

    premises: Premises
    server: Server
    url: str

    def stop(self) -> None:
        self.server.should_exit = True


def run(main: Awaitable[None]) -> None:
    """Run it on the measured event loop."""

    async def awaited() -> None:
        gc.freeze()  # What is loaded stays, and a table's values make no circles: looking for them often is in vain.
        gc.set_threshold(*SELDOM)
        sys.setswitchinterval(GIVE_WAY_AFTER_S)
        await main

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(awaited())


async def serve(wanted: Floor, build: str) -> None:
    """Serve until somebody stops the process."""
    async with served(wanted, build) as serving:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, serving.stop)
        while not serving.server.should_exit:
            await asyncio.sleep(0.1)
        log.info("leaves")


@contextlib.asynccontextmanager
async def served(wanted: Floor, build: str) -> AsyncIterator[Serving]:
    """A floor that answers on its port from here on, until the block is left."""
    listening, knocking = bound(wanted.file.listen)
    tls = listening.tls()
    origins = (*listening.origins(tls=tls is not None), *wanted.file.origins)
    url = wanted.file.address or listening.origins(tls=tls is not None)[0]
    try:
        async with opened(wanted, build, url) as premises:
            app = application(premises, origins, tls=tls is not None)
            server = Server(_config(app, listening, tls), premises.leave)
            running = asyncio.create_task(server.serve(sockets=[knocking]))
            try:
                while not server.started and not running.done():
                    await asyncio.sleep(0.01)
                log.info("listens", floor=wanted.file.floor, url=url, fingerprint=tls.fingerprint if tls else None)
                yield Serving(premises, server, url)
            finally:
                server.should_exit = True
                await running
    finally:
        knocking.close()


def bound(listening: Listening) -> tuple[Listening, socket.socket]:
    """The port, taken; with 0 for a port any free one, which is told."""
    family = socket.AF_INET6 if ":" in listening.host else socket.AF_INET
    knocking = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    knocking.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        knocking.bind((listening.host, listening.port))
    except OSError as error:
        knocking.close()
        if error.errno == errno.EADDRINUSE:
            raise Mistake(
                f"port {listening.port} of {listening.host} is taken: another program listens there"
            ) from None
        raise Mistake(f"cannot listen on port {listening.port} of {listening.host}: {error.strerror}") from None
    return msgspec.structs.replace(listening, port=knocking.getsockname()[1]), knocking


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
