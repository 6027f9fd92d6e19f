"""A ticket is printed once, after its issue is on record, or its fault is recorded so that it is paid by hand."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sabot.client.station import Station
from sabot.devices.print_log import PrintLog
from sabot.devices.printer_driver import UNSEEN, PrinterDriver
from sabot.devices.simulated_printer import JAM, OFFLINE, OUT_OF_PAPER, TORN, SimulatedPrinter
from sabot.floor.records.record_codec import HOUSE, read_answer, read_house_act
from sabot.house.acts import RegisterTicket
from sabot.house.state import HouseState, TicketStatus
from sabot.journal.journal import Journal
from sabot.journal.record import Record
from sabot.table import acts
from sabot.table.configuration import Configuration
from tests.client.hesitant import HesitantJournal
from tests.devices.fitted import Machine
from tests.runtime.floors import PATIENCE_S, table_for, until
from tests.served.open_table import OpenTable, open_table

BOUGHT_IN = 5_000


def _with_printer() -> Configuration:
    """A table whose A1 stands away from it, and has a printer."""
    table = table_for(period_ms=PATIENCE_S * 1000)
    remote = msgspec.structs.replace(table.stations["A1"], remote=True, distance_m=10, printer=True)
    return msgspec.structs.replace(table, stations={**table.stations, "A1": remote})


class LateHouse(HesitantJournal):
    """The house does not hear of a ticket's issue while `goes_on` is not set."""

    def hesitates_over(self, stream: str, records: Sequence[Record]) -> bool:
        return stream == HOUSE and any(_registers_a_ticket(record) for record in records)


def _registers_a_ticket(record: Record) -> bool:
    answer = read_answer(record.entry)
    return answer.act is not msgspec.UNSET and isinstance(read_house_act(answer).act, RegisterTicket)


class Booth:
    """Station A1 with a note acceptor that always works, and the printer in question."""

    def __init__(self, floor: OpenTable, machine: Machine, folder: Path, station: Station, notes: Station) -> None:
        self.floor, self.machine, self._folder, self._station, self._notes = floor, machine, folder, station, notes
        self.printer = SimulatedPrinter()
        self.attention: list[str] = []

    def start(self) -> None:
        kept = PrintLog(self._folder / "print-log")
        driver = PrinterDriver(self.printer, self.machine.connection(), kept, self.attention.append)
        self.machine.start(driver.run)

    async def connect(self) -> None:
        self.start()
        await until(lambda: "A1-printer" in self.floor.table.links and (self._folder / "print-log").exists())

    async def leave(self) -> None:
        """A patron buys in by a note and leaves at once."""
        await self._notes.ask(acts.Note(cents=BOUGHT_IN))
        await self._station.ask(acts.Leave())

    @property
    def house(self) -> HouseState:
        return self.floor.floor.house.state

    def status(self, number: str) -> str:
        return self.floor.state.tickets[number].status

    @property
    def issued(self) -> list[str]:
        return list(self.floor.state.tickets)

    @property
    def printed(self) -> list[str]:
        return [ticket.number for ticket in self.printer.printed]


def _at_a_booth(
    folder: Path, play: Callable[[Booth], Coroutine[Any, Any, None]], journal: Journal | None = None
) -> None:
    async def run() -> None:
        async with open_table(journal, _with_printer()) as floor:
            machine = Machine(floor.url, await floor.enrol("A1-printer", "printer", "A1"), folder)
            booth = Booth(floor, machine, folder, await floor.station("A1"), await floor.acceptor("A1"))
            try:
                async with asyncio.timeout(PATIENCE_S):
                    await play(booth)
            finally:
                await booth.machine.stop()

    asyncio.run(run())


def test_a_ticket_is_printed_after_its_issue_and_the_house_hears_of_it(tmp_path: Path) -> None:
    async def play(booth: Booth) -> None:
        await booth.connect()
        await booth.leave()
        await until(lambda: booth.printer.printed)
        (ticket,) = booth.printer.printed
        assert (ticket.number, ticket.cents, ticket.table, ticket.station) == (booth.issued[0], BOUGHT_IN, "T1", "A1")
        await until(lambda: booth.house.tickets[ticket.number].status is TicketStatus.PRINTED)

    _at_a_booth(tmp_path, play)


