"""A running floor behind real sockets and HTTP, with enrolled devices and staff who sign on."""

import asyncio
import socket
import tempfile
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from sabot.client.connection import Connection, Identity, Settings
from sabot.client.console import Console
from sabot.client.key import DeviceKey
from sabot.client.station import Station
from sabot.journal.journal import Journal
from sabot.journal.memory import MemoryJournal
from sabot.running.floor import RunningFloor
from sabot.running.table import RunningTable
from sabot.table.configuration import Configuration
from sabot.table.phase import Phase
from sabot.table.state import TableState
from sabot.web.certificate import TlsFiles
from sabot.web.enrolments import Granted
from sabot.web.entrance import Entrance, FloorDesk
from sabot.web.identities import Identities
from sabot.web.identity_routes import IdentityRoutes
from sabot.web.operation import Gate
from sabot.web.pin import PinHasher
from sabot.web.rates import Rates
from sabot.web.sessions import set_pin
from sabot.web.socket import Limits, Socket
from sabot.web.vault import Vault
from sabot.web.vault_sqlite import open_vault
from sabot.wire import spoken as say
from tests.running.floors import PATIENCE_S, running, table_for, until, wall_ms
from tests.served.staff import CHEAP, PINS, SUPERVISORS

EVENTS, VIEWS = Settings(feed="events", open_within_s=PATIENCE_S), Settings(feed="views", open_within_s=PATIENCE_S)
DEALER, SUPERVISOR = "D1", "GS1"
UNHURRIED = Limits(frames_a_second=10_000, frames_at_once=10_000)
FLOOR = "a floor for tests"
Entered = TypeVar("Entered", bound=Connection)


@asynccontextmanager
async def secrets_kept() -> AsyncIterator[Vault]:
    """A vault that knows the PINs of the staff."""
    with tempfile.TemporaryDirectory() as folder:
        async with open_vault(Path(folder) / "vault") as vault:
            for person, pin in PINS.items():
                await set_pin(vault, PinHasher(CHEAP), person, pin)
            yield vault


def identities_of(floor: RunningFloor, vault: Vault) -> Identities:
    return Identities(vault, FloorDesk(floor), PinHasher(CHEAP), wall_ms, FLOOR)


async def invite(identities: Identities, device: str, kind: str, station: str = "") -> str:
    granted = Granted(device=device, table="T1", approval=f"test {device}", station=station or None)
    return await identities.enrolments.invite(kind, granted, SUPERVISORS)


async def enrol(identities: Identities, device: str, kind: str, station: str = "") -> Identity:
    key = DeviceKey.make()
    await identities.enrolments.accept(await invite(identities, device, kind, station), key.public)
    return Identity(device, key)


@asynccontextmanager
async def listening(
    floor: RunningFloor,
    identities: Identities,
    *,
    limits: Limits = UNHURRIED,
    port: int = 0,
    tls: TlsFiles | None = None,
) -> AsyncIterator[str]:
    """Serve the floor; gives its address.

    The listener names its protocol, without which asyncio leaves small frames to wait for one another.
    """
    entrance, rates = Entrance(floor, identities), Rates(limits.rate)

    async def serve(websocket: WebSocket) -> None:
        await Socket(websocket, floor, entrance, rates).serve()

    routes = Gate(identities.sessions, wall_ms).routes(IdentityRoutes(identities).operations())
    app = Starlette(routes=[WebSocketRoute("/ws", serve), *routes])
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port))
    secured = {"ssl_certfile": str(tls.certificate), "ssl_keyfile": str(tls.key)} if tls else {}
    config = uvicorn.Config(app, log_config=None, ws="websockets-sansio", lifespan="off", **secured)  # type: ignore[arg-type]
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve([listener]))
    try:
        yield f"{'https' if tls else 'http'}://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = server.force_exit = True
        await task
        listener.close()


