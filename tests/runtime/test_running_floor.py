"""A running floor answers only what is durable, goes on exactly where it stopped, and shows each device its own."""

import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from sabot.basics.stamp import clock_stamp
from sabot.floor.records.recovery import recover_table
from sabot.floor.shared_owner.owner import MOST_TRIES
from sabot.floor.table_owner.messages import Connected
from sabot.floor.virtual.dealer import cut_places
from sabot.house.acts import RegisterTicket
from sabot.house.events import TableBusy
from sabot.journal.journal import AppendOutcome, Derived, Unknown, Unusable
from sabot.journal.memory import MemoryJournal
from sabot.journal.record import Record
from sabot.journal.sqlite import open_sqlite
from sabot.rules.rule_set import Bet
from sabot.runtime.floor import RunningFloor
from sabot.runtime.link import Published
from sabot.runtime.table_runner import RunningTable
from sabot.runtime.tournaments import REST_S
from sabot.table import acts
from sabot.table.events import BroughtBack, WagersSettled
from sabot.table.state import TableState
from sabot.views.audience import Audience
from sabot.wire.frames import Answer, FloorFrame, Hello, ViewFrame, Welcome
from tests.runtime.floors import (
    PATIENCE_S,
    Seat,
    backing,
    buy_in,
    by_dealer,
    running,
    sit_down,
    table_for,
    until,
    wager,
    wall_ms,
)

MINIMUM = table_for().limits[Bet("player")].minimum


async def _seated(floor: RunningFloor, folder: Path, *devices: str) -> list[Seat]:
    """Seats at stations whose patrons have bought in, at a table that is being dealt."""
    table = floor.tables["T1"]
    await until(lambda: table.term is not None)
    sit_down(floor, folder)
    await until(lambda: _state(floor).dealer is not None and _state(floor).phase.value != "closed")
    console = Seat(table, "console", Audience.CONSOLE)
    await console.hello()
    seats = []
    for device in devices:
        if not _state(floor).stations[device].is_open:
            assert (await console.answer(buy_in(device))).accepted
        seats.append(Seat(table, device))
        await seats[-1].hello()
    table.gone("console", console)
    return seats


def _state(floor: RunningFloor) -> TableState:
    term = floor.tables["T1"].term
    assert term is not None
    return term.state


async def _play(floor: RunningFloor, seats: list[Seat], coups: int) -> None:
    """Wager the minimum at each seat in each of the next coups."""
    first = _state(floor).coups + 1
    for coup in range(first, first + coups):
        await until(partial(_is_open_for, floor, coup))
        for seat in seats:
            seat.ask(wager(seat.device, MINIMUM), coup)
    await until(lambda: _state(floor).coup is None or _state(floor).coups >= first + coups)


def _is_open_for(floor: RunningFloor, coup: int) -> bool:
    return _state(floor).phase.value == "wagering" and _state(floor).coups == coup


def test_coups_are_dealt_settled_and_told_to_each_his_own(tmp_path: Path) -> None:
    async def play() -> None:
        journal = MemoryJournal(wall_ms)
        async with running(journal) as floor:
            seats = await _seated(floor, tmp_path, "A1", "A2")
            await _play(floor, seats, 4)
            for seat in seats:
                settled = [event for event in seat.events if isinstance(event, WagersSettled)]
                assert settled
                assert all(set(event.settlements) <= {seat.device} for event in settled)
                assert all(seat.device in event.settlements for event in settled if event.settlements)
            assert _state(floor).ledger.is_balanced

    asyncio.run(play())


def test_after_an_orderly_stop_every_balance_is_as_it_was_and_play_goes_on(tmp_path: Path) -> None:
    async def play() -> None:
        journal = await open_sqlite(tmp_path / "floor.journal")
        async with running(journal) as floor:
            seats = await _seated(floor, tmp_path, "A1", "A2")
            await _play(floor, seats, 2)
            epoch = seats[0].epoch
        left = (await recover_table(journal, "table/T1", "another build")).state
        await journal.close()
        journal = await open_sqlite(tmp_path / "floor.journal")
        async with running(journal) as floor:
            await until(lambda: floor.tables["T1"].term is not None)
            for station in ("A1", "A2"):
                before, after = left.purse(station), _state(floor).purse(station)
                returned = sum(before.layout.values()) - sum(after.layout.values())
                assert after.balance == before.balance + returned, "what lay on a coup that was void came back"
            seats = await _seated(floor, tmp_path, "A1", "A2")
            assert seats[0].epoch > epoch
            await _play(floor, seats, 2)
        await journal.close()

    asyncio.run(play())


