"""Over real sockets and real databases: a ticket is paid once, and who deals at one process deals at every one."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path

import msgspec
import pytest

from sabot.basics.role import Role
from sabot.client.outcome import CommandRefused
from sabot.client.station import Station
from sabot.floor.records.record_codec import HOUSE, read_answer, read_events, read_house_events, table_stream
from sabot.floor.stamper import Giver, stamp_for_house
from sabot.house.acts import Exclude, HouseAct, Redeem, Reinstate
from sabot.house.events import HouseEvent, TicketRedeemed
from sabot.house.refusal import HouseRefused
from sabot.house.state import TicketStatus
from sabot.journal.journal import Journal
from sabot.journal.postgres import PostgresJournal
from sabot.journal.sqlite import open_sqlite
from sabot.runtime.floor import RunningFloor
from sabot.table import acts
from sabot.table.configuration import Configuration
from sabot.table.events import Event, TicketPaidManually
from tests.journal.postgres.conftest import (  # noqa: F401  Fixtures.
    Database,
    database,
    migrated_template,
    own_server,
    server_dsn,
)
from tests.runtime.floors import PATIENCE_S, table_for, until, wall_ms
from tests.served.open_table import OpenTable, bring_in_play, console_of
from tests.served.server import listening, opened, visitors_of
from tests.served.staff import passing_vault

NOTE = 5_000
TRIES_ALONE, TRIES_OF_TWO = 16, 6


def _with_printer() -> Configuration:
    """A table whose A1 stands away from it and prints; its Casino Supervisor and its cashier may deal."""
    table = table_for(period_ms=PATIENCE_S * 1000)
    remote = msgspec.structs.replace(table.stations["A1"], remote=True, distance_m=10, printer=True)
    staff = {**table.staff, "CS1": (Role.CASINO_SUPERVISOR, Role.DEALER), "CA1": (Role.CASHIER,)}
    return msgspec.structs.replace(table, stations={**table.stations, "A1": remote}, staff=staff)


class Pit:
    """The process that has the table, with a console and a remote station; and another that shares its journal."""

    def __init__(self, east: OpenTable, west: RunningFloor, station: Station, notes: Station) -> None:
        self.east, self.west, self._station, self._notes = east, west, station, notes
        self.supervisor = ""

    async def ticket(self) -> str:
        """A ticket whose printing has failed, as both processes know."""
        before = set(self.east.state.tickets)
        await self._notes.ask(acts.Note(cents=NOTE))
        await self._station.ask(acts.Leave())
        (number,) = set(self.east.state.tickets) - before
        await until(lambda: self._is_issued(number))
        await self.east.console.ask(acts.PrintFailed(ticket=number, fault="jam"), token=self.supervisor)
        for floor in {self.east.floor, self.west}:
            await self._closed_to_the_cage(floor, number)
        return number

    def _is_issued(self, number: str) -> bool:
        return self.east.floor.house.state.tickets[number].status is TicketStatus.ISSUED

    async def _closed_to_the_cage(self, floor: RunningFloor, number: str) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while number not in floor.house.state.tickets or not floor.house.state.tickets[number].faulted:
                await floor.house.catch_up()

    async def pay_by_hand(self, number: str) -> None:
        """Unless the house was quicker and refuses."""
        with suppress(CommandRefused):
            await self.east.console.ask(acts.ManualPay(ticket=number, reason="jam"), token=self.supervisor)


async def ask(floor: RunningFloor, act: HouseAct, by: str, second: str = "") -> tuple[HouseEvent, ...] | HouseRefused:
    """As a desk does, by the picture that this process has of the house."""
    return await floor.house.ask(act, stamp_for_house(type(act), Giver(by, second), floor.house.state))


async def reinstate(floor: RunningFloor, number: str) -> None:
    await ask(floor, Reinstate(ticket=number, reason="found"), "CS1", "GS1")


async def redeem(floor: RunningFloor, number: str) -> None:
    await ask(floor, Redeem(ticket=number), "CA1")


async def pay_at_the_cage(floor: RunningFloor, number: str) -> None:
    await reinstate(floor, number)
    await redeem(floor, number)


@asynccontextmanager
async def pit(journal: Journal, other: Journal | None = None) -> AsyncIterator[Pit]:
    """With `other`, a second process on a connection of its own."""
    async with AsyncExitStack() as stack:
        vault = await stack.enter_async_context(passing_vault())
        table, alone = _with_printer(), other is None
        east = await stack.enter_async_context(opened(vault, journal, table, alone=alone))
        await until(lambda: east.floor.tables["T1"].term)
        west = east.floor
        if other is not None:
            west = (await stack.enter_async_context(opened(vault, other, table, owner="west", alone=False))).floor
        visitors = visitors_of(east)
        url = await stack.enter_async_context(listening(east, visitors=visitors))
        floor = OpenTable(east, url, visitors, stack)
        floor.console = await floor.enter(await console_of(floor))
        await bring_in_play(floor, floor.console, shoe=False)
        made = Pit(floor, west, await floor.station("A1"), await floor.acceptor("A1"))
        made.supervisor = await floor.token("CS1")
        yield made


async def paid(journal: Journal) -> dict[str, list[str]]:
    """How each ticket was paid, by the records of both streams."""
    found: dict[str, list[str]] = {}
    events: list[Event | HouseEvent] = []
    async for record in journal.read(HOUSE):
        events += read_house_events(read_answer(record.entry))
    async for record in journal.read(table_stream("T1")):
        accepted = read_answer(record.entry).accepted
        events += () if accepted is msgspec.UNSET else read_events(accepted)
    for event in events:
        if isinstance(event, TicketRedeemed | TicketPaidManually):
            found.setdefault(event.ticket, []).append(type(event).__name__)
    return found


@pytest.mark.clause("CROWN 6.7.2(b)")
def test_given_together_a_payment_by_hand_and_a_reinstating_pay_once(tmp_path: Path) -> None:
    async def run() -> None:
        journal = await open_sqlite(tmp_path / "journal", now_ms=wall_ms)
        try:
            async with asyncio.timeout(PATIENCE_S), pit(journal) as floor:
                tickets = [await floor.ticket() for _ in range(TRIES_ALONE)]
                for nth, number in enumerate(tickets):
                    cage = pay_at_the_cage if nth % 2 else reinstate
                    await asyncio.gather(floor.pay_by_hand(number), cage(floor.west, number))
                    await redeem(floor.west, number)
            assert {number: len(ways) for number, ways in (await paid(journal)).items()} == dict.fromkeys(tickets, 1)
        finally:
            await journal.close()

    asyncio.run(run())


@pytest.mark.clause("CROWN 6.7.2(b)")
def test_one_after_the_other_at_two_processes_they_pay_once(database: Database) -> None:  # noqa: F811
    """Whichever comes first, while the other process still has the picture from before."""

    async def run() -> None:
        journal, other = [await PostgresJournal.open(database.application) for _ in range(2)]
        try:
            async with asyncio.timeout(PATIENCE_S), pit(journal, other) as floor:
                tickets = [await floor.ticket() for _ in range(TRIES_OF_TWO)]
                for nth, number in enumerate(tickets):
                    if nth % 2:
                        await floor.pay_by_hand(number)
                        await reinstate(floor.west, number)
                    else:
                        await reinstate(floor.west, number)
                        await floor.pay_by_hand(number)
                    await redeem(floor.west, number)
            how = await paid(journal)
            assert [how[number] for number in tickets] == [["TicketRedeemed"], ["TicketPaidManually"]] * 3
        finally:
            await journal.close()
            await other.close()

    asyncio.run(run())


@pytest.mark.clause("G-99")
def test_who_deals_at_one_process_excludes_nobody_at_another(database: Database) -> None:  # noqa: F811
    """The other process has not even read that the person signed on: the house's own record decides."""

    async def run() -> None:
        journal, other = [await PostgresJournal.open(database.application) for _ in range(2)]
        try:
            async with asyncio.timeout(PATIENCE_S), pit(journal, other) as floor:
                exclude = Exclude(patron="P7", reason="noise")
                before = floor.west.house.state
                await floor.east.console.ask(acts.SignOn(as_role=Role.DEALER), token=floor.supervisor)
                stale = stamp_for_house(Exclude, Giver("CS1"), before)
                assert stale.role is Role.CASINO_SUPERVISOR
                for floor_asked in (floor.west, floor.east.floor):
                    refused = await floor_asked.house.ask(exclude, stale)
                    assert isinstance(refused, HouseRefused)
                    assert (refused.code, refused.clause) == ("at_work", "G-99")
                await floor.west.read_house()
                refused = await ask(floor.west, exclude, "CS1")
                assert isinstance(refused, HouseRefused)
                assert refused.code == "wrong_role"
                await floor.east.console.ask(acts.SignOff(), token=floor.supervisor)
                async with asyncio.timeout(PATIENCE_S):
                    while "CS1" in floor.west.house.state.at_work:
                        await floor.west.read_house()
                assert not isinstance(await ask(floor.west, exclude, "CS1"), HouseRefused)
        finally:
            await journal.close()
            await other.close()

    asyncio.run(run())
