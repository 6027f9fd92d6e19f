"""Honest nights raise no false alarm beyond those that are shared out, and planted cheats are found."""

import msgspec
import numpy as np
import pytest

from sabot.basics.phrase import in_english
from sabot.integrity.light import Kind
from sabot.integrity.phrases import SENTENCES
from sabot.integrity.seen import CoupSeen
from sabot.integrity.trial.night import TrialTable
from sabot.integrity.trial.planted import PLANTED
from sabot.integrity.trial.report import honest_floor, interval, planted
from sabot.integrity.trial.trial import FalseAlarm, FoundCheat, HonestTable, cheated_table, honest_table
from sabot.integrity.watch import DETECTORS, TableWatch
from tests.integrity.shoes import terms


@pytest.mark.parametrize("number", range(3))
def test_honest_nights_in_a_row_raise_no_alarm(number: int) -> None:
    """The short form of `sabot drill integrity`: of 40,000 nights one in 4,000 may raise one."""
    played = honest_table(number, seed=2026, nights=2, coups=80)
    assert not played.alarms
    assert played.coups >= 160
    assert played.closest.keys() >= {Kind.SLUG, Kind.CENSUS, Kind.RETURN_OF_SEAT, Kind.FAVOURS}


@pytest.mark.parametrize(
    ("cheat", "within", "kind"),
    [
        ("slug in order", 10, Kind.SLUG),
        ("new decks, not shuffled", 12, Kind.SLUG),
        ("clumps of tens", 100, Kind.CLUMPS),
        ("chips passed between two seats", 260, Kind.OPPOSED_SEATS),
        ("knows the cards left, all bets", 900, Kind.KNOWING),
    ],
)
def test_a_planted_cheat_is_found(cheat: str, within: int, kind: Kind) -> None:
    found = cheated_table(1, 2026, PLANTED[cheat], within + 330)
    assert (found.by, found.coups <= within) == (kind, True)


@pytest.mark.whole
@pytest.mark.parametrize("cheat", ["past-posting 1 wager in 10", "wrong results, 1 lost coup in 2"])
def test_a_planted_cheat_that_takes_many_coups_is_found(cheat: str) -> None:
    assert cheated_table(1, 2026, PLANTED[cheat], 6_000).by in {Kind.LATE_WAGERS, Kind.FAVOURS, Kind.RETURN_OF_SEAT}


def test_a_watch_that_is_kept_at_any_coup_goes_on_as_if_it_had_not_been() -> None:
    table = TrialTable("T1", terms(), np.random.default_rng(5))
    through, kept = TableWatch("T1"), TableWatch("T1")
    for night in range(2):
        if night:
            through.begin_day()
            kept.begin_day()
        for seen in table.night(160):
            through.take(seen)
            kept.take(seen)
            if isinstance(seen, CoupSeen) and seen.coup % 90 == 10:
                kept = TableWatch(
                    "T1", msgspec.msgpack.decode(msgspec.msgpack.encode(kept.states()), type=dict[str, msgspec.Raw])
                )
    one, other = through.lights(), kept.lights()
    assert [(light.kind, light.subject, light.coups) for light in one] == [
        (light.kind, light.subject, light.coups) for light in other
    ]
    assert [light.evidence for light in one] == pytest.approx([light.evidence for light in other])
    assert len(one) > 60
    for light in one:
        assert in_english(light.seen, SENTENCES)
        assert in_english(light.advice, SENTENCES)


def test_detectors_have_names_of_their_own() -> None:
    assert len({one.name for one in DETECTORS}) == len(DETECTORS)


def test_a_rate_has_the_interval_of_clopper_and_pearson() -> None:
    """Against published values, and closed forms where nothing or everything happened."""
    assert interval(0, 1000) == pytest.approx((0, 1 - 0.025 ** (1 / 1000)))
    assert interval(5, 5) == pytest.approx((0.025 ** (1 / 5), 1))
    assert interval(10, 100) == pytest.approx((0.0490, 0.1762), abs=1e-4)
    assert interval(0, 0) == (0, 1)


def test_floor_days_have_the_same_night_of_forty_tables() -> None:
    alarm = FalseAlarm(41, 1, Kind.SLUG, "", 1e6, 1e5)
    twice = [alarm, FalseAlarm(79, 1, Kind.CENSUS, "", 1e6, 1e5), FalseAlarm(80, 0, Kind.CENSUS, "", 1e6, 1e5)]
    tables = [
        HonestTable(number, 2, 160, [one for one in twice if one.table == number], {Kind.SLUG: number / 100})
        for number in range(100)
    ]
    floor = honest_floor(tables, 2)
    assert (floor.nights, floor.floor_days, floor.with_alarm, floor.rate) == (200, 4, 1, 0.25)
    assert len(floor.alarms) == 3
    assert floor.closest == {Kind.SLUG: 0.99}


def test_what_half_and_nine_tenths_of_tables_needed_is_told_only_where_so_many_found_it() -> None:
    found = [FoundCheat(number, 10 * (number + 1), Kind.SLUG) for number in range(6)]
    lost = [FoundCheat(number, 999, None) for number in range(6, 10)]
    report = planted("a cheat", [*found, *lost])
    assert (report.found, report.tables, report.median_coups, report.ninety_coups) == (6, 10, 50, None)
    assert report.by == {"slug": 6}
