"""Lines that are wrong get one sentence each, and the tournament goes on."""

import json

import pytest

from sabot.floor.lines.words import read_line
from sabot.tournament.phase import TournamentPhase
from tests.floor.test_tournament_floor import in_heats
from tests.floor.tournament_play import Cast
from tests.tables import rows

ROWS = rows("tournament_lines.tsv")


def test_wrong_lines_are_refused_in_one_sentence_and_the_session_goes_on() -> None:
    cast = in_heats()
    for row in ROWS:
        line, played = row["line"], cast.played
        asked = json.loads(line) if line.startswith("{") else read_line(line, played.now_ms, played.zone)
        refusal = played.answer(asked).refusal
        assert refusal is not None, row
        assert refusal.code == row["code"], (row, refusal)
        assert refusal.clause == row["clause"] or row["clause"] == "-", (row, refusal)
        assert row["says"] in refusal.text, (row, refusal)
    cast.plays_out()
    cast.ends_session()
    assert cast.state.phase is TournamentPhase.READY


@pytest.mark.clause("CROWN 12.3.5(a)")
def test_scores_told_in_json_decide_whether_a_sitting_may_end_early() -> None:
    """Acceptance case 38: 2,800.00 at most against 4,300.00 at least."""
    limits = {"minimum": 2500, "step": 500, "maximum": 50_000}
    cast = Cast()
    changes = {
        "entry.minimum_players": 4,
        "game.limits": {"player": limits, "banker": limits, "tie": {**limits, "minimum": 500, "maximum": 10_000}},
        "wagers.each_coup": "none",
        "rounds.2.from": [{"round": "heats", "top_per_table": 2}, {"round": "repechage", "top_per_table": 1}],
        "rounds.2.tables": 4,
    }
    cast.plans(changes=changes)
    cast.enters(4)
    cast.briefs()
    cast.opens_tables()
    cast.says("@2026-06-06T12:00 TD1 draw_seats SPRING heats AS KD 7C 2H 9S TD")
    cast.calls("heats", 1, "2026-06-06T13:00")
    told = {"table": "T1", "sitting": "SPRING/heats/1/T1", "revision": 900, "counted": 18, "left": 2}
    scores = {"1": 600_000, "2": 550_000, "3": 120_000, "4": 30_000}
    cast.says({"do": "note_score", "by": "clock", "tournament": "SPRING", **told, "scores": scores})
    answer = cast.says("TD1 conclude_early SPRING T1")
    ordered = cast.state.sittings["SPRING/heats/1/T1"]
    assert "ConclusionOrdered" in {type(event).__name__ for event in answer.events}
    assert ordered.counted == 18
