"""A player card opens the account of a station for its patron, and closes it by the lawful way."""

import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.devices.card_reader import CardDriver, CardPutIn, CardTakenOut, CardUnreadable, read_card_line
from sabot.devices.pseudo_terminal import PseudoTerminal
from sabot.devices.typed_lines import typed_lines
from sabot.table import acts
from tests.devices.fitted import Machine
from tests.runtime.floors import until
from tests.served.open_table import OpenTable, open_table


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("12345678", CardPutIn("12345678")),
        (";12345678=2512?", CardPutIn("12345678")),
        ("out", CardTakenOut()),
        ("%B12345678^DOE/JOHN^2512?", CardUnreadable()),
        ("123", CardUnreadable()),
    ],
)
def test_a_line_is_a_number_or_nothing(line: str, meant: object) -> None:
    assert read_card_line(line) == meant


@given(st.text(max_size=40))
def test_no_line_with_a_blank_or_a_separator_of_names_is_passed_on(line: str) -> None:
    read = read_card_line(line)
    if isinstance(read, CardPutIn):
        assert not set(read.patron) & set(" ^/%")


class Reader:
    def __init__(self, floor: OpenTable, machine: Machine, *, swipes: bool) -> None:
        self.floor, self.machine, self._swipes = floor, machine, swipes
        self.attention: list[str] = []
        self.terminal = PseudoTerminal(lambda _: b"")

    def start(self) -> None:
        self.terminal.__enter__()
        lines = typed_lines(self.terminal.path, 9600, self.attention.append)
        driver = CardDriver(lines, self.machine.connection(), self.attention.append, swipes=self._swipes)
        self.machine.start(driver.run)

    async def stop(self) -> None:
        await self.machine.stop()
        self.terminal.__exit__()

    def types(self, line: str) -> None:
        self.terminal.send(f"{line}\r".encode())


async def _fitted(floor: OpenTable, folder: Path, station: str, *, swipes: bool = False) -> Reader:
    identity = await floor.enrol(f"{station}-cards", "card_reader", station)
    (folder / station).mkdir()
    reader = Reader(floor, Machine(floor.url, identity, folder / station), swipes=swipes)
    reader.start()
    await until(lambda: f"{station}-cards" in floor.table.links)
    return reader


def test_a_card_opens_a_session_notes_are_its_patrons_and_taking_it_out_is_leaving(tmp_path: Path) -> None:
    async def play() -> None:
        async with open_table() as floor:
            reader = await _fitted(floor, tmp_path, "A1")
            reader.types("12345678")
            await until(lambda: floor.state.stations["A1"].is_open)
            assert (floor.state.stations["A1"].patron, floor.balance("A1")) == ("12345678", 0)
            await (await floor.acceptor("A1")).ask(acts.Note(cents=5_000))
            assert floor.balance("A1") == 5_000
            reader.types("OUT")
            await until(lambda: floor.state.stations["A1"].leaving)
            await floor.console.ask(acts.Pay(station="A1"))
            assert not floor.state.stations["A1"].is_open
            await reader.stop()

    asyncio.run(play())


def test_a_card_in_use_is_refused_at_another_station_until_it_is_taken_out(tmp_path: Path) -> None:
    """Two readers, one of them of the kind that swipes, and a station where money came before the card."""

    async def play() -> None:
        async with open_table() as floor:
            first = await _fitted(floor, tmp_path, "A1", swipes=True)
            second = await _fitted(floor, tmp_path, "A2")
            first.types("12345678")
            await until(lambda: floor.state.stations["A1"].is_open)
            second.types("12345678")
            await until(lambda: second.attention)
            assert second.attention == ["a player card was refused: this player card is in use at A1 (CROWN 6.3.1)"]
            first.types("12345678")
            await until(lambda: not floor.state.stations["A1"].is_open)
            second.types("12345678")
            await until(lambda: floor.state.stations["A2"].is_open)
            await (await floor.acceptor("A1")).ask(acts.Note(cents=5_000))
            first.types("87654321")
            await until(lambda: first.attention)
            assert "a card is read before money comes" in first.attention[0]
            for reader in (first, second):
                await reader.stop()

    asyncio.run(play())
