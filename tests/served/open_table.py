"""A served floor whose table is open: its dealer at a connected console, and stations as a test wants them."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial, wraps
from typing import Any, ParamSpec, TypeVar

from sabot.client.connection import Connection, Settings
from sabot.client.console import Console
from sabot.client.station import Station
from sabot.journal.journal import Journal
from sabot.journal.keys import SigningKey
from sabot.table import acts
from sabot.table.configuration import Configuration
from sabot.table.phase import Phase
from sabot.web.door.visitors import Visitors
from sabot.web.serving.floor_file import DoorPart
from sabot.web.serving.process import Premises
from sabot.web.socket.socket import SocketLimits
from tests.runtime.floors import PATIENCE_S, table_for
from tests.served.device import EVENTS
from tests.served.server import UNHURRIED, Served, served

DEALER, SUPERVISOR = "D1", "GS1"
P = ParamSpec("P")
Entered = TypeVar("Entered", bound=Connection)


class OpenTable(Served):
    """A floor with one open table, and everything that a test connects to it until the floor is left."""

    def __init__(self, premises: Premises, url: str, visitors: Visitors, stack: AsyncExitStack) -> None:
        super().__init__(premises, url, visitors)
        self._stack = stack
        self.console: Console

    async def enter(self, connection: Entered) -> Entered:
        """Connected until the floor is left."""
        await connection.__aenter__()
        self._stack.push_async_callback(connection.close)
        return connection

    async def station(self, name: str, settings: Settings = EVENTS, cents: int = 0) -> Station:
        """A station whose patron buys in."""
        if cents:
            await self.console.ask(acts.BuyIn(station=name, cents=cents))
        return await self.enter(Station(self.url, await self.enrol(name), settings))

    async def acceptor(self, station: str) -> Station:
        """A note acceptor, whose commands are the simplest to tell apart: each is worth its note."""
        identity = await self.enrol(f"{station}-notes", "note_acceptor", station)
        return await self.enter(Station(self.url, identity, EVENTS))

    async def open_wagering(self, *watching: Connection) -> None:
        await self.console.ask(acts.Open())
        for one in watching:
            await one.until(partial(_is_wagering, one))


@asynccontextmanager
async def open_table(
    journal: Journal | None = None,
    *tables: Configuration,
    limits: SocketLimits = UNHURRIED,
    door: DoorPart = DoorPart(),  # noqa: B008  It never changes.
    shoe: bool = True,
    console_settings: Settings = EVENTS,
    key: SigningKey | None = None,
) -> AsyncIterator[OpenTable]:
    """With a shoe in play, unless told otherwise; wagering closes only when somebody closes it."""
    unhurried = table_for(period_ms=PATIENCE_S * 1000)
    async with (
        served(journal, *(tables or (unhurried,)), limits=limits, door=door, key=key) as floor,
        AsyncExitStack() as stack,
    ):
        table = OpenTable(floor.premises, floor.url, floor.visitors, stack)
        table.console = await table.enter(await console_of(table, console_settings))
        await bring_in_play(table, table.console, shoe=shoe)
        yield table


def _is_wagering(one: Connection) -> bool:
    return one.mirror.phase == Phase.WAGERING.value


async def console_of(floor: Served, settings: Settings = EVENTS, table: str = "T1") -> Console:
    """The dealer's console, which is not connected yet."""
    identity = await floor.enrol("console" if table == "T1" else f"console-{table}", "console", table=table)
    return Console(floor.url, identity, settings, token=await floor.token(DEALER, identity.device))


async def bring_in_play(floor: Served, console: Console, *, shoe: bool = True) -> None:
    """Open the table, and bring in a shoe with the supervisor."""
    if shoe:
        await open_with_shoe(console, await floor.token(SUPERVISOR, console.identity.device))
    else:
        await console.ask(acts.SignOn())
        await console.ask(acts.OpenTable())


async def open_with_shoe(console: Console, supervisor: str) -> None:
    """Open the table with the supervisor whose token this is, and bring in a shoe."""
    await console.ask(acts.SignOn())
    await console.ask(acts.OpenTable())
    await console.ask(acts.SignOn(), token=supervisor)
    await console.ask(acts.CheckCards(cards=416), token=supervisor)
    await console.ask(acts.NewShoe())
    await console.ask(acts.Cut(at=200), token=supervisor)
    await console.ask(acts.Burn())


def over_the_wire(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """A test that awaits, as a plain function."""

    @wraps(test)
    def run(*values: P.args, **named: P.kwargs) -> None:
        async def within() -> None:
            async with asyncio.timeout(PATIENCE_S * 2):
                await test(*values, **named)

        asyncio.run(within())

    return run
