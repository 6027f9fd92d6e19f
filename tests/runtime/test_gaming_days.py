"""A gaming day that the house closes ends at every table once, also where nobody had the table then."""

import asyncio

import msgspec

from sabot.basics.stamp import operator_stamp
from sabot.floor.records.record_codec import read_answer, read_events
from sabot.house import acts as h
from sabot.journal.journal import Journal
from sabot.journal.memory import MemoryJournal
from sabot.runtime.floor import RunningFloor
from sabot.table import acts
from sabot.table import events as e
from sabot.table.state import TableState
from tests.floor.nights import records_of
from tests.runtime.floors import running, table_for, until, wall_ms
from tests.served.open_table import open_table

NATURAL = ("4S", "2H", "5D", "4C")


async def _open_day(floor: RunningFloor, date: str) -> None:
    assert isinstance(await floor.house.ask(h.OpenDay(date=date), operator_stamp()), tuple)


async def _close_day(floor: RunningFloor) -> None:
    assert isinstance(await floor.house.ask(h.CloseDay(), operator_stamp()), tuple)


async def _play_a_coup(journal: Journal, date: str) -> None:
    """The first coup of T1, in the gaming day of this date, which stays open."""
    async with open_table(journal) as floor:
        await _open_day(floor.floor, date)
        await floor.open_wagering()
        for card in NATURAL:
            await floor.console.ask(acts.Card(card=card))
        await floor.console.ask(acts.Confirm())


async def _taken(floor: RunningFloor) -> TableState:
    """T1 once its owner has done all that follows from the house's records."""
    table = floor.tables["T1"]
    await until(lambda: table.term is not None)
    term = table.term
    assert term is not None
    await until(lambda: not term.append)
    return term.state


async def _ended(journal: Journal, table: str) -> list[tuple[str, int]]:
    """The gaming days that ended at a table, each with its last coup."""
    answers = [read_answer(record.entry).accepted for record in await records_of(journal, f"table/{table}")]
    events = [event for accepted in answers if accepted is not msgspec.UNSET for event in read_events(accepted)]
    return [(event.date, event.last_coup) for event in events if isinstance(event, e.GamingDayEnded)]


def test_days_that_closed_while_a_table_had_no_owner_end_there_once_when_it_is_taken() -> None:
    async def play() -> None:
        journal = MemoryJournal(wall_ms)
        await _play_a_coup(journal, "2026-11-16")
        async with running(journal, table_for(name="T2")) as elsewhere:
            await until(lambda: elsewhere.tables["T2"].term is not None)
            await _close_day(elsewhere)
            await _open_day(elsewhere, "2026-11-17")
            await _close_day(elsewhere)
        for _ in range(2):
            async with running(journal) as floor:
                state = await _taken(floor)
                assert (state.day_ended, state.days_ended_with) == ("2026-11-17", 1)
        assert await _ended(journal, "T1") == [("2026-11-16", 1), ("2026-11-17", 1)]
        assert await _ended(journal, "T2") == [("2026-11-16", 0), ("2026-11-17", 0)]

    asyncio.run(play())


def test_a_day_that_closed_before_a_table_came_does_not_end_there() -> None:
    async def play() -> None:
        journal = MemoryJournal(wall_ms)
        async with running(journal, table_for(name="T2")) as elsewhere:
            await _open_day(elsewhere, "2026-11-15")
            await _close_day(elsewhere)
        await _play_a_coup(journal, "2026-11-16")
        async with running(journal) as floor:
            state = await _taken(floor)
            assert (state.day_ended, state.days_ended_with) == ("", 0)
        assert await _ended(journal, "T1") == []

    asyncio.run(play())


def test_house_news_that_come_while_a_days_end_is_being_written_do_not_end_it_twice() -> None:
    async def play() -> None:
        journal = MemoryJournal(wall_ms)
        async with running(journal) as floor:
            await until(lambda: floor.tables["T1"].term is not None)
            await _open_day(floor, "2026-11-16")
            await _close_day(floor)
            await _open_day(floor, "2026-11-17")
            await _taken(floor)
        assert await _ended(journal, "T1") == [("2026-11-16", 0)]

    asyncio.run(play())
