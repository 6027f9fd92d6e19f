"""The curves of a gaming day: they end where the report of the day does, whatever sums are kept."""

import asyncio
from collections.abc import Iterator, Sequence

import pytest

from sabot.audit import part_cutter
from sabot.audit.curves import Gaming, TableDay, floor_curves, table_day
from sabot.audit.gaming_days import day_of, gaming_day
from sabot.audit.kept_sums import SumReader
from sabot.audit.theory import NINETY_FIVE_OF_A_HUNDRED
from sabot.journal.journal import Derived
from sabot.journal.memory import MemoryJournal
from tests.audit.forgery import TABLE
from tests.audit.sums import play_days, records_of
from tests.floor.nights import memory

ZONE, STARTS = "Australia/Melbourne", "06:00"


@pytest.fixture(scope="module")
def short_parts() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(part_cutter, "PART_COUPS", 2)
        yield


@pytest.fixture(scope="module")
def played(short_parts: None) -> MemoryJournal:  # noqa: ARG001
    """Three days; in the second a coup of the first is corrected."""
    journal = memory()
    asyncio.run(play_days(journal, days=3, coups=5))
    return journal


def days_of(journal: MemoryJournal) -> list[Gaming]:
    names = sorted({day_of(record.entry.at_ms, ZONE, STARTS) for record in records_of(journal, TABLE)})
    return [Gaming(name, *gaming_day(name, ZONE, STARTS), ZONE, 7) for name in names]


def drawn(journal: MemoryJournal, gaming: Gaming, kept: Sequence[Derived] = ()) -> TableDay:
    async def draw() -> TableDay:
        await journal.drop_derived(TABLE)
        await journal.keep(kept)
        return await table_day(SumReader(journal, TABLE), "T1", gaming)

    return asyncio.run(draw())


async def missing(journal: MemoryJournal) -> list[Derived]:
    await journal.drop_derived(TABLE)
    return [one async for one in SumReader(journal, TABLE).missing()]


def test_a_curve_ends_where_the_report_of_the_day_does(played: MemoryJournal) -> None:
    days = days_of(played)
    assert len(days) >= 3
    for gaming in days:
        day = drawn(played, gaming, asyncio.run(missing(played)))
        win, last = day.report.shift.win, day.steps[-1]
        assert (last.coups, last.drop, last.turnover) == (day.report.shift.coups, win.drop, win.turnover)
        assert last.win == win.booked_win
        if win.theoretical_win is not None:
            assert last.mean is not None
            assert last.mean == pytest.approx(win.theoretical_win, abs=0.6)
            assert win.high is not None
            reach = NINETY_FIVE_OF_A_HUNDRED * last.variance**0.5
            assert reach == pytest.approx(win.high - last.mean, rel=1e-3)


def test_kept_parts_change_nothing_but_how_fine_a_curve_is(played: MemoryJournal) -> None:
    parts = asyncio.run(missing(played))
    for gaming in days_of(played):
        by_records, by_parts, by_some = (drawn(played, gaming, kept) for kept in ((), parts, parts[::2]))
        assert by_records.report == by_parts.report == by_some.report
        assert by_records.steps[-1]._replace(mean=0, variance=0) == by_parts.steps[-1]._replace(mean=0, variance=0)
        assert by_records.steps[-1].mean == pytest.approx(by_parts.steps[-1].mean)
        assert by_records.steps[-1].variance == pytest.approx(by_parts.steps[-1].variance)
        assert [step.at_ms for step in by_parts.steps] == sorted(step.at_ms for step in by_parts.steps)


def test_the_curves_of_several_tables_are_their_sum(played: MemoryJournal) -> None:
    gaming = days_of(played)[0]
    day = drawn(played, gaming)
    one, two = floor_curves(gaming, "T1", [day]), floor_curves(gaming, "", [day, day])
    last, both = one.points[-1], two.points[-1]
    assert (both.win, both.drop, both.turnover) == (2 * last.win, 2 * last.drop, 2 * last.turnover)
    assert last.expected is not None
    assert last.high is not None
    assert both.expected == pytest.approx(2 * last.expected)
    assert both.high == pytest.approx(2 * last.expected + 2**0.5 * (last.high - last.expected))
    assert sum(hour.coups for hour in one.hours) == pytest.approx(last.coups, abs=len(one.hours))
    assert [line.name for line in one.by_dealer] == [line.name for line in two.by_dealer] != []
    assert [line.held for line in one.by_bet] == [line.held for line in two.by_bet]
    assert [2 * line.of for line in one.by_bet] == [line.of for line in two.by_bet]
    assert two.by_table[0] == one.by_table[0]


def test_hold_is_the_win_of_the_drop_and_of_the_turnover(played: MemoryJournal) -> None:
    gaming = days_of(played)[0]
    curves = floor_curves(gaming, "T1", [drawn(played, gaming)])
    for line in (*curves.by_table, *curves.by_bet, *curves.by_dealer):
        assert line.held == (round(100 * line.win / line.of, 2) if line.of else None)
    assert all(hour.idle_percent is None or 0 <= hour.idle_percent <= 100 for hour in curves.hours)


def test_a_day_without_play_has_no_curve(played: MemoryJournal) -> None:
    gaming = Gaming("2020-01-01", *gaming_day("2020-01-01", ZONE, STARTS), ZONE, 7)
    curves = floor_curves(gaming, "T1", [drawn(played, gaming)])
    assert (curves.points, curves.hours, curves.by_bet) == ((), (), ())
