"""What a table tells the tournament: whole figures, every change since a revision, and nothing twice."""

import pytest

from sabot.table import acts
from sabot.table.sessions.news import ScoresNews, score_since, table_news, why_it_waits
from sabot.table.sessions.terms import SessionSeat
from tests.table.session_play import READY, SITTING, SessionTable, in_session


def heard(table: SessionTable, revision: int) -> ScoresNews:
    news = score_since(table.state, SITTING, revision)
    assert news is not None
    return news


@pytest.mark.clause("CROWN 12.2.1(d)")
def test_after_a_coup_one_score_is_new_and_after_a_correction_all_from_its_coup_on() -> None:
    table = in_session("A8", each_coup="none", credits=0, missed=None)
    opened = heard(table, 0)
    assert (opened.counted, opened.left, opened.scores) == (0, 20, ())
    assert [seat.present for seat in opened.seats.values()] == [True] * 7 + [False]
    table.coup("banker", A1=10_000)
    table.coup("banker", A1=10_000)
    first = heard(table, opened.revision)
    assert [score.counted for score in first.scores] == [1, 2]
    assert score_since(table.state, SITTING, first.revision) is None
    table.coup("tie", A1=10_000)
    second = heard(table, first.revision)
    assert [(score.counted, score.scores[1]) for score in second.scores] == [(3, 119_000)]
    table.correct(2, "player")
    corrected = heard(table, second.revision)
    assert [(score.counted, score.scores[1]) for score in corrected.scores] == [(2, 99_500), (3, 99_500)]


@pytest.mark.clause("CROWN 12.2.1(i)")
def test_a_change_of_a_seat_is_news_too() -> None:
    table = in_session("A8", balances="cash", each_coup="none", credits=0, missed=None)
    before = heard(table, 0)
    seat = SessionSeat(entrant=8, patron="P-8", credit=100_000)
    table.do(acts.AdmitSeat(sitting=SITTING, order=1, station="A8", seat=seat))
    arrived = heard(table, before.revision)
    assert arrived.seats["A8"].present
    table.do(acts.AgreeToConclude(), "A8")
    agreed = heard(table, arrived.revision)
    assert agreed.seats["A8"].agreed
    table.hear("D1 open")
    lapsed = heard(table, agreed.revision)
    assert not lapsed.seats["A8"].agreed
    table.hear("D1 close", "D1 void")
    table.do(acts.CloseSeat(sitting=SITTING, order=2, station="A8", reason="retired"))
    assert heard(table, lapsed.revision).seats["A8"].closed


@pytest.mark.clause("CROWN 12.3.2")
def test_a_table_tells_how_far_it_is_and_why_it_waits() -> None:
    table = SessionTable()
    table.hear(*READY, "D1 buy_in A1 50")
    order = acts.ReserveTable(tournament="SPRING", title={}, limits={})
    assert (why := why_it_waits(table.state, order, 0)) is not None
    assert why.code == "accounts_open"
    assert not table_news(table.state, "SPRING").reserved
    table.hear("A1 leave", "D1 pay A1")
    table.reserve()
    assert table_news(table.state, "SPRING").reserved
    opening = table.opening(coups=1)
    assert why_it_waits(table.state, opening, 0) is None
    table.do(opening)
    assert table_news(table.state, "SPRING").sittings == {SITTING: "open"}
    assert table_news(table.state, "AUTUMN").sittings == {}
    table.coup("tie", **table.everybody())
    assert table_news(table.state, "SPRING").sittings == {SITTING: "played"}
    table.do(acts.EndSession(sitting=SITTING, order=9))
    assert table_news(table.state, "SPRING").sittings == {SITTING: "closed"}
    last = heard(table, 0)
    assert (last.counted, last.left, len(last.scores)) == (1, 0, 1)
    assert why_it_waits(table.state, opening, 0) is None, "a sitting opens once"
