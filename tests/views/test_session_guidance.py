"""What the console tells a dealer whose table plays for a tournament."""

import pytest

from sabot.floor.lines.table import LineTable
from sabot.views.procedure import guidance_of
from sabot.views.public import public_view
from sabot.views.scorecard import Scorecard
from sabot.views.tournament_board import board_of
from tests.floor.tournament_play import WORDS, Cast


def guided(cast: Cast, table: LineTable) -> str:
    board = board_of(cast.state, {}, table.now_ms)
    public = public_view(table.state, Scorecard.of(table.state), table.now_ms, board=board)
    return guidance_of(table.state, public).message.code


@pytest.mark.clause("CROWN 12.2.5")
def test_the_dealer_is_told_why_no_coup_opens() -> None:
    cast = Cast()
    cast.plans()
    cast.enters(16)
    cast.briefs()
    cast.opens_tables()
    table = cast.table("T1")
    cast.shuffles("T1")
    assert guided(cast, table) == "guide_reserved"
    cast.says(f"@2026-06-06T13:00 TD1 draw_seats SPRING heats {WORDS}", "TD1 call_session SPRING heats 1")
    assert guided(cast, table) == "guide_open"
    cast.says("TD1 step_out SPRING")
    assert guided(cast, table) == "guide_director_away"
    cast.says("TD1 be_present SPRING")
    for other in cast.sittings():
        if other != "T1":
            cast.shuffles(other)
    cast.plays_out()
    assert guided(cast, table) == "guide_session_played"
