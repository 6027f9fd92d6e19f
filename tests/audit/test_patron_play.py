"""What a loyalty system is told of patrons: the same as the reports, day by day, and each day's end."""

import asyncio
from datetime import date, timedelta

import msgspec
import pytest

from sabot.audit.gaming_days import gaming_day
from sabot.audit.kept_sums import ALWAYS_MS, SumReader
from sabot.audit.outbox import OutboxEnd, OutboxLine, outbox
from sabot.audit.patron_days import DayClock, PatronsTold
from sabot.audit.patron_play import patrons_told, played_by_patrons
from sabot.journal.memory import MemoryJournal
from sabot.table.events import GamingDayEnded
from sabot.views.reports import TableReport
from sabot.web.reports.asks import Made, PatronsShown, ShowPatrons
from sabot.web.reports.report_process import _patrons
from tests.audit.sums import by_sum, play_days
from tests.floor.nights import memory

TABLE = "table/T1"
CLOCK = DayClock("Australia/Melbourne", "06:00", 40 * 86_400_000)


@pytest.fixture(scope="module")
def journal() -> MemoryJournal:
    found = memory()
    asyncio.run(play_days(found))
    return found


def _whole(journal: MemoryJournal) -> TableReport:
    return by_sum(asyncio.run(SumReader(journal, TABLE, patrons=True).between(0, ALWAYS_MS)), 0, ALWAYS_MS)


def test_turnover_time_and_theoretical_win_are_those_of_the_reports(journal: MemoryJournal) -> None:
    played = asyncio.run(played_by_patrons(journal, (TABLE,), 0, ALWAYS_MS))
    assert played == _whole(journal).patrons
    assert [one.patron for one in played] == ["M1", "M2"]
    assert all(one.turnover and one.present_ms and one.theoretical_win for one in played)


def test_the_theoretical_win_is_the_exact_edge_of_each_bet_times_its_turnover(journal: MemoryJournal) -> None:
    """All patrons gave a reference, so that theirs together is that of all bets."""
    report = _whole(journal)
    theirs = sum(one.theoretical_win or 0 for one in report.patrons)
    by_bet = sum(line.theoretical_win or 0 for line in report.bets)
    assert theirs == pytest.approx(by_bet, rel=1e-9)


def test_every_day_of_the_lines_is_told_once_and_nothing_is_missing(journal: MemoryJournal) -> None:
    async def told() -> list[PatronsTold]:
        lines = [one async for one in outbox(journal, "", 10_000) if not isinstance(one, OutboxEnd)]
        return await patrons_told(journal, ("house", TABLE), lines, CLOCK)

    days = asyncio.run(told())
    assert len({one.day for one in days}) == len(days) > 1
    assert all(one.ended == (one.to_ms <= CLOCK.now_ms) for one in days)
    told_of = {one.day: one.patrons for one in days}
    for number in range(45):
        day = str(date(1970, 1, 1) + timedelta(days=number))
        played = asyncio.run(played_by_patrons(journal, (TABLE,), *gaming_day(day, CLOCK.time_zone, CLOCK.starts)))
        if any(one.turnover for one in played):
            assert told_of[day] == played, day


def test_a_day_is_told_with_the_line_that_ends_it(journal: MemoryJournal) -> None:
    over = GamingDayEnded(date="1970-01-01", last_coup=3, clause="G-91")
    line = OutboxLine(TABLE, 0, 1, CLOCK.now_ms, "clock", "", (), (over,), "")
    days = asyncio.run(patrons_told(journal, (TABLE,), [line], CLOCK))
    assert [(one.day, one.ended, bool(one.patrons)) for one in days] == [("1970-01-01", True, True)]


def test_patrons_are_shown_page_by_page(journal: MemoryJournal) -> None:
    def page(after: str) -> PatronsShown:
        answer = asyncio.run(_patrons(journal, ShowPatrons(("T1",), 0, ALWAYS_MS, after, 1)))
        assert isinstance(answer, Made)
        return msgspec.json.decode(answer.json, type=PatronsShown)

    first = page("")
    second = page(first.after)
    assert [one.patron for one in (*first.patrons, *second.patrons)] == ["M1", "M2"]
    assert (first.more, second.more) == (True, False)
    assert page(second.after).patrons == ()
