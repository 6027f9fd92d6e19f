"""Notes are credited once and stacked once, or returned, whatever fails between the slot and the record."""

import asyncio
import random
from pathlib import Path

import pytest

from sabot.devices.note_driver import NoteDriver
from sabot.devices.simulated_acceptor import JAM, STACKER_FULL, SimulatedAcceptor
from sabot.table import acts
from tests.client.hesitant import HesitantJournal
from tests.devices.fitted import Machine
from tests.runtime.floors import until
from tests.served.open_table import OpenTable, open_table

NOTE = 5_000


class Slot:
    """A note acceptor at A1 with its machine."""

    def __init__(self, floor: OpenTable, machine: Machine, acceptor: SimulatedAcceptor) -> None:
        self.floor, self.machine, self.acceptor = floor, machine, acceptor
        self.attention: list[str] = []

    def start(self) -> None:
        self.acceptor.power_on()
        driver = NoteDriver(self.acceptor, self.machine.connection(), self.attention.append)
        self.machine.start(driver.run)

    async def lose_power(self) -> None:
        self.acceptor.power_off()
        await self.machine.stop()

    async def insert(self, cents: int = NOTE) -> None:
        """Insert as soon as it is taken."""
        await until(lambda: self.acceptor.insert(cents))

    @property
    def credited(self) -> int:
        return self.floor.balance("A1")


async def _fitted(floor: OpenTable, folder: Path, room: int = 1_000, *, starts: bool = True) -> Slot:
    identity = await floor.enrol("A1-notes", "note_acceptor", "A1")
    slot = Slot(floor, Machine(floor.url, identity, folder), SimulatedAcceptor(room))
    if starts:
        slot.start()
    return slot


async def _holding_a_note(floor: OpenTable, folder: Path) -> Slot:
    """A note lies in escrow, and the power failed before anything was asked."""
    slot = await _fitted(floor, folder, starts=False)
    slot.acceptor.enable()
    assert slot.acceptor.insert(NOTE)
    slot.acceptor.power_off()
    return slot


async def _ask_without_writing(slot: Slot, journal: HesitantJournal) -> None:
    """A note lies in escrow, and its credit is on its way to the journal."""
    table = slot.floor.table
    await until(lambda: "A1-notes" in table.links)
    journal.goes_on.clear()
    await slot.insert()
    await until(lambda: table.term is not None and table.term.append)


def test_a_note_is_stacked_when_its_credit_is_recorded(tmp_path: Path) -> None:
    async def play() -> None:
        journal = HesitantJournal()
        async with open_table(journal) as floor:
            slot = await _fitted(floor, tmp_path)
            await _ask_without_writing(slot, journal)
            assert slot.acceptor.stacker == []
            journal.goes_on.set()
            await until(lambda: slot.acceptor.stacker == [NOTE])
            assert slot.credited == NOTE
            await slot.lose_power()

    asyncio.run(play())


def test_a_note_that_the_table_refuses_is_returned(tmp_path: Path) -> None:
    async def play() -> None:
        async with open_table() as floor:
            slot = await _fitted(floor, tmp_path)
            await slot.insert(7_777)
            await until(lambda: slot.acceptor.given_back == [7_777])
            await slot.insert()
            await until(lambda: slot.acceptor.stacker == [NOTE])
            assert slot.credited == NOTE
            await slot.lose_power()

    asyncio.run(play())


def test_no_note_is_taken_while_the_floor_cannot_answer(tmp_path: Path) -> None:
    async def play() -> None:
        async with open_table() as floor:
            slot = await _fitted(floor, tmp_path, starts=False)
            assert not slot.acceptor.insert(NOTE)
            slot.start()
            await slot.insert()
            await until(lambda: slot.acceptor.stacker == [NOTE])
            await slot.lose_power()
            assert not slot.acceptor.insert(NOTE)

    asyncio.run(play())


async def _takes_notes_when_unfrozen(slot: Slot) -> None:
    await slot.floor.console.ask(acts.Unfreeze())
    await slot.insert()
    await until(lambda: slot.acceptor.stacker == [NOTE])
    assert slot.credited == NOTE
    await slot.lose_power()


@pytest.mark.clause("CROWN 11.11")
def test_the_acceptor_is_off_while_the_accounts_are_frozen(tmp_path: Path) -> None:
    async def play() -> None:
        async with open_table() as floor:
            slot = await _fitted(floor, tmp_path)
            await until(lambda: slot.acceptor.enabled)
            await floor.console.ask(acts.Freeze())
            await until(lambda: not slot.acceptor.enabled)
            assert not slot.acceptor.insert(NOTE)
            await _takes_notes_when_unfrozen(slot)

    asyncio.run(play())


@pytest.mark.clause("CROWN 11.11")
def test_an_acceptor_that_comes_up_under_a_freeze_stays_off_and_returns_what_it_holds(tmp_path: Path) -> None:
    async def play() -> None:
        async with open_table() as floor:
            slot = await _holding_a_note(floor, tmp_path)
            await floor.console.ask(acts.Freeze())
            slot.start()
            await until(lambda: slot.acceptor.given_back == [NOTE])
            assert not slot.acceptor.enabled
            await _takes_notes_when_unfrozen(slot)

    asyncio.run(play())