class _Unreadable(MemoryJournal):
    """A journal whose shelf cannot be read the first time."""

    failures = 1

    async def derived(self, stream: str, name: str) -> Derived | None:
        if "coup/" in name and self.failures:
            self.failures -= 1
            raise Unusable("the disk does not answer")
        return await super().derived(stream, name)


def test_an_act_about_a_coup_that_fell_out_of_the_state_waits_until_it_is_brought_back(tmp_path: Path) -> None:
    """Where it cannot be read the term is over, nobody is answered, and the device asks the next owner."""

    async def play() -> None:
        journal = _Unreadable(wall_ms)
        async with running(journal, keeps=1) as floor:
            seats = await _seated(floor, tmp_path, "A1")
            await _play(floor, seats, 3)
        async with running(journal, keeps=1) as floor:
            await until(lambda: floor.tables["T1"].term is not None)
            console = Seat(floor.tables["T1"], "console", Audience.CONSOLE)
            await console.hello()
            asked = by_dealer(acts.Dispute(station="A1", text="it was mine", coup=2))
            console.ask(asked)
            await until(lambda: console.ended and floor.tables["T1"].term is not None)
            assert not console.of(Answer)
            await console.hello()
            answer = await console.answer(asked)
            assert answer.accepted
            assert [type(event).__name__ for event in console.events][-2:] == ["BroughtBack", "DisputeOpened"]
            assert not [event.found.coups for event in console.events if isinstance(event, BroughtBack)][-1]
            assert 2 in {coup.coup for coup in _state(floor).played}

    asyncio.run(play())


