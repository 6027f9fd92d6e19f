"""Own limits of patrons who have left: how long a table remembers them, and how many."""

import pytest
from msgspec.structs import replace

from sabot.table.care.carrying import MOST_KEPT, carried_on, left_behind
from sabot.table.care.state import Care, OwnLimit, OwnLimitKind
from sabot.table.events import OwnLimitsCarried
from sabot.table.state import TableState
from tests.table.playing import table_with_money

HOUR_MS = 3_600_000
LIMITS = {OwnLimitKind.LOSS: OwnLimit(10_000)}


def after_leaving(patron: str, care: Care, station: str = "A1", state: TableState | None = None) -> TableState:
    before = state or table_with_money("crown-traditional").state
    there = replace(before.stations[station], patron=patron, care=care)
    before = replace(before, stations={**before.stations, station: there})
    return replace(before, left_care=left_behind(before, station))


def carried(state: TableState, station: str, patron: str, at_ms: int = HOUR_MS) -> OwnLimitsCarried | None:
    events = carried_on(state, station, patron, 9, at_ms)
    return next((event for event in events if isinstance(event, OwnLimitsCarried)), None)


@pytest.mark.clause("CROWN 4.3")
def test_another_gaming_day_begins_anew_but_for_limits_of_a_patron_who_is_named() -> None:
    same_day = after_leaving("P7", Care(lost=6_000, won=1_000, limits=LIMITS))
    found = carried(same_day, "A2", "P7")
    assert found is not None
    assert found.lost_cents == 5_000
    assert found.limits == {OwnLimitKind.LOSS: OwnLimit(10_000, 0, 25 * HOUR_MS)}
    assert carried(same_day, "A1", "") is not None
    assert carried(same_day, "A2", "") is None
    next_day = replace(same_day, day_ended="2026-11-18")
    assert carried(next_day, "A1", "") is None
    named = carried(next_day, "A1", "P7")
    assert named is not None
    assert (named.lost_cents, named.since_ms) == (0, HOUR_MS)


def test_what_is_over_does_not_go_on() -> None:
    raised = {OwnLimitKind.WAGER: OwnLimit(5_000, 0, HOUR_MS), OwnLimitKind.TIME: OwnLimit(30, 60, 3 * HOUR_MS)}
    state = after_leaving("", Care(limits=raised, break_until_ms=HOUR_MS))
    found = carried(state, "A1", "")
    assert found is not None
    assert found.limits == {OwnLimitKind.TIME: OwnLimit(30, 60, 3 * HOUR_MS)}
    assert found.break_until_ms == 0
    at_once = replace(state.configuration, care=replace(state.configuration.care, limit_delay_hours=0))
    state = after_leaving("", Care(limits=LIMITS), state=replace(state, configuration=at_once))
    assert carried(state, "A1", "") is None, "the house lets a limit be removed at once"


def test_the_next_patron_of_the_station_ends_what_hangs_on_it() -> None:
    state = after_leaving("P7", Care(limits=LIMITS))
    state = after_leaving("", Care(), state=state)
    assert carried(state, "A1", "") is None
    assert carried(state, "A1", "P7") is not None


def test_a_table_remembers_a_bounded_number_of_patrons() -> None:
    state = after_leaving("P0", Care(limits=LIMITS))
    for number in range(1, MOST_KEPT + 5):
        state = after_leaving(f"P{number}", Care(limits=LIMITS), state=state)
        state = after_leaving(f"P{number}", Care(limits=LIMITS), state=state)
    assert len(state.left_care) == MOST_KEPT
    assert carried(state, "A2", "P0") is None
    assert carried(state, "A2", f"P{MOST_KEPT}") is not None
