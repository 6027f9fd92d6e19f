"""Two stations and the cage present one ticket at once, at two processes on one database: one gets the money."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import msgspec
import pytest

from sabot.basics.role import Role
from sabot.client.outcome import CommandRefused
from sabot.client.station import Station
from sabot.house.acts import Redeem
from sabot.house.liability import liability
from sabot.house.refusal import HouseRefused
from sabot.house.state import TicketStatus
from sabot.journal.journal import Journal
from sabot.journal.postgres import PostgresJournal
from sabot.ledger.account import TICKETS, ticket_box
from sabot.runtime.floor import RunningFloor
from sabot.table import acts
from sabot.table.configuration import Configuration
from tests.journal.postgres.conftest import (  # noqa: F401  Fixtures.
    Database,
    database,
    migrated_template,
    own_server,
    server_dsn,
)
from tests.runtime.floors import PATIENCE_S, table_for, until
from tests.served.open_table import OpenTable, bring_in_play, console_of
from tests.served.server import listening, opened, visitors_of
from tests.served.staff import passing_vault
from tests.web.test_one_stream_decides import ask

NOTE, TRIES = 5_000, 6
STATIONS = ("A1", "A2")


def _taking_tickets_in() -> Configuration:
    """A3 prints tickets, and every station takes them in."""
    table = table_for("mbs-rapid-no-commission", period_ms=PATIENCE_S * 1000)
    remote = msgspec.structs.replace(table.stations["A3"], remote=True, distance_m=10, printer=True)
    staff = {**table.staff, "CA1": (Role.CASHIER,)}
    return msgspec.structs.replace(table, stations={**table.stations, "A3": remote}, staff=staff)


class Hall:
    """The process that has the table, with two acceptors and a booth; and another with the cage."""

    def __init__(self, east: OpenTable, west: RunningFloor, acceptors: list[Station], booth: tuple[Station, Station]):
        self.east, self.west, self._acceptors, self._booth = east, west, acceptors, booth

    async def ticket(self) -> str:
        """One that both processes know."""
        before = set(self.east.state.tickets)
        station, notes = self._booth
        await notes.ask(acts.Note(cents=NOTE))
        await station.ask(acts.Leave())
        (number,) = set(self.east.state.tickets) - before
        async with asyncio.timeout(PATIENCE_S):
            while number not in self.west.house.state.tickets or not self._is_issued(number):
                await self.west.house.catch_up()
        return number

    def _is_issued(self, number: str) -> bool:
        return self.west.house.state.tickets[number].status is TicketStatus.ISSUED

    async def put_in(self, nth: int, number: str) -> bool:
        """Whether the station was credited, so that its acceptor stacks the paper."""
        try:
            await self._acceptors[nth].ask(acts.InsertTicket(ticket=number))
        except CommandRefused as refused:
            return _is_expected(refused.code)
        return True

    async def redeem(self, number: str) -> bool:
        decision = await ask(self.west, Redeem(ticket=number), "CA1")
        return _is_expected(decision.code) if isinstance(decision, HouseRefused) else True


def _is_expected(code: str) -> bool:
    """Refused, since another was quicker."""
    assert code in {"in_escrow", "paid_already"}, code
    return False


@asynccontextmanager
async def hall(journal: Journal, other: Journal) -> AsyncIterator[Hall]:
    async with AsyncExitStack() as stack:
        vault, table = await stack.enter_async_context(passing_vault()), _taking_tickets_in()
        east = await stack.enter_async_context(opened(vault, journal, table, alone=False))
        await until(lambda: east.floor.tables["T1"].term)
        west = (await stack.enter_async_context(opened(vault, other, table, owner="west", alone=False))).floor
        visitors = visitors_of(east)
        url = await stack.enter_async_context(listening(east, visitors=visitors))
        floor = OpenTable(east, url, visitors, stack)
        floor.console = await floor.enter(await console_of(floor))
        await bring_in_play(floor, floor.console, shoe=False)
        acceptors = [await floor.acceptor(name) for name in STATIONS]
        yield Hall(floor, west, acceptors, (await floor.station("A3"), await floor.acceptor("A3")))


@pytest.mark.clause("G-235")
def test_presented_at_two_stations_and_the_cage_at_once_a_ticket_is_paid_once(database: Database) -> None:  # noqa: F811
    async def run() -> None:
        journal, other = [await PostgresJournal.open(database.application) for _ in range(2)]
        try:
            async with asyncio.timeout(PATIENCE_S), hall(journal, other) as floor:
                tickets = [await floor.ticket() for _ in range(TRIES)]
                paid = [0, 0, 0]
                for number in tickets:
                    took = await asyncio.gather(floor.put_in(0, number), floor.put_in(1, number), floor.redeem(number))
                    assert sum(took) == 1, f"ticket {number}: stations and cage say {took}"
                    paid = [sum(pair) for pair in zip(paid, took, strict=True)]
                state, house = floor.east.state, floor.east.floor.house
                await until(lambda: not house.state.in_escrow)
                await house.catch_up()
                assert [state.purse(name).balance for name in STATIONS] == [NOTE * one for one in paid[:2]]
                assert [state.ledger.balance(ticket_box(name)) for name in STATIONS] == [NOTE * one for one in paid[:2]]
                days = house.state.days.values()
                assert (sum(day.taken_in for day in days), sum(day.paid for day in days)) == (
                    NOTE * sum(paid[:2]),
                    NOTE * paid[2],
                )
                assert house.state.ledger.balance(TICKETS) == 0
                assert liability(house.state).agrees
        finally:
            await journal.close()
            await other.close()

    asyncio.run(run())