def test_every_virtual_shoe_is_cut_somewhere_else_within_the_rules(tmp_path: Path) -> None:
    """Four shoes that are all cut in the middle by chance would be one case in twenty thousand million."""

    async def cut() -> None:
        tables = [table_for(name=f"T{number}") for number in range(1, 5)]
        async with running(MemoryJournal(wall_ms), *tables) as floor:
            await until(lambda: all(table.term is not None for table in floor.tables.values()))
            sit_down(floor, tmp_path)
            states = [table.term.state for table in floor.tables.values() if table.term is not None]
            while not all(state.shoe.cut_at for state in states):
                await asyncio.sleep(0.01)
                states = [table.term.state for table in floor.tables.values() if table.term is not None]
            assert all(state.shoe.cut_at in cut_places(state) for state in states)
            assert {state.shoe.cut_at for state in states} != {states[0].shoe.cards // 2}

    asyncio.run(cut())


def test_a_floor_stops_although_something_moves_at_that_very_moment() -> None:
    """A worker that is woken and cancelled in one pass of the event loop must not take the waking for the end."""

    async def stop() -> None:
        for passes in range(6):
            async with asyncio.timeout(PATIENCE_S), running(MemoryJournal(wall_ms)) as floor:
                await until(lambda floor=floor: floor.tables["T1"].term is not None)  # type: ignore[misc]
                await asyncio.sleep(2 * REST_S)  # The worker waits for something to move.
                floor.tournaments.wake()
                for _ in range(passes):
                    await asyncio.sleep(0)
                await floor.tournaments.stop()

    asyncio.run(stop())


class HouseAwayJournal(MemoryJournal):
    """A journal that cannot be told what concerns the house for a while, as when its database is away."""

    def __init__(self) -> None:
        super().__init__(wall_ms)
        self.is_away, self.missed = False, 0

    async def append(self, stream: str, expected_version: int, records: Sequence[Record]) -> AppendOutcome:
        if stream == "house" and self.is_away:
            self.missed += 1
            return Unknown("it is away")
        return await super().append(stream, expected_version, records)


def test_news_for_the_house_is_told_until_the_house_has_written_it_down() -> None:
    """A ticket that was paid by hand while the house could not write must not stay open at the cage."""

    async def tell() -> None:
        journal = HouseAwayJournal()
        async with running(journal) as floor:
            await until(lambda: floor.tables["T1"].term is not None)
            ticket = RegisterTicket(ticket="1" * 18, cents=500, table="T1", station="A1", issued_ms=1)
            journal.is_away = True
            floor.tell_house(ticket, clock_stamp())
            await until(lambda: journal.missed > 2 * MOST_TRIES)
            journal.is_away = False
            await until(lambda: "1" * 18 in floor.house.state.tickets)

    asyncio.run(tell())


def test_a_viewer_is_shown_the_whole_then_only_what_changed_and_nothing_when_up_to_date(tmp_path: Path) -> None:
    async def play() -> None:
        async with running(MemoryJournal(wall_ms), table_for(period_ms=60_000)) as floor:
            (seat,) = await _seated(floor, tmp_path, "A1")
            table = floor.tables["T1"]
            viewer = Seat(table, "A2", feed="views")
            await viewer.hello()
            assert viewer.of(Welcome)[0].whole
            assert viewer.view["purse"]["balance_cents"] == 0
            await until(lambda: _state(floor).phase.value == "wagering")
            await until(lambda: viewer.view["phase"]["phase"] == "wagering")
            shown = len(viewer.heard)
            answer = await seat.answer(wager("A1", MINIMUM), _state(floor).coups)
            assert answer.accepted
            await asyncio.sleep(0.3)
            assert len(viewer.heard) == shown, "another patron's wager is nothing to see"
            table.gone("A2", viewer)
            term = table.term
            assert term is not None
            told = max(frame.version for frame in viewer.heard if isinstance(frame, Welcome | ViewFrame))
            await viewer.hello(epoch=term.epoch, version=told)
            again = viewer.of(Welcome)[-1]
            assert (again.whole, again.view) == (False, None)

    asyncio.run(play())


class Interrupted(Seat):
    """A seat whose neighbour sits down just when it is answered, before anybody has looked again."""

    def __init__(self, table: RunningTable, device: str, neighbour: Seat) -> None:
        super().__init__(table, device, feed="views")
        self._neighbour = neighbour

    def tell(self, frame: FloorFrame | Published) -> None:
        super().tell(frame)
        if isinstance(frame, Answer):
            connected = Connected(self._neighbour.device, Audience.STATION, Hello(), self._neighbour.device)
            self.table.hello(connected, self._neighbour)


def test_whoever_is_welcomed_between_two_looks_takes_nothing_from_anybody(tmp_path: Path) -> None:
    async def play() -> None:
        async with running(MemoryJournal(wall_ms), table_for(period_ms=600_000)) as floor:
            await _seated(floor, tmp_path, "A1")
            table = floor.tables["T1"]
            neighbour = Seat(table, "A2", feed="views")
            seat = Interrupted(table, "A1", neighbour)
            await seat.hello()
            await until(lambda: seat.view["phase"]["phase"] == "wagering")
            assert (await seat.answer(wager("A1", MINIMUM), _state(floor).coups)).accepted
            await until(lambda: seat.view["wagers"]["on_layout"] == {"player": MINIMUM})
            assert neighbour.of(Welcome)

    asyncio.run(play())


def test_of_two_connections_of_one_device_the_newer_one_counts(tmp_path: Path) -> None:
    async def play() -> None:
        async with running(MemoryJournal(wall_ms)) as floor:
            (first,) = await _seated(floor, tmp_path, "A1")
            second = Seat(floor.tables["T1"], "A1")
            await second.hello()
            assert first.ended == ["another connection of this device has taken its place"]
            floor.tables["T1"].gone("A1", first)
            assert floor.tables["T1"].links["A1"] is second

    asyncio.run(play())


def test_the_house_knows_the_table_its_staff_and_whether_it_is_busy(tmp_path: Path) -> None:
    async def play() -> None:
        async with running(MemoryJournal(wall_ms)) as floor:
            heard: list[bool] = []
            floor.house.listen(lambda events: heard.extend(one.busy for one in events if isinstance(one, TableBusy)))
            seats = await _seated(floor, tmp_path, "A1")
            await _play(floor, seats, 1)
            assert floor.house.state.staff["D1"]
            await until(lambda: heard[:2] == [True, False])

    asyncio.run(play())


def test_a_floor_that_is_stopped_right_after_its_start_stops() -> None:
    """What has just moved wakes those who carry it in the same moment as the stop."""

    async def scene() -> None:
        floor = RunningFloor(backing(MemoryJournal(wall_ms)), (table_for(),), alone=False)
        await floor.start()
        async with asyncio.timeout(20):
            await asyncio.create_task(floor.stop())

    asyncio.run(scene())