@pytest.mark.clause("CROWN 11.11")
def test_a_note_asked_for_before_the_freeze_was_heard_of_is_credited_and_no_other_is_taken(tmp_path: Path) -> None:
    async def play() -> None:
        journal = HesitantJournal()
        async with open_table(journal) as floor:
            slot = await _fitted(floor, tmp_path)
            await until(lambda: slot.acceptor.enabled)
            with journal.hesitating():
                frozen = asyncio.create_task(floor.console.ask(acts.Freeze()))
                await until(lambda: floor.table.term is not None and floor.table.term.append)
                assert slot.acceptor.insert(NOTE)
                await until(lambda: slot.machine.asked)
            await frozen
            await until(lambda: slot.acceptor.stacker == [NOTE])
            assert floor.state.stations["A1"].brought_while_frozen == slot.credited == NOTE
            await until(lambda: not slot.acceptor.enabled)
            await slot.lose_power()

    asyncio.run(play())


@pytest.mark.parametrize("written", [False, True], ids=["before the credit is written", "after it"])
def test_a_note_in_escrow_outlasts_a_loss_of_power_and_is_credited_once(tmp_path: Path, written: bool) -> None:
    async def play() -> None:
        journal = HesitantJournal()
        async with open_table(journal) as floor:
            slot = await _fitted(floor, tmp_path)
            await _ask_without_writing(slot, journal)
            await slot.lose_power()
            if written:
                journal.goes_on.set()
                await until(lambda: slot.credited == NOTE)
            assert slot.acceptor.state().escrow == NOTE
            slot.start()
            journal.goes_on.set()
            await until(lambda: slot.acceptor.stacker == [NOTE])
            assert slot.credited == NOTE
            await slot.lose_power()

    asyncio.run(play())


def test_a_note_whose_power_failed_before_anything_was_asked_is_credited_afterwards(tmp_path: Path) -> None:
    async def play() -> None:
        async with open_table() as floor:
            slot = await _holding_a_note(floor, tmp_path)
            slot.start()
            await until(lambda: slot.acceptor.stacker == [NOTE])
            assert slot.credited == NOTE
            await slot.lose_power()

    asyncio.run(play())


def test_a_full_stacker_calls_for_somebody_and_the_note_goes_in_when_it_is_emptied(tmp_path: Path) -> None:
    async def play() -> None:
        async with open_table() as floor:
            slot = await _fitted(floor, tmp_path, room=1)
            for _ in range(2):
                await slot.insert()
            await until(lambda: slot.attention)
            assert slot.attention == [f"the note acceptor has failed: {STACKER_FULL}"]
            assert slot.credited == 2 * NOTE
            slot.acceptor.empty()
            await until(lambda: slot.acceptor.stacker == [NOTE])
            assert slot.acceptor.collected == [NOTE]
            await slot.lose_power()

    asyncio.run(play())


def test_a_credited_note_that_is_taken_out_by_hand_is_looked_for(tmp_path: Path) -> None:
    async def play() -> None:
        async with open_table() as floor:
            slot = await _fitted(floor, tmp_path)
            slot.acceptor.jams_next = True
            await slot.insert()
            await until(lambda: slot.attention == [f"the note acceptor has failed: {JAM}"])
            slot.acceptor.mend(take_the_note=True)
            await until(lambda: len(slot.attention) == 2)
            assert "50.00" in slot.attention[1]
            await slot.insert()
            await until(lambda: slot.acceptor.stacker == [NOTE])
            assert slot.credited == 2 * NOTE
            await slot.lose_power()

    asyncio.run(play())


async def _something_breaks(slot: Slot, chance: random.Random) -> None:
    acceptor = slot.acceptor
    match chance.randrange(6):
        case 0:
            await slot.lose_power()
            slot.start()
        case 1:
            acceptor.reports_twice = not acceptor.reports_twice
        case 2:
            acceptor.jams_next = True
        case 3:
            link = slot.floor.table.links.get("A1-notes")
            if link is not None:
                link.end("cut by the test")
        case 4:
            acceptor.insert_unreadable()
    if acceptor.state().fault:
        acceptor.mend()


@pytest.mark.parametrize("seed", range(4))
def test_what_is_credited_is_what_is_stacked_whatever_breaks(tmp_path: Path, seed: int) -> None:
    """Notes, refused notes, jams, double reports, power losses and cut connections in any order."""
    chance = random.Random(seed)

    async def play() -> None:
        async with open_table() as floor:
            slot = await _fitted(floor, tmp_path)
            acceptor, inserted = slot.acceptor, list[int]()
            for _ in range(40):
                if acceptor.insert(cents := chance.choice((500, 1_000, 7_777))):
                    inserted.append(cents)
                await asyncio.sleep(chance.choice((0, 0, 0.002, 0.02)))
                await _something_breaks(slot, chance)
            await slot.lose_power()
            acceptor.jams_next = False
            slot.start()
            await slot.insert()
            inserted.append(NOTE)
            await until(lambda: acceptor.state().escrow is None)
            assert sorted(acceptor.stacker + acceptor.given_back) == sorted(inserted)
            assert slot.credited == sum(acceptor.stacker)
            assert set(acceptor.given_back) <= {7_777}
            await slot.lose_power()

    asyncio.run(play())
