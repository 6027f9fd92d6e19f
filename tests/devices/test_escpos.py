"""ESC/POS: what a ticket says, its barcode decoded from the bars, and every fault of the printer by its name."""

import asyncio
from datetime import date, timedelta
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.basics.stamp import operator_stamp
from sabot.devices.escpos.layout import TicketTerms, in_words, ticket_bytes
from sabot.devices.escpos.printer import EscPosPrinter, PrinterPace
from sabot.devices.escpos.simulated import WIDE, SimulatedEscPos
from sabot.devices.escpos.status import COVER_OPEN, JAM, NO_PAPER, OFFLINE
from sabot.devices.print_log import PrintLog
from sabot.devices.printer_driver import PrinterDriver
from sabot.devices.pseudo_terminal import PseudoTerminal
from sabot.devices.ticket_printer import NotPrinted, TicketToPrint
from sabot.house.acts import ConfigureHouse
from sabot.house.ticket_number import is_misread, with_check_digit
from sabot.table import acts
from tests.devices.fitted import Machine
from tests.runtime.floors import PATIENCE_S, table_for, until
from tests.served.open_table import open_table

TERMS = TicketTerms(title="CROWN", zone="Australia/Melbourne", currency="AUD")
TICKET = TicketToPrint(with_check_digit("01234567890123456"), 21_550, "T1", "R1", 1_763_430_000_000, 30)
QUICK = PrinterPace(answer_s=0.05, print_s=0.2)
WEIGHTS = (1, 2, 4, 7, 0)
"""Of the five elements of a digit: the wide ones add up to it, and 4 and 7 to nought."""


def decoded(bars: list[int]) -> str:
    """The digits of an Interleaved 2 of 5 barcode, from the widths of its bars and spaces."""
    inner = bars[4:-3]
    digits = ""
    for at in range(0, len(inner), 10):
        for part in (inner[at : at + 10 : 2], inner[at + 1 : at + 10 : 2]):
            assert sum(width == WIDE for width in part) == 2
            digits += str(sum(weight for weight, width in zip(WEIGHTS, part, strict=True) if width == WIDE) % 11)
    return digits


def test_a_ticket_says_amount_number_place_time_and_when_it_is_void() -> None:
    printer = SimulatedEscPos()
    printer.hear(ticket_bytes(TICKET, TERMS))
    (ticket,) = printer.tickets
    assert ticket.lines[:3] == ["CROWN", "AUD 215.50", "two hundred fifteen and 50/100"]
    assert ticket.lines[3].replace(" ", "") == TICKET.number
    assert ticket.lines[4:] == [
        "T1 station R1",
        "issued 2025-11-18 12:40:00 AEDT",
        "void after 2025-12-18 12:40:00 AEDT",
        "present for redemption at the cage",
        "",
    ]
    assert decoded(ticket.bars) == TICKET.number


@given(st.integers(0, 10**17 - 1), st.integers(1, 7))
def test_every_number_is_decoded_from_its_bars_however_the_bytes_are_cut(drawn: int, size: int) -> None:
    number = with_check_digit(f"{drawn:017}")
    written = ticket_bytes(TicketToPrint(number, 100, "T1", "R1", 0), TicketTerms())
    printer = SimulatedEscPos()
    for at in range(0, len(written), size):
        printer.hear(written[at : at + size])
    assert decoded(printer.tickets[0].bars) == number


@given(st.integers(0, 10**17 - 1), st.integers(0, 17), st.integers(1, 9))
def test_a_check_digit_finds_every_single_wrong_digit(drawn: int, at: int, off: int) -> None:
    number = with_check_digit(f"{drawn:017}")
    assert not is_misread(number)
    wrong = number[:at] + str((int(number[at]) + off) % 10) + number[at + 1 :]
    assert is_misread(wrong)
    assert is_misread(number[:-1])


@pytest.mark.parametrize(
    ("cents", "words"),
    [
        (5, "zero and 05/100"),
        (100, "one and 00/100"),
        (2_100, "twenty-one and 00/100"),
        (100_010_000, "one million one hundred and 00/100"),
        (1_234_567_89, "one million two hundred thirty-four thousand five hundred sixty-seven and 89/100"),
    ],
)
def test_an_amount_in_words(cents: int, words: str) -> None:
    assert in_words(cents) == words


