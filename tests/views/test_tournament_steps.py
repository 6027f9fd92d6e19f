"""The desk names the act that carries a tournament on, and says why it is not open yet."""

import pytest

from sabot.views.tournament_desk import TournamentDesk, desk_of
from tests.floor.tournament_play import WORDS, Cast


def _desk(cast: Cast) -> TournamentDesk:
    return desk_of(cast.state, cast.played.now_ms)


def _next(cast: Cast) -> tuple[str, str, str]:
    """The verb, its round, and the code of the refusal or nothing."""
    step = _desk(cast).next
    assert step is not None
    assert step.open is not bool(step.code)
    return step.verb, step.round, step.code


@pytest.mark.clause("CROWN 12.1", "CROWN 12.2.1(d)")
def test_the_next_step_follows_the_tournament_from_its_draft_to_its_first_session() -> None:
    cast = Cast()
    cast.says("operator create_tournament SPRING A tournament")
    assert _next(cast) == ("save_conditions", "", "")
    cast.says({"do": "save_conditions", "by": "operator", "tournament": "SPRING", "conditions": "spring"})
    assert _next(cast) == ("approve_conditions", "", "")
    cast.says("operator approve_conditions SPRING 1 VCGR-7 second=CS1")
    assert _next(cast) == ("appoint_director", "", "")
    cast.says("operator appoint_director SPRING TD1")
    assert _next(cast)[0] == "open_entry"
    cast.enters(16)
    assert _next(cast) == ("close_entry", "", "entry_time")
    cast.briefs()
    assert _next(cast)[0] == "designate_tables"
    cast.opens_tables()
    assert _next(cast) == ("draw_seats", "heats", "")
    cast.says(f"TD1 draw_seats SPRING heats {WORDS}")
    assert _next(cast) == ("call_session", "heats", "too_early")
    cast.says("@2026-06-06T13:00 TD1 call_session SPRING heats 1")
    assert _next(cast) == ("close_session", "", "sitting_open")


@pytest.mark.clause("CROWN 12.2.3", "CROWN 12.2.4", "CROWN 12.2.5")
def test_a_duty_is_done_only_once_it_was_done_for_somebody() -> None:
    cast = Cast()
    cast.plans()
    before = {check.code: check.done for check in _desk(cast).checks}
    assert not any(before[code] for code in ("entrants_briefed", "conditions_signed", "director_present"))
    cast.enters(16)
    assert {check.code: check.missing for check in _desk(cast).checks}["entrants_briefed"] == tuple(range(1, 17))
    cast.briefs()
    after = {check.code: check.done for check in _desk(cast).checks}
    assert all(after[code] for code in ("entrants_briefed", "conditions_signed", "director_present"))


@pytest.mark.clause("CROWN 12.2.1(j)")
def test_the_pool_is_shown_as_it_stands() -> None:
    cast = Cast()
    cast.plans()
    cast.enters(2)
    assert _desk(cast).pool_cents == 200_000, "the guarantee"
    cast.says("TD1 step_out SPRING")
    cast.enters(39)
    assert _desk(cast).pool_cents == 41 * 5_000
