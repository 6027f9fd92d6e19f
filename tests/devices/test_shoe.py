"""Cards are typed once and in the order in which they left the shoe; where one cannot be, the dealer comes first."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from sabot.devices.shoe_driver import ShoeDriver
from sabot.devices.simulated_shoe import SimulatedShoe
from sabot.table import acts
from tests.client.hesitant import HesitantJournal
from tests.devices.fitted import Machine
from tests.runtime.floors import PATIENCE_S, until
from tests.served.open_table import OpenTable, open_table

NATURAL = ("9h", "2c", "kd", "5s")


class Dealing:
    """A scanning shoe at the table, and its machine."""

    def __init__(self, floor: OpenTable, journal: HesitantJournal, machine: Machine) -> None:
        self.floor, self.journal, self.machine = floor, journal, machine
        self.shoe = SimulatedShoe()
        self.attention: list[str] = []

    async def start(self) -> None:
        self.machine.start(ShoeDriver(self.shoe, self.machine.connection(), self.attention.append).run)
        await until(lambda: "shoe" in self.floor.table.links)

    async def open(self) -> None:
        await self.floor.console.ask(acts.Open())
        await self.floor.console.until(lambda: self.floor.console.mirror.phase == "wagering")
        await self.floor.console.ask(acts.Close())

    @property
    def cards(self) -> tuple[str, ...]:
        return () if self.floor.state.coup is None else tuple(card.notation for card in self.floor.state.coup.cards)


def _dealing(folder: Path, play: Callable[[Dealing], Coroutine[Any, Any, None]]) -> None:
    async def run() -> None:
        journal = HesitantJournal()
        async with open_table(journal) as floor:
            dealing = Dealing(floor, journal, Machine(floor.url, await floor.enrol("shoe", "shoe"), folder))
            try:
                async with asyncio.timeout(PATIENCE_S):
                    await dealing.start()
                    await play(dealing)
            finally:
                await dealing.machine.stop()

    asyncio.run(run())


def test_cards_are_typed_as_they_are_drawn_and_a_reading_that_is_reported_twice_counts_once(tmp_path: Path) -> None:
    async def play(dealing: Dealing) -> None:
        await dealing.open()
        dealing.shoe.reports_twice = True
        for card in NATURAL:
            dealing.shoe.draw(card)
        await until(lambda: len(dealing.cards) == 4)
        await dealing.floor.console.ask(acts.Confirm())
        assert dealing.attention == []

    _dealing(tmp_path, play)


def test_a_card_that_cannot_be_read_keeps_the_later_ones_waiting_for_the_dealer(tmp_path: Path) -> None:
    async def play(dealing: Dealing) -> None:
        await dealing.open()
        dealing.shoe.draw(NATURAL[0])
        dealing.shoe.draw_unreadable()
        for card in NATURAL[2:]:
            dealing.shoe.draw(card)
        await until(lambda: dealing.attention)
        assert len(dealing.cards) == 1
        await dealing.floor.console.ask(acts.Card(card=NATURAL[1]))
        await until(lambda: len(dealing.cards) == 4)
        assert [card.lower() for card in dealing.cards] == list(NATURAL)

    _dealing(tmp_path, play)


def test_a_misread_card_is_amended_by_the_dealer(tmp_path: Path) -> None:
    async def play(dealing: Dealing) -> None:
        await dealing.open()
        dealing.shoe.draw("9h", read_as="9d")
        await until(lambda: len(dealing.cards) == 1)
        await dealing.floor.console.ask(acts.Amend(card="9h"))
        for card in NATURAL[1:]:
            dealing.shoe.draw(card)
        await until(lambda: len(dealing.cards) == 4)
        assert [card.lower() for card in dealing.cards] == list(NATURAL)

    _dealing(tmp_path, play)


def test_an_excess_card_calls_the_dealer_and_the_next_coup_goes_on(tmp_path: Path) -> None:
    async def play(dealing: Dealing) -> None:
        await dealing.open()
        for card in (*NATURAL, "3c"):
            dealing.shoe.draw(card)
        await until(lambda: dealing.attention)
        assert "CROWN" in dealing.attention[0]
        await dealing.floor.console.ask(acts.Confirm())
        await until(lambda: dealing.floor.state.coup is None)
        await dealing.open()
        dealing.shoe.draw("4c")
        await until(lambda: len(dealing.cards) == 1)

    _dealing(tmp_path, play)


def test_the_cutting_card_is_told_and_a_burn_is_left_to_the_dealer(tmp_path: Path) -> None:
    async def play(dealing: Dealing) -> None:
        dealing.shoe.draw("6h")
        await until(lambda: dealing.attention)
        assert "6h" in dealing.attention[0]
        await dealing.open()
        dealing.shoe.draw_cutting_card()
        dealing.shoe.draw(NATURAL[0])
        await until(lambda: len(dealing.cards) == 1)
        assert dealing.floor.state.shoe.last_coup is not None

    _dealing(tmp_path, play)


def test_a_card_under_way_when_the_power_failed_is_dealt_once(tmp_path: Path) -> None:
    async def play(dealing: Dealing) -> None:
        await dealing.open()
        dealing.journal.goes_on.clear()
        dealing.shoe.draw(NATURAL[0])
        await until(lambda: dealing.floor.table.term is not None and dealing.floor.table.term.append)
        await dealing.machine.stop()
        dealing.journal.goes_on.set()
        await dealing.start()
        for card in NATURAL[1:]:
            dealing.shoe.draw(card)
        await until(lambda: len(dealing.cards) == 4)
        assert [card.lower() for card in dealing.cards] == list(NATURAL)

    _dealing(tmp_path, play)
