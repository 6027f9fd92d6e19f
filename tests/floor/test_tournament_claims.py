"""A claim of an entrant reaches the tournament, and stops what must wait for it (CROWN 11.12)."""

import pytest

from sabot.audit.verify import Against, verify
from sabot.basics.at_once import at_once
from tests.floor.tournament_play import Cast

SITTING = "SPRING/heats/1/T1"


def played_heats() -> Cast:
    """The first session of the heats is played out, and nothing is confirmed yet."""
    cast = Cast()
    cast.plans()
    cast.enters(16)
    cast.briefs()
    cast.opens_tables()
    cast.says("@2026-06-06T13:00 TD1 draw_seats SPRING heats AS KD 7C 2H 9S TD")
    cast.calls("heats", 1, "2026-06-06T13:00")
    cast.plays_out()
    return cast


@pytest.mark.clause("CROWN 11.12")
def test_a_claim_after_the_last_coup_holds_up_the_closing_of_the_session() -> None:
    cast = played_heats()
    coup = cast.table("T1").state.coups
    cast.says(f"T1: D1 claim A1 {coup} wrong")
    assert cast.state.sittings[SITTING].claims_open
    refused = cast.tries("TD1 close_session SPRING").refusal
    assert refused is not None
    assert refused.code == "claims_open"
    cast.says("T1: GS1 decide_claim 1 false reason=right", "TD1 close_session SPRING")
    assert not cast.state.sittings[SITTING].claims_open


@pytest.mark.clause("CROWN 11.12")
def test_a_claim_after_the_session_holds_up_the_confirmation_of_the_round() -> None:
    cast = played_heats()
    coup, revision = cast.table("T1").state.coups, cast.state.sittings[SITTING].revision
    cast.ends_session()
    scores = list(cast.state.sittings[SITTING].scores)
    cast.says(f"T1: D1 claim A1 {coup} wrong")
    refused = cast.tries("TD1 confirm_round SPRING heats AS KD 7C 2H 9S TD").refusal
    assert refused is not None
    assert refused.code in ("claims_open", "sitting_open")
    assert cast.state.sittings[SITTING].claims_open
    cast.says("T1: GS1 decide_claim 1 false reason=right")
    assert not cast.state.sittings[SITTING].claims_open
    assert list(cast.state.sittings[SITTING].scores) == scores
    assert cast.state.sittings[SITTING].revision > revision
    verdict = at_once(verify(cast.played.floor.backing.journal, Against(""), lambda *_: None))
    assert verdict.ok, verdict.problems
