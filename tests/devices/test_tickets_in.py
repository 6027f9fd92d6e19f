"""A ticket that is put into a station is credited once and stacked, or returned and good, whatever fails in between."""

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import msgspec
import pytest

from sabot.basics.role import Role
from sabot.basics.stamp import Stamp
from sabot.devices.note_driver import NoteDriver
from sabot.devices.simulated_acceptor import JAM, SimulatedAcceptor
from sabot.floor.records.record_codec import HOUSE, table_stream
from sabot.house.acts import Redeem
from sabot.house.events import HouseEvent
from sabot.house.refusal import HouseRefused
from sabot.house.state import TicketStatus
from sabot.journal.journal import Journal
from sabot.journal.record import Record
from sabot.table import acts
from sabot.table.configuration import Configuration
from tests.client.hesitant import HesitantJournal
from tests.devices.cctalk_slot import fitted_port
from tests.devices.fitted import Machine
from tests.runtime.floors import PATIENCE_S, table_for, until
from tests.served.open_table import OpenTable, open_table

NOTE = 5_000


def a_table(rule_set: str = "mbs-rapid-no-commission") -> Configuration:
    """A3 stands away from the table and prints tickets."""
    table = table_for(rule_set, period_ms=PATIENCE_S * 1000)
    remote = msgspec.structs.replace(table.stations["A3"], remote=True, distance_m=10, printer=True)
    staff = {**table.staff, "CA1": (Role.CASHIER,)}
    return msgspec.structs.replace(table, stations={**table.stations, "A3": remote}, staff=staff)


class Stops(HesitantJournal):
    """The journal waits before the records of one stream, once there is a ticket to put in."""

    def __init__(self) -> None:
        super().__init__()
        self.stream = ""
        self.waits = False
        """Whether something has waited."""

    def hesitates_over(self, stream: str, records: Sequence[Record]) -> bool:  # noqa: ARG002
        self.waits = self.waits or (stream == self.stream and not self.goes_on.is_set())
        return stream == self.stream


class Slot:
    """An acceptor at A1 with its machine, and a booth that issues tickets."""

    def __init__(self, floor: OpenTable, machine: Machine) -> None:
        self.floor, self.machine = floor, machine
        self.acceptor = SimulatedAcceptor()
        self.attention: list[str] = []

    def start(self) -> None:
        self.acceptor.power_on()
        driver = NoteDriver(self.acceptor, self.machine.connection(), self.attention.append)
        self.machine.start(driver.run)

    async def lose_power(self) -> None:
        self.acceptor.power_off()
        await self.machine.stop()

    async def insert(self, number: str) -> None:
        await until(lambda: self.acceptor.insert_ticket(number))

    @property
    def credited(self) -> int:
        return self.floor.balance("A1")

    def status(self, number: str) -> TicketStatus:
        return self.floor.floor.house.state.tickets[number].status

    async def redeem(self, number: str) -> tuple[HouseEvent, ...] | HouseRefused:
        cashier = Stamp(by="CA1", role=Role.CASHIER)
        return await self.floor.floor.house.ask(Redeem(ticket=number), cashier)


class Booth:
    def __init__(self, floor: OpenTable) -> None:
        self._floor = floor

    async def open(self) -> "Booth":
        self._station = await self._floor.station("A3")
        self._notes = await self._floor.acceptor("A3")
        return self

    async def ticket(self) -> str:
        before = set(self._floor.state.tickets)
        await self._notes.ask(acts.Note(cents=NOTE))
        await self._station.ask(acts.Leave())
        (number,) = set(self._floor.state.tickets) - before
        await until(lambda: self._is_issued(number))
        return number

    def _is_issued(self, number: str) -> bool:
        known = self._floor.floor.house.state.tickets.get(number)
        return known is not None and known.status is TicketStatus.ISSUED


@asynccontextmanager
async def a_slot(
    folder: Path, journal: Journal | None = None, rule_set: str = "mbs-rapid-no-commission"
) -> AsyncIterator[tuple[Slot, Booth]]:
    async with asyncio.timeout(PATIENCE_S), open_table(journal, a_table(rule_set), shoe=False) as floor:
        identity = await floor.enrol("A1-notes", "note_acceptor", "A1")
        slot = Slot(floor, Machine(floor.url, identity, folder))
        try:
            yield slot, await Booth(floor).open()
        finally:
            await slot.lose_power()