@pytest.mark.parametrize("fault", [NO_PAPER, COVER_OPEN, JAM, OFFLINE])
def test_a_printer_that_cannot_print_says_why_and_prints_nothing(tmp_path: Path, fault: str) -> None:
    async def play() -> None:
        simulated = SimulatedEscPos()
        simulated.fault = fault
        with PseudoTerminal(simulated.hear) as terminal:
            printer = EscPosPrinter(terminal.path, tmp_path / "last", TERMS, speed=9600, pace=QUICK)
            with pytest.raises(NotPrinted, match=fault):
                await printer.print(TICKET)
            assert (simulated.tickets, printer.last_printed()) == ([], "")
            simulated.fault = ""
            await printer.print(TICKET)
            assert (len(simulated.tickets), printer.last_printed()) == (1, TICKET.number)

    asyncio.run(play())


def test_a_ticket_that_jams_half_way_is_not_printed(tmp_path: Path) -> None:
    async def play() -> None:
        simulated = SimulatedEscPos()
        simulated.fails_at_line = 3
        with PseudoTerminal(simulated.hear) as terminal:
            printer = EscPosPrinter(terminal.path, tmp_path / "last", TERMS, speed=9600, pace=QUICK)
            with pytest.raises(NotPrinted, match=JAM):
                await printer.print(TICKET)
        assert simulated.tickets == []

    asyncio.run(play())


def test_a_printer_in_the_network_prints_and_one_that_is_away_is_offline(tmp_path: Path) -> None:
    async def play() -> None:
        simulated = SimulatedEscPos()

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            while data := await reader.read(100):
                writer.write(simulated.hear(data))
            writer.close()

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        printer = EscPosPrinter(f"127.0.0.1:{port}", tmp_path / "last", TERMS, speed=9600, pace=QUICK)
        async with server:
            await printer.print(TICKET)
        assert decoded(simulated.tickets[0].bars) == TICKET.number
        with pytest.raises(NotPrinted):
            await printer.print(TICKET)

    asyncio.run(play())


def _is_void_after_a_week(lines: list[str]) -> bool:
    """As the house says, which the printer is told anew when it changes."""
    printed = {words[0]: words[-3] for line in lines if len(words := line.split()) > 3}
    if "void" not in printed:
        return False
    assert date.fromisoformat(printed["void"]) - date.fromisoformat(printed["issued"]) == timedelta(days=7)
    return True


def test_a_ticket_of_a_served_table_comes_out_with_the_number_on_record(tmp_path: Path) -> None:
    async def play() -> None:
        simulated = SimulatedEscPos()
        table = table_for(period_ms=PATIENCE_S * 1000)
        remote = msgspec.structs.replace(table.stations["A1"], remote=True, distance_m=10, printer=True)
        table = msgspec.structs.replace(table, stations={**table.stations, "A1": remote})
        async with open_table(None, table) as floor:
            identity = await floor.enrol("A1-printer", "printer", "A1")
            machine = Machine(floor.url, identity, tmp_path)
            with PseudoTerminal(simulated.hear) as terminal:
                printer = EscPosPrinter(terminal.path, tmp_path / "last", TERMS, speed=9600, pace=QUICK)
                driver = PrinterDriver(printer, machine.connection(), PrintLog(tmp_path / "log"))
                machine.start(driver.run)
                await until(lambda: "A1-printer" in floor.table.links and (tmp_path / "log").exists())
                notes, station = await floor.acceptor("A1"), await floor.station("A1")
                for days in (0, 7):
                    await floor.floor.house.ask(ConfigureHouse(ticket_validity_days=days), operator_stamp())
                    await notes.ask(acts.Note(cents=5_000))
                    await station.ask(acts.Leave())
                    await until(lambda: len(simulated.tickets) == (2 if days else 1))  # noqa: B023  It is awaited here.
                await machine.stop()
            assert [_is_void_after_a_week(ticket.lines) for ticket in simulated.tickets] == [False, True]
            number = decoded(simulated.tickets[0].bars)
            assert not is_misread(number)
            assert floor.state.tickets[number].cents == 5_000

    asyncio.run(play())