class Served:
    """A floor with one table whose console is connected, and everything else that a test connects to it."""

    def __init__(self, floor: RunningFloor, identities: Identities, url: str, stack: AsyncExitStack) -> None:
        self.floor, self.identities, self.url, self._stack = floor, identities, url, stack
        self.console: Console

    @property
    def table(self) -> RunningTable:
        return self.floor.tables["T1"]

    async def enrol(self, device: str, kind: str, station: str = "") -> Identity:
        return await enrol(self.identities, device, kind, station)

    async def invite(self, device: str, kind: str) -> str:
        return await invite(self.identities, device, kind)

    async def enter(self, connection: Entered) -> Entered:
        """Connected until the floor is left."""
        await connection.__aenter__()
        self._stack.push_async_callback(connection.close)
        return connection

    async def station(self, name: str, settings: Settings = EVENTS, cents: int = 0) -> Station:
        """A station whose patron buys in."""
        if cents:
            await self.console.ask(say.BuyIn(station=name, cents=cents))
        return await self.enter(Station(self.url, await self.enrol(name, "station"), settings))

    async def acceptor(self, station: str, settings: Settings = EVENTS) -> Station:
        """A note acceptor, whose commands are the simplest to tell apart: each is worth its note."""
        identity = await self.enrol(f"{station}-notes", "note_acceptor", station)
        return await self.enter(Station(self.url, identity, settings))

    async def open_wagering(self, *watching: Connection) -> None:
        await self.console.ask(say.OpenWagering())
        for one in watching:
            await one.until(partial(_is_wagering, one))

    @property
    def state(self) -> TableState:
        tenure = self.table.tenure
        assert tenure is not None
        return tenure.state

    def balance(self, station: str) -> int:
        return self.state.purse(station).balance


@asynccontextmanager
async def served(
    journal: Journal | None = None, *tables: Configuration, limits: Limits = UNHURRIED, shoe: bool = True
) -> AsyncIterator[Served]:
    """A floor whose table is open, with a shoe in play; wagering closes only when somebody closes it."""
    unhurried = table_for(period_ms=PATIENCE_S * 1000)
    async with AsyncExitStack() as stack:
        vault = await stack.enter_async_context(secrets_kept())
        floor = await stack.enter_async_context(running(journal or MemoryJournal(wall_ms), *(tables or (unhurried,))))
        await until(lambda: floor.tables["T1"].tenure is not None)
        identities = identities_of(floor, vault)
        url = await stack.enter_async_context(listening(floor, identities, limits=limits))
        one = Served(floor, identities, url, stack)
        one.console = await one.enter(await console_at(url, identities))
        await open_table(one.console, identities, shoe=shoe)
        yield one


def _is_wagering(one: Connection) -> bool:
    return one.mirror.phase == Phase.WAGERING.value


async def console_at(url: str, identities: Identities) -> Console:
    """The dealer's console."""
    identity = await enrol(identities, "console", "console")
    return Console(url, identity, EVENTS, token=await token(identities, DEALER))


async def token(identities: Identities, person: str) -> str:
    """What a person who signs on at the console gets."""
    return (await identities.sessions.sign_on(person, PINS[person], "console", "127.0.0.1")).token


async def open_table(console: Console, identities: Identities, *, shoe: bool = True) -> None:
    await console.ask(say.SignOn())
    await console.ask(say.OpenTable())
    if shoe:
        await bring_in_a_shoe(console, await token(identities, SUPERVISOR))


async def bring_in_a_shoe(console: Console, supervisor: str) -> None:
    await console.ask(say.SignOn(), token=supervisor)
    await console.ask(say.CheckCards(cards=416), token=supervisor)
    await console.ask(say.NewShoe())
    await console.ask(say.Cut(at=200), token=supervisor)
    await console.ask(say.Burn())


def over_the_wire(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[[], None]:
    """A test that awaits, as a plain function."""

    def run() -> None:
        async def within() -> None:
            async with asyncio.timeout(PATIENCE_S * 2):
                await test()

        asyncio.run(within())

    run.__name__, run.__doc__ = test.__name__, test.__doc__
    return run