@pytest.mark.clause("G-235")
def test_a_ticket_is_stacked_when_its_credit_is_recorded_and_returned_when_it_is_refused(tmp_path: Path) -> None:
    async def play() -> None:
        journal = Stops()
        async with a_slot(tmp_path, journal) as (slot, booth):
            number, paid = await booth.ticket(), await booth.ticket()
            assert not isinstance(await slot.redeem(paid), HouseRefused)
            slot.start()
            await until(lambda: "A1-notes" in slot.floor.table.links)
            journal.stream = table_stream("T1")
            journal.goes_on.clear()
            await slot.insert(number)
            await until(lambda: slot.floor.table.term is not None and slot.floor.table.term.append)
            assert (slot.status(number), slot.acceptor.tickets, slot.credited) == (TicketStatus.IN_ESCROW, [], 0)
            refused = await slot.redeem(number)
            assert isinstance(refused, HouseRefused)
            assert refused.code == "in_escrow"
            journal.goes_on.set()
            await until(lambda: slot.acceptor.tickets == [number])
            assert slot.credited == NOTE
            await until(lambda: slot.status(number) is TicketStatus.TAKEN_IN)
            for returned in (paid, "999999999999999997", "999999999999999998"):
                await slot.insert(returned)
                await until(lambda: returned in slot.acceptor.tickets_given_back)  # noqa: B023  It is awaited here.
            assert (slot.credited, slot.acceptor.tickets, slot.attention) == (NOTE, [number], [])

    asyncio.run(play())


@pytest.mark.clause("G-62")
def test_under_crown_a_ticket_is_returned_and_stays_good(tmp_path: Path) -> None:
    async def play() -> None:
        async with a_slot(tmp_path, rule_set="crown-traditional") as (slot, booth):
            number = await booth.ticket()
            slot.start()
            await slot.insert(number)
            await until(lambda: slot.acceptor.tickets_given_back == [number])
            assert slot.credited == 0
            assert not isinstance(await slot.redeem(number), HouseRefused)

    asyncio.run(play())


@pytest.mark.clause("G-235")
@pytest.mark.parametrize("stream", [HOUSE, table_stream("T1")], ids=["at the house", "at the table"])
@pytest.mark.parametrize("written", [False, True], ids=["before it is written", "after it"])
def test_a_ticket_in_escrow_outlasts_a_loss_of_power_and_is_credited_once(
    tmp_path: Path, stream: str, written: bool
) -> None:
    """The slot's power fails while the escrow, or the credit, is on its way to the journal."""

    async def play() -> None:
        journal = Stops()
        async with a_slot(tmp_path, journal) as (slot, booth):
            number = await booth.ticket()
            slot.start()
            await until(lambda: "A1-notes" in slot.floor.table.links)
            journal.stream = stream
            journal.goes_on.clear()
            await slot.insert(number)
            await until(lambda: journal.waits)
            await slot.lose_power()
            if written:
                journal.goes_on.set()
            slot.start()
            journal.goes_on.set()
            await until(lambda: not slot.acceptor.state().is_held)
            paper_is_in = slot.acceptor.tickets == [number]
            await until(lambda: slot.status(number) in (TicketStatus.TAKEN_IN, *GOOD))
            assert slot.credited == NOTE * paper_is_in
            if not paper_is_in:
                await slot.insert(number)
                await until(lambda: slot.acceptor.tickets == [number])
            assert slot.credited == NOTE
            assert slot.attention == []

    asyncio.run(play())


GOOD = (TicketStatus.ISSUED, TicketStatus.PRINTED, TicketStatus.IN_ESCROW)


def test_a_credited_ticket_that_is_taken_out_by_hand_is_looked_for(tmp_path: Path) -> None:
    async def play() -> None:
        async with a_slot(tmp_path) as (slot, booth):
            number = await booth.ticket()
            slot.start()
            slot.acceptor.jams_next = True
            await slot.insert(number)
            await until(lambda: slot.attention == [f"the note acceptor has failed: {JAM}"])
            slot.acceptor.mend(take_the_note=True)
            await until(lambda: len(slot.attention) == 2)
            assert slot.attention[1] == f"ticket {number} was credited and never seen in the stacker: look for it"
            assert slot.credited == NOTE

    asyncio.run(play())


@pytest.mark.clause("G-235")
@pytest.mark.parametrize("seed", range(2))
def test_what_is_credited_is_what_is_stacked_on_a_noisy_port_with_losses_of_power(tmp_path: Path, seed: int) -> None:
    async def play() -> None:
        async with asyncio.timeout(PATIENCE_S), open_table(None, a_table(), shoe=False) as floor:
            port = await fitted_port(floor, tmp_path, trouble=0.1, seed=seed)
            booth, chance = await Booth(floor).open(), random.Random(seed)
            numbers = [await booth.ticket() for _ in range(5)]
            with port.terminal:
                port.start()
                for number in numbers:
                    while number not in port.validator.tickets:  # A returned one is put in again.
                        await until(partial(port.validator.insert_ticket, number))
                        await asyncio.sleep(chance.choice((0, 0.005, 0.05)))
                        if chance.random() < 0.3:
                            port.validator.power_off()
                            port.validator.power_on()
                        if chance.random() < 0.3:
                            await port.machine.stop()
                            port.start()
                        await until(lambda: port.validator.takes_notes)
                port.line.trouble = 0.0
                await until(lambda: port.validator.takes_notes)
                await port.machine.stop()
            assert sorted(port.validator.tickets) == sorted(numbers)
            assert port.credited == NOTE * len(numbers)
            house = floor.floor.house
            await until(lambda: {house.state.tickets[each].status for each in numbers} == {TicketStatus.TAKEN_IN})

    asyncio.run(play())