@pytest.mark.parametrize("fault", [OUT_OF_PAPER, JAM, TORN, OFFLINE])
def test_a_ticket_that_does_not_come_out_is_reported_and_not_printed_again(tmp_path: Path, fault: str) -> None:
    async def play(booth: Booth) -> None:
        await booth.connect()
        booth.printer.fault = fault
        await booth.leave()
        await until(lambda: booth.status(booth.issued[0]) == "print_failed")
        booth.printer.fault = ""
        await booth.leave()
        await until(lambda: booth.printed == booth.issued[1:])
        assert booth.attention == [f"ticket {booth.issued[0]} was not printed: {fault}"]

    _at_a_booth(tmp_path, play)


@pytest.mark.parametrize("power_fails", [False, True], ids=["and then", "or after a loss of power"])
def test_a_fault_that_the_house_cannot_place_yet_is_reported_again_until_it_is_recorded(
    tmp_path: Path, power_fails: bool
) -> None:
    """A ticket may fail before the house has heard of its issue, and is unknown there until it has."""
    journal = LateHouse()

    async def play(booth: Booth) -> None:
        await booth.connect()
        with journal.hesitating():
            booth.printer.fault = JAM
            await booth.leave()
            (ticket,) = booth.issued
            await until(lambda: booth.machine.asked > 1)
            assert booth.status(ticket) == "issued"
            assert PrintLog(tmp_path / "print-log").failed == {ticket: JAM}
            if power_fails:
                await booth.machine.stop()
        if power_fails:
            await until(lambda: booth.house.tickets[ticket].status is TicketStatus.ISSUED)
            booth.start()
        await until(lambda: booth.status(ticket) == "print_failed")
        await until(lambda: booth.house.tickets[ticket].status is TicketStatus.NOT_PRINTED)
        await until(lambda: not PrintLog(tmp_path / "print-log").failed)
        assert booth.attention == [f"ticket {ticket} was not printed: {JAM}"]
        booth.printer.fault = ""
        await booth.leave()
        await until(lambda: booth.printed == booth.issued[1:])

    _at_a_booth(tmp_path, play, journal)


def test_a_ticket_issued_while_the_printer_was_away_is_printed_when_it_comes_back(tmp_path: Path) -> None:
    async def play(booth: Booth) -> None:
        await booth.connect()
        await booth.machine.stop()
        for _ in range(2):
            await booth.leave()
        booth.start()
        await until(lambda: booth.printed == booth.issued)

    _at_a_booth(tmp_path, play)


def test_tickets_from_before_the_printer_came_are_not_its_to_print(tmp_path: Path) -> None:
    async def play(booth: Booth) -> None:
        await booth.leave()
        await booth.connect()
        await booth.leave()
        await until(lambda: booth.printed == booth.issued[1:])

    _at_a_booth(tmp_path, play)


@pytest.mark.parametrize("came_out", [False, True], ids=["it was torn", "it came out whole"])
def test_a_ticket_whose_printing_the_power_cut_short_is_never_printed_twice(tmp_path: Path, came_out: bool) -> None:
    async def play(booth: Booth) -> None:
        await booth.connect()
        booth.printer.may_finish.clear()
        await booth.leave()
        await booth.printer.started.wait()
        await booth.machine.stop()
        (ticket,) = booth.printer.torn
        if came_out:
            booth.printer.finish_alone(ticket)
        booth.printer.may_finish.set()
        booth.start()
        if not came_out:
            await until(lambda: booth.status(ticket.number) == "print_failed")
        await booth.leave()
        await until(lambda: booth.issued[-1] in booth.printed)
        assert booth.printed.count(ticket.number) == came_out
        assert booth.status(ticket.number) == ("issued" if came_out else "print_failed")

    _at_a_booth(tmp_path, play)


def test_a_fault_that_was_not_reported_before_the_power_failed_is_reported_afterwards(tmp_path: Path) -> None:
    async def play(booth: Booth) -> None:
        await booth.connect()
        await booth.machine.stop()
        await booth.leave()
        PrintLog(tmp_path / "print-log").begin(booth.issued[0])
        kept = PrintLog(tmp_path / "print-log")
        kept.fail(booth.issued[0], UNSEEN)
        booth.start()
        await until(lambda: booth.status(booth.issued[0]) == "print_failed")
        await until(lambda: not PrintLog(tmp_path / "print-log").failed)
        assert booth.printed == []

    _at_a_booth(tmp_path, play)
