"""A floor behind real sockets in the test's own process, on any journal: what `sabot serve` opens, and its paths."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from sabot.basics.role import Role
from sabot.basics.stamp import Stamp, operator_stamp
from sabot.client.connection import Identity
from sabot.client.key import DeviceKey
from sabot.house.acts import ConfigureHouse, Revoke
from sabot.house.refusal import HouseRefused
from sabot.house.state import DeviceKind
from sabot.journal.journal import Journal
from sabot.journal.keys import SigningKey
from sabot.journal.memory import MemoryJournal
from sabot.runtime.table_runner import RunningTable
from sabot.table.configuration import Configuration
from sabot.table.state import TableState
from sabot.web.door.hosts import Hosts
from sabot.web.door.visitors import Visitors
from sabot.web.http.desks import Desks
from sabot.web.http.floor_routes import FloorRoutes
from sabot.web.http.identity_routes import IdentityRoutes
from sabot.web.http.operation import Gate
from sabot.web.http.pages import page_routes
from sabot.web.http.protection import Protection
from sabot.web.identity.enrolments import Granted
from sabot.web.identity.identities import Identities
from sabot.web.identity.pin import PinHasher
from sabot.web.identity.vault import Vault
from sabot.web.reports.desk import ReportDesk
from sabot.web.serving.certificate import TlsFiles
from sabot.web.serving.floor_file import DoorPart, Floor, FloorFile, LimitsPart
from sabot.web.serving.listening import Listening
from sabot.web.serving.process import Premises
from sabot.web.serving.server import Server, bound, server_config
from sabot.web.socket.entrance import Entrance, FloorDesk
from sabot.web.socket.rates import Rates
from sabot.web.socket.socket import Socket, SocketLimits
from tests.cli.loaded import CHEAP
from tests.runtime.floors import Clocks, running, until, wall_ms
from tests.served.device import FLOOR, Wire, proved
from tests.served.staff import DESKS, PINS, SUPERVISORS, passing_vault

UNHURRIED = SocketLimits(frames_a_second=10_000, frames_at_once=10_000)


@asynccontextmanager
async def opened(
    vault: Vault,
    journal: Journal,
    *tables: Configuration,
    limits: SocketLimits = UNHURRIED,
    door: DoorPart = DoorPart(),  # noqa: B008  It never changes.
    owner: str = "east",
    alone: bool = True,
    clocks: Clocks | None = None,
    key: SigningKey | None = None,
) -> AsyncIterator[Premises]:
    """The premises of one process of a floor, which runs on a journal and a vault that the test has.

    One that is alone has its tables; among several the test says who is to have them.
    """
    said = LimitsPart(limits.frames_a_second, limits.frames_at_once)
    wanted = FloorFile(floor=FLOOR, tables=(), limits=said, door=door)
    async with running(journal, *tables, owner=owner, alone=alone, clocks=clocks, key=key) as floor:
        identities = Identities(vault, FloorDesk(floor), PinHasher(CHEAP), wall_ms, FLOOR)
        floor.house.listen(identities.listen)
        if alone:
            await until(lambda: all(table.term for table in floor.tables.values()))
        try:
            yield Premises(
                Floor(wanted, ()), floor, identities, vault, Entrance(floor, identities), {}, "", ReportDesk("")
            )
        finally:
            await identities.settle()


def visitors_of(premises: Premises) -> Visitors:
    """Nobody yet, and as many as the floor's file allows."""
    return Visitors(premises.wanted.file.door, premises.floor.backing.counters.cut_off)


@asynccontextmanager
async def listening(
    premises: Premises, *, port: int = 0, tls: TlsFiles | None = None, visitors: Visitors | None = None
) -> AsyncIterator[str]:
    """Serve them; gives the address. Devices that are connected at the end are cut off, and the floor goes on."""
    own, knocking = bound(Listening(port=port))
    origins = own.origins(tls=tls is not None)
    app = Protection(_paths(premises), origins, tls=tls is not None)
    server = Server(server_config(app, own, tls), Hosts(origins, own.port), visitors or visitors_of(premises))
    serving = asyncio.create_task(server.serve([knocking]))
    try:
        await until(lambda: server.started)
        yield origins[0]
    finally:
        server.should_exit = server.force_exit = True
        await serving
        knocking.close()


