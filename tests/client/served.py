"""A running floor behind real sockets, with a door that checks real proofs, for clients to connect to."""

import asyncio
import socket
from base64 import urlsafe_b64decode
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import Any

import uvicorn
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_der_public_key
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from sabot.client.connection import Connection, Identity, Settings
from sabot.client.console import Console
from sabot.client.key import DeviceKey
from sabot.client.station import Station
from sabot.journal.journal import Journal
from sabot.journal.memory import MemoryJournal
from sabot.rules.role import Role
from sabot.running.floor import RunningFloor
from sabot.running.table import RunningTable
from sabot.table.commands import Command
from sabot.table.configuration import Configuration
from sabot.table.phase import Phase
from sabot.table.refusal import Refused
from sabot.web.door import Known, TurnedAway
from sabot.web.socket import Limits, Socket
from sabot.wire import spoken as say
from sabot.wire.frames import Ask, proof_text
from sabot.wire.spoken import TABLE_KINDS, fields_of
from tests.running.floors import PATIENCE_S, running, table_for, until, wall_ms

EVENTS, VIEWS = Settings(feed="events", open_within_s=PATIENCE_S), Settings(feed="views", open_within_s=PATIENCE_S)
DEALER, SUPERVISOR = "D1", "GS1"
STAFF = {"D1": Role.DEALER, "GS1": Role.GAME_SUPERVISOR, "CS1": Role.CASINO_SUPERVISOR}
_FAST = Limits(frames_a_second=10_000, frames_at_once=10_000)


class KeyDoor:
    """Knows devices by their keys. At a console the token is the name of whoever acts."""

    floor = "a floor for tests"

    def __init__(self) -> None:
        self._known: dict[str, tuple[Known, str]] = {}

    def enrol(self, device: str, kind: str, station: str = "", table: str = "T1") -> Identity:
        key = DeviceKey.make()
        self._known[device] = (Known(device, kind, table, station), key.public)
        return Identity(device, key)

    async def admit(self, device: str, nonce: str, signature: str) -> Known:
        known, public = self._known.get(device, (None, ""))
        if known is None or not _is_signed(public, proof_text(self.floor, nonce), signature):
            raise TurnedAway("the device is not enrolled, or has not proved that it holds its key")
        return known

    async def stamp(self, known: Known, ask: Ask, table: RunningTable) -> Command | Refused:
        kind: Any = TABLE_KINDS[type(ask.command)]
        fields = fields_of(ask.command)
        if known.station:
            by, role = known.station, Role.STATION
            if "station" in kind.__struct_fields__:
                fields.setdefault("station", known.station)
        else:
            by = ask.token
            if by not in STAFF:
                return Refused("sign_on_first", "G-118", "sign on first")
            role = STAFF[by]
        if "ticket" in kind.__struct_fields__ and "ticket" not in fields:
            fields["ticket"] = f"{wall_ms():018d}"
        command: Command = kind(by=by, role=role, at_ms=table.table_ms, **fields)
        return command


def _decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _is_signed(public: str, text: bytes, signature: str) -> bool:
    key, raw = load_der_public_key(_decoded(public)), _decoded(signature)
    assert isinstance(key, EllipticCurvePublicKey)
    try:
        key.verify(
            encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big")),
            text,
            ECDSA(SHA256()),
        )
    except InvalidSignature:
        return False
    return True


@asynccontextmanager
async def listening(floor: RunningFloor, door: KeyDoor, limits: Limits = _FAST, port: int = 0) -> AsyncIterator[int]:
    """Serve the floor's sockets; gives the port.

    The listener names its protocol, without which asyncio leaves small frames to wait for one another.
    """

    async def serve(websocket: WebSocket) -> None:
        await Socket(websocket, floor, door, limits).serve()

    app = Starlette(routes=[WebSocketRoute("/ws", serve)])
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port))
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, ws="websockets-sansio", lifespan="off"))
    task = asyncio.create_task(server.serve([listener]))
    try:
        yield listener.getsockname()[1]
    finally:
        server.should_exit = server.force_exit = True
        await task
        listener.close()


class Served:
    """A floor with one table, and everything that a test connects to it."""

    def __init__(self, floor: RunningFloor, door: KeyDoor, url: str, stack: AsyncExitStack) -> None:
        self.floor, self.door, self.url, self._stack = floor, door, url, stack
        self.console = Console(url, door.enrol("console", "console"), EVENTS, token=DEALER)

    @property
    def table(self) -> RunningTable:
        return self.floor.tables["T1"]

    async def station(self, name: str, settings: Settings = EVENTS, cents: int = 0) -> Station:
        """A station over the wire, whose patron buys in."""
        if cents:
            await self.console.ask(say.BuyIn(station=name, cents=cents))
        return await self._stack.enter_async_context(
            Station(self.url, self.door.enrol(name, "station", name), settings)
        )

    async def open_wagering(self, *watching: Connection) -> None:
        await self.console.ask(say.OpenWagering())
        for one in watching:
            await one.until(partial(_is_wagering, one))

    async def enter(self, one: Any) -> Any:
        return await self._stack.enter_async_context(one)


@asynccontextmanager
async def served(
    journal: Journal | None = None, *tables: Configuration, limits: Limits = _FAST
) -> AsyncIterator[Served]:
    """A floor whose console is connected, and whose table is open with a shoe in play."""
    door = KeyDoor()
    async with AsyncExitStack() as stack:
        floor = await stack.enter_async_context(
            running(journal or MemoryJournal(wall_ms), *(tables or (table_for(period_ms=PATIENCE_S * 1000),)))
        )
        port = await stack.enter_async_context(listening(floor, door, limits))
        await until(lambda: floor.tables["T1"].tenure is not None)
        one = Served(floor, door, f"http://127.0.0.1:{port}", stack)
        await one.enter(one.console)
        await open_table(one.console)
        yield one


def _is_wagering(one: Connection) -> bool:
    return one.mirror.phase == Phase.WAGERING.value


async def open_table_at(url: str, door: KeyDoor) -> None:
    async with Console(url, door.enrol("console", "console"), EVENTS, token=DEALER) as console:
        await open_table(console)


async def open_table(console: Console) -> None:
    await console.ask(say.SignOn())
    await console.ask(say.SignOn(), token=SUPERVISOR)
    await console.ask(say.OpenTable())
    await console.ask(say.CheckCards(cards=416), token=SUPERVISOR)
    await console.ask(say.NewShoe())
    await console.ask(say.Cut(at=200), token=SUPERVISOR)
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
