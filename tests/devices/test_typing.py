"""Devices that type: lines from any bytes, and the cards of a shoe at a served table, also over a loss of power."""

import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.devices.pseudo_terminal import PseudoTerminal
from sabot.devices.scanning_shoe import CardReading, CuttingCardDrawn, Drawn, UnreadableCard
from sabot.devices.shoe_driver import ShoeDriver
from sabot.devices.typed_lines import LineReader, typed_lines
from sabot.devices.typed_shoe import TypedShoe
from sabot.table import acts
from tests.devices.fitted import Machine
from tests.runtime.floors import until
from tests.served.open_table import open_table

words = st.text("AKQJT9SHDC017 ", min_size=1, max_size=12).filter(str.strip)


@given(st.lists(words, max_size=6), st.sampled_from(["\r", "\n", "\r\n"]), st.integers(1, 9))
def test_lines_are_read_however_they_end_and_however_the_bytes_are_cut(typed: list[str], end: str, size: int) -> None:
    written = "".join(f"{line}{end}" for line in typed).encode()
    reader = LineReader()
    read = [line for at in range(0, len(written), size) for line in reader.feed(written[at : at + size])]
    assert read == [line.strip() for line in typed]


@given(st.binary(max_size=300))
def test_noise_is_over_with_the_next_line(noise: bytes) -> None:
    reader = LineReader()
    reader.feed(noise)
    assert reader.feed(b"\rAS\r")[-1] == "AS"


async def _readings(shoe: TypedShoe) -> list[CardReading]:
    readings: list[CardReading] = []
    while shoe.waiting:
        readings.append(await shoe.read())
        shoe.taken(readings[-1].number)
    return readings


def test_a_shoe_types_cards_the_cutting_card_and_what_it_could_not_read(tmp_path: Path) -> None:
    async def play() -> None:
        shoe = TypedShoe(tmp_path / "readings")
        for line in ("AS", "10h", "TD", "cut", "?", "nonsense", "17 9C", "17 9C", "18 9C"):
            shoe.typed(line)
        assert await _readings(shoe) == [
            *(Drawn(1, "AS"), Drawn(2, "TH"), Drawn(3, "TD"), CuttingCardDrawn(4)),
            *(UnreadableCard(5), UnreadableCard(6), Drawn(7, "9C"), Drawn(8, "9C")),
        ]

    asyncio.run(play())


def test_readings_outlast_a_loss_of_power_in_their_order(tmp_path: Path) -> None:
    async def play() -> None:
        shoe = TypedShoe(tmp_path / "readings")
        for line in ("AS", "2H", "3D"):
            shoe.typed(line)
        shoe.taken((await shoe.read()).number)
        again = TypedShoe(tmp_path / "readings")
        again.typed("4C")
        assert await _readings(again) == [Drawn(2, "2H"), Drawn(3, "3D"), Drawn(4, "4C")]

    asyncio.run(play())


@pytest.mark.clause("CROWN 11.3")
def test_cards_that_are_typed_at_a_port_are_entered_in_their_order_at_a_served_table(tmp_path: Path) -> None:
    async def play() -> None:
        async with open_table() as floor:
            identity = await floor.enrol("T1-shoe", "shoe")
            machine = Machine(floor.url, identity, tmp_path)
            shoe = TypedShoe(tmp_path / "readings")
            with PseudoTerminal(lambda _: b"") as terminal:

                async def run() -> None:
                    async with asyncio.TaskGroup() as both:
                        both.create_task(ShoeDriver(shoe, machine.connection()).run())
                        async for line in typed_lines(terminal.path, 9600, lambda _: None):
                            shoe.typed(line)

                machine.start(run)
                await floor.open_wagering()
                await floor.console.ask(acts.Close())
                for card in ("9S", "10H", "9D", "KC"):
                    terminal.send(f"{card}\r\n".encode())
                await until(lambda: floor.state.coup is not None and len(floor.state.coup.cards) == 4)
                assert floor.state.coup is not None
                await machine.stop()

    asyncio.run(play())
