"""The report of a table agrees with its books, period by period, and with the exact odds."""

import asyncio
from math import sqrt

import pytest

from sabot.audit.table_report import NINETY_FIVE_OF_A_HUNDRED, TableReport, TableReportReader
from sabot.journal.memory import MemoryJournal
from sabot.odds.composition import Composition
from sabot.odds.next_coup import NextCoup
from sabot.odds.study import Study
from sabot.table.state import TableState
from tests.audit.forgery import TABLE
from tests.floor.nights import Night, played

ALL_TIME = (0, 2**53)


@pytest.fixture(scope="module")
def night() -> tuple[MemoryJournal, Night]:
    return played()


def read(journal: MemoryJournal, from_ms: int, to_ms: int) -> TableReport:
    async def reading() -> TableReport:
        taken = TableReportReader("T1", from_ms, to_ms)
        async for record in journal.read(TABLE):
            if not taken.take(record):
                break
        return taken.report("a program", 1, 0)

    return asyncio.run(reading())


def moments(journal: MemoryJournal) -> list[int]:
    async def collected() -> list[int]:
        return [record.entry.at_ms async for record in journal.read(TABLE)]

    return sorted(set(asyncio.run(collected())))


def test_a_period_is_the_sum_of_its_parts(night: tuple[MemoryJournal, Night]) -> None:
    journal, _ = night
    times = moments(journal)
    middle = times[len(times) // 2]
    whole, first, second = read(journal, *ALL_TIME), read(journal, 0, middle), read(journal, middle, 2**53)
    for figure in ("drop", "turnover", "metered_win", "booked_win", "variance"):
        parts = getattr(first.shift.win, figure) + getattr(second.shift.win, figure)
        assert getattr(whole.shift.win, figure) == parts, figure
    assert whole.records == first.records + second.records
    assert first.last < second.first
    assert first.last <= first.as_of < second.first
    assert (first.heading.to_ms, second.heading.from_ms) == (middle, middle)
    assert whole.put_right == (*first.put_right, *second.put_right)


def test_meters_and_books_agree_and_corrections_name_who_made_them(night: tuple[MemoryJournal, Night]) -> None:
    journal, _ = night
    report = read(journal, *ALL_TIME)
    assert report.shift.win.variance == 0
    assert report.shift.win.drop > 0
    assert {"OutcomeCorrected", "CoupRecalculated"} <= {line.kind for line in report.put_right}
    assert all(line.clause for line in report.put_right)


def test_what_should_have_been_won_is_the_edge_on_every_stake_and_coups_vary_apart(
    night: tuple[MemoryJournal, Night],
) -> None:
    """Wagers on the same bet in one coup win or lose together, so their sum is squared, not each of them."""
    journal, played_night = night
    state: TableState = played_night.state
    odds = Study.of(state.terms).odds(NextCoup(Composition.fresh(state.terms.decks)))
    newest = {one.coup: one for one in state.played if not one.invalid}
    for line in read(journal, *ALL_TIME).bets:
        sums = [
            sum(wager.stake_cents for lines in one.settlements.values() for wager in lines if wager.bet == line.bet)
            for one in newest.values()
        ]
        edge, variance = float(odds[line.bet].house_edge), float(odds[line.bet].variance)
        reach = NINETY_FIVE_OF_A_HUNDRED * sqrt(sum(variance * cents**2 for cents in sums))
        assert line.turnover == sum(sums)
        assert line.theoretical_win == pytest.approx(edge * sum(sums))
        assert (line.low, line.high) == pytest.approx((edge * sum(sums) - reach, edge * sum(sums) + reach))
