"""The report of a table from sums of its records is the report by its states, and agrees with the exact odds."""

import random
from math import sqrt
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.audit.period_sum import read_sum, write_sum
from sabot.audit.summing import Summing
from sabot.audit.theory import NINETY_FIVE_OF_A_HUNDRED
from sabot.cli.random_nights import read_authority
from sabot.floor.nights.night import Night as AnyNight
from sabot.floor.records.record_codec import table_of
from sabot.floor.simulator.chance import Chance
from sabot.journal.memory import MemoryJournal
from sabot.journal.record import Record
from sabot.odds.composition import Composition
from sabot.odds.next_coup import NextCoup
from sabot.odds.study import Study
from sabot.table.state import TableState
from sabot.views.reports import TableReport
from tests.audit.forgery import TABLE
from tests.audit.sums import by_states, by_sum, comparable, records_of, summed
from tests.floor.nights import Night, played

ALL_TIME = (0, 2**53)
MATRIX = Path(__file__).parents[1] / "data" / "role_matrix.tsv"


@pytest.fixture(scope="module")
def night() -> tuple[MemoryJournal, Night]:
    return played()


@pytest.fixture(scope="module")
def records(night: tuple[MemoryJournal, Night]) -> list[Record]:
    return records_of(night[0], TABLE)


def random_night(seed: int) -> list[Record]:
    """Everything that was recorded in a night in which anybody says anything."""
    played_night = AnyNight(Chance(random.Random(seed).random), read_authority(MATRIX))
    played_night.play()
    name = played_night.table.name
    found = records_of(played_night.table.floor.backing.journal, f"table/{name}")
    assert table_of(found[0].stream) == name
    return found


def check_night(found: list[Record]) -> None:
    whole = summed(found)
    assert comparable(by_sum(whole, *ALL_TIME)) == comparable(by_states(found, *ALL_TIME))
    assert read_sum(write_sum(whole)) == whole
    for after in (len(found) // 3, 2 * len(found) // 3):
        joined = Summing()
        joined.join(summed(found, 0, after))
        joined.join(summed(found, after))
        assert joined.sum() == whole
        assert write_sum(joined.sum()) == write_sum(whole)


@pytest.mark.parametrize("seed", range(100, 112))
def test_a_random_night_reports_by_sums_what_its_states_report_and_its_parts_add_up(seed: int) -> None:
    check_night(random_night(seed))


@pytest.mark.whole
def test_many_random_nights_report_by_sums_what_their_states_report() -> None:
    for seed in range(1_000):
        check_night(random_night(seed))


@given(data=st.data())
def test_sums_of_adjacent_periods_add_up_to_the_sum_of_all(data: st.DataObject, records: list[Record]) -> None:
    """However a stream is cut, and in whatever order the pieces are joined."""
    cuts = sorted(data.draw(st.sets(st.integers(1, len(records) - 1), max_size=5)))
    pieces = [summed(records, *ends) for ends in zip((0, *cuts), (*cuts, len(records)), strict=True)]
    while len(pieces) > 1:
        place = data.draw(st.integers(0, len(pieces) - 2))
        joined = Summing(pieces[place].before)
        joined.join(pieces[place])
        joined.join(pieces[place + 1])
        pieces[place : place + 2] = [joined.sum()]
    assert pieces[0] == summed(records)


@given(data=st.data())
def test_any_period_reports_what_its_states_report(data: st.DataObject, records: list[Record]) -> None:
    times = sorted({record.entry.at_ms for record in records})
    from_ms, to_ms = sorted(data.draw(st.lists(st.sampled_from(times), min_size=2, max_size=2)))
    report = by_states(records, from_ms, to_ms)
    before = next((one.version - 1 for one in records[1:] if one.entry.at_ms >= from_ms), len(records))
    if report.as_of > before:
        assert comparable(by_sum(summed(records, before, report.as_of), from_ms, to_ms)) == comparable(report)


def test_meters_and_books_agree_and_corrections_name_who_made_them(records: list[Record]) -> None:
    report = read(records)
    assert report.shift.win.variance == 0
    assert report.shift.win.drop > 0
    assert {"OutcomeCorrected", "CoupRecalculated"} <= {line.kind for line in report.put_right}
    assert all(line.clause for line in report.put_right)


def read(records: list[Record]) -> TableReport:
    return by_sum(summed(records), *ALL_TIME)


def test_what_should_have_been_won_is_the_edge_on_every_stake_and_coups_vary_apart(
    night: tuple[MemoryJournal, Night], records: list[Record]
) -> None:
    """Wagers on the same bet in one coup win or lose together, so their sum is squared, not each of them."""
    state: TableState = night[1].state
    odds = Study.of(state.terms).odds(NextCoup(Composition.fresh(state.terms.decks)))
    newest = {one.coup: one for one in state.played if not one.invalid}
    for line in read(records).bets:
        sums = [
            sum(wager.stake_cents for lines in one.settlements.values() for wager in lines if wager.bet == line.bet)
            for one in newest.values()
        ]
        edge, variance = float(odds[line.bet].house_edge), float(odds[line.bet].variance)
        reach = NINETY_FIVE_OF_A_HUNDRED * sqrt(sum(variance * cents**2 for cents in sums))
        assert line.turnover == sum(sums)
        assert line.theoretical_win == pytest.approx(edge * sum(sums))
        assert (line.low, line.high) == pytest.approx((edge * sum(sums) - reach, edge * sum(sums) + reach))
