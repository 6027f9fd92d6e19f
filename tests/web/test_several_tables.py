"""One station at two tables of a served floor: a connection, an account and a fate of its own at each."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
from websockets.exceptions import ConnectionClosed

from sabot.client.connection import Settings
from sabot.client.console import Console
from sabot.client.station import Station
from sabot.rules.rule_set import Bet
from sabot.runtime.floor import REVOKED
from sabot.table import acts
from sabot.table.state import TableState
from sabot.views.floor import floor_view
from sabot.web.http.refusal import Refusal
from sabot.web.socket.socket import GOODBYE, SocketLimits
from sabot.wire.frames import TURNED_AWAY
from tests.runtime.floors import PATIENCE_S, table_for
from tests.served.device import EVENTS, Wire
from tests.served.open_table import bring_in_play, console_of, over_the_wire
from tests.served.server import UNHURRIED, Served, served

TABLES = {name: table_for(period_ms=PATIENCE_S * 1000, name=name) for name in ("T1", "T2", "T3")}
CENTS = 100_000
CHIP = 2_500
PLACES = {"T1": "A1", "T2": "A3"}


class Pit:
    """Two open tables, a terminal that is A1 of one and A3 of the other, and a third table that it is not at."""

    def __init__(self, floor: Served, consoles: dict[str, Console]) -> None:
        self.floor, self.consoles = floor, consoles

    def state(self, table: str) -> TableState:
        term = self.floor.floor.tables[table].term
        assert term is not None
        return term.state

    def purse(self, table: str) -> tuple[int, int]:
        purse = self.state(table).purse(PLACES[table])
        return purse.balance, purse.wagered


@asynccontextmanager
async def a_pit(limits: SocketLimits = UNHURRIED) -> AsyncIterator[Pit]:
    async with served(None, *TABLES.values(), limits=limits) as floor, AsyncExitStack() as stack:
        await floor.allow_several_tables()
        await floor.enrol("S-17", station="A1", places={"T2": "A3"})
        consoles = {}
        for table, station in PLACES.items():
            console = await stack.enter_async_context(await console_of(floor, table=table))
            await bring_in_play(floor, console)
            await console.ask(acts.BuyIn(station=station, cents=CENTS))
            await console.ask(acts.Open())
            consoles[table] = console
        yield Pit(floor, consoles)


async def _code(floor: Served, device: str, table: str) -> int:
    """The code with which the floor closes a connection that it does not take."""
    with pytest.raises(ConnectionClosed) as closed:
        async with floor.connected(device, table):
            pass
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code


async def _wager(wire: Wire, cents: int = CHIP) -> dict[str, object]:
    return await wire.answer(1, do="set_wager", bet="banker", cents=cents)


@over_the_wire
async def test_each_connection_wagers_at_its_own_table_from_its_own_account() -> None:
    async with a_pit() as pit, pit.floor.connected("S-17") as first, pit.floor.connected("S-17", "T2") as second:
        assert [one.heard[-1]["places"] for one in (first, second)] == [PLACES, PLACES]
        assert [(one.heard[-1]["table"], one.heard[-1]["station"]) for one in (first, second)] == [*PLACES.items()]
        shown = [(await one.hello(feed="views"))["view"] for one in (first, second)]
        assert [(one["table"]["name"], one["station"]["name"]) for one in shown] == [*PLACES.items()]
        for wire, cents in ((first, CHIP), (second, 2 * CHIP)):
            assert (await _wager(wire, cents))["layout"] == {"banker": cents}
        assert (pit.purse("T1"), pit.purse("T2")) == ((CENTS - CHIP, CHIP), (CENTS - 2 * CHIP, 2 * CHIP))
        other = await second.answer(1, do="set_wager", bet="banker", cents=CHIP, station="A1")
        assert other["refusal"]["code"] == "other_station", "at the second table it is A3 and nobody else"
        for table, console in pit.consoles.items():
            await console.ask(acts.Close())
            coup = pit.state(table).coup
            assert coup is not None
            assert [*coup.sealed] == [PLACES[table]], "each table seals its own wagers"


@over_the_wire
async def test_one_table_is_frozen_and_the_other_plays_on() -> None:
    async with a_pit() as pit, pit.floor.connected("S-17") as first, pit.floor.connected("S-17", "T2") as second:
        for wire in (first, second):
            await wire.hello(feed="events")
        await pit.consoles["T1"].ask(acts.Freeze())
        assert (await _wager(first))["refusal"]["clause"] == "CROWN 11.11"  # type: ignore[index]
        assert "refusal" not in await _wager(second)
        assert (pit.purse("T1"), pit.purse("T2")) == ((CENTS, 0), (CENTS - CHIP, CHIP))


@over_the_wire
async def test_the_link_to_one_table_is_lost_and_the_other_stays() -> None:
    async with a_pit() as pit:
        identity = pit.floor.enrolled["S-17"]
        at_t2 = Settings(feed="events", table="T2", open_within_s=PATIENCE_S)
        async with Station(pit.floor.url, identity, EVENTS) as first, Station(pit.floor.url, identity, at_t2) as second:
            assert (first.name, second.name) == ("A1", "A3")
            second.cut()
            await first.ask(acts.SetWager(bet=Bet("banker"), cents=CHIP))
            await second.ask(acts.SetWager(bet=Bet("player"), cents=CHIP))  # It has come back by itself.
            assert first.in_touch
        assert (pit.purse("T1"), pit.purse("T2")) == ((CENTS - CHIP, CHIP), (CENTS - CHIP, CHIP))


@over_the_wire
async def test_a_second_connection_to_one_table_replaces_the_first_there_and_no_other() -> None:
    async with a_pit() as pit, pit.floor.connected("S-17") as first, pit.floor.connected("S-17", "T2") as second:
        for wire in (first, second):
            await wire.hello(feed="events")
        async with pit.floor.connected("S-17", "T2") as newer:
            await newer.hello(feed="events")
            await second.frame("bye")
            assert "refusal" not in await _wager(newer)
        assert "refusal" not in await _wager(first)


@over_the_wire
async def test_a_table_that_is_not_among_its_places_is_refused() -> None:
    async with a_pit() as pit:
        assert [await _code(pit.floor, "S-17", table) for table in ("T3", "T9")] == [GOODBYE, GOODBYE]
        async with pit.floor.connected("console", "T1"):
            pass
        assert await _code(pit.floor, "console", "T2") == GOODBYE


@over_the_wire
async def test_a_revocation_ends_the_connections_to_all_its_tables() -> None:
    async with a_pit() as pit, pit.floor.connected("S-17") as first, pit.floor.connected("S-17", "T2") as second:
        await first.hello(feed="views")
        await second.hello(feed="views")
        await pit.floor.revoke("S-17")
        assert [(await one.frame("bye"))["why"] for one in (first, second)] == [REVOKED, REVOKED]
        assert [await _code(pit.floor, "S-17", table) for table in ("", "T2", "T3")] == [TURNED_AWAY] * 3
        await pit.floor.enrol("S-18", station="A3", table="T2")  # Its places are free.


@over_the_wire
async def test_nobody_is_enrolled_for_several_tables_unless_the_house_allows_it() -> None:
    async with served(None, *TABLES.values()) as floor:
        with pytest.raises(Refusal) as no:
            await floor.enrol("S-17", station="A1", places={"T2": "A3"})
        assert no.value.code == "several_tables_off"
        await floor.allow_several_tables()
        await floor.enrol("S-17", station="A1", places={"T2": "A3"})
        (line,) = floor_view(floor.floor.house.state, {}).devices
        assert line.places == PLACES


@over_the_wire
async def test_haste_at_one_table_is_not_counted_at_the_other() -> None:
    hurried = SocketLimits(frames_a_second=0.1, frames_at_once=30)
    async with a_pit(hurried) as pit, pit.floor.connected("S-17") as first, pit.floor.connected("S-17", "T2") as second:
        await first.hello(feed="events")
        while (await _wager(first))["type"] == "answer":
            pass
        assert first.heard[-1]["code"] == "too_fast"
        await second.hello(feed="events")
        assert (await _wager(second))["type"] == "answer"