def _paths(premises: Premises) -> Starlette:
    """What devices and pages ask for. The whole application describes itself, too, which takes longer than the rest."""
    rates = Rates(premises.wanted.file.limits.rate)
    operations = (
        *IdentityRoutes(premises.identities, Desks(DESKS)).operations(),
        *FloorRoutes(premises.floor, premises.identities, premises.reports).operations(),
    )

    async def socket(websocket: WebSocket) -> None:
        await Socket(websocket, premises.floor, premises.entrance, rates).serve()

    routes = Gate(premises.identities.sessions, premises.identities.services, wall_ms).routes(operations)
    return Starlette(routes=[WebSocketRoute("/ws", socket), *routes, *page_routes()])


class Served:
    """A floor that listens, and the devices that were enrolled there."""

    def __init__(self, premises: Premises, url: str, visitors: Visitors | None = None) -> None:
        self.premises, self.url = premises, url
        self.visitors = visitors or visitors_of(premises)
        self.floor, self.identities = premises.floor, premises.identities
        self.enrolled: dict[str, Identity] = {}

    @property
    def socket(self) -> str:
        return f"{self.url.replace('http', 'ws', 1)}/ws"

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    @property
    def cut_off(self) -> Counter[str]:
        """Connections that were refused or cut off, by reason."""
        return self.floor.backing.counters.cut_off

    @property
    def table(self) -> RunningTable:
        return self.floor.tables["T1"]

    @property
    def state(self) -> TableState:
        term = self.table.term
        assert term is not None
        return term.state

    def balance(self, station: str) -> int:
        return self.state.purse(station).balance

    async def invite(
        self, device: str, kind: str, station: str = "", table: str = "T1", places: dict[str, str] | None = None
    ) -> str:
        """The code of an invitation that two persons wrote."""
        granted = Granted(
            device=device, table=table, approval=f"test {device}", station=station or None, places=places or {}
        )
        return await self.identities.enrolments.invite(DeviceKind(kind), granted, SUPERVISORS)

    async def enrol(
        self,
        device: str,
        kind: str = "station",
        station: str = "",
        table: str = "T1",
        places: dict[str, str] | None = None,
    ) -> Identity:
        identity = self.enrolled[device] = Identity(device, DeviceKey.make())
        code = await self.invite(device, kind, station, table, places)
        await self.identities.enrolments.accept(code, identity.key.public)
        return identity

    async def allow_several_tables(self) -> None:
        """As the operator does, before a station is enrolled for more than one."""
        answer = await self.floor.house.ask(ConfigureHouse(several_tables=True), operator_stamp())
        assert not isinstance(answer, HouseRefused)

    async def revoke(self, device: str) -> None:
        stamp = Stamp(by="CS1", role=Role.CASINO_SUPERVISOR)
        assert not isinstance(await self.floor.house.ask(Revoke(device=device, reason="a test"), stamp), HouseRefused)

    def connected(self, device: str, table: str = "") -> AbstractAsyncContextManager[Wire]:
        return proved(self.socket, self.enrolled[device], table)

    async def token(self, person: str, device: str = "console") -> str:
        """What a person who signs on at a console gets."""
        return (await self.identities.sessions.sign_on(person, PINS[person], device, "127.0.0.1")).token


@asynccontextmanager
async def served(
    journal: Journal | None = None,
    *tables: Configuration,
    limits: SocketLimits = UNHURRIED,
    door: DoorPart = DoorPart(),  # noqa: B008  It never changes.
    key: SigningKey | None = None,
) -> AsyncIterator[Served]:
    """A floor whose tables are taken and whose crew have PINs; it has no devices yet."""
    async with (
        passing_vault() as vault,
        opened(vault, journal or MemoryJournal(wall_ms), *tables, limits=limits, door=door, key=key) as premises,
    ):
        visitors = visitors_of(premises)
        async with listening(premises, visitors=visitors) as url:
            yield Served(premises, url, visitors)
