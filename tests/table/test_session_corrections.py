"""Corrections around a session: of its coups while it is on and after it, of cash coups, and coups made invalid."""

from typing import Any

import pytest

from sabot.ledger.account import FORFEITED
from sabot.table import acts
from sabot.table.refusal import Refused
from sabot.table.sessions.news import score_since
from sabot.table.sessions.state import SeatStatus
from sabot.table.snapshot import digest_of, read_state, write_state
from tests.table.session_play import READY, SITTING, WINNERS, SessionTable, in_session

FREE: dict[str, Any] = {"each_coup": "none", "credits": 0, "missed": None}


def ended(table: SessionTable) -> None:
    table.do(acts.EndSession(sitting=SITTING, order=table.order()))


@pytest.mark.clause("CROWN 11.11")
def test_a_coup_of_a_closed_session_is_corrected_without_a_posting() -> None:
    """The table's side of case 37: scores change and money does not (G-133)."""
    table = in_session(coups=2, **FREE)
    table.coup("banker", A1=10_000, A2=10_000)
    coup = table.state.coups
    table.coup("tie", A1=10_000)
    ended(table)
    money, revision = table.state.ledger, table.state.kept_sessions[SITTING].revision
    events = table.correct(coup, "player")
    assert table.names(events) == ["SessionCoupCorrected"]
    assert table.state.ledger is money
    kept = table.state.kept_sessions[SITTING]
    assert kept.revision == revision + 1
    assert [(score.scores[1], score.scores[2], score.scores[3]) for score in kept.scores] == [
        (90_000, 90_000, 100_000)
    ] * 2
    news = score_since(table.state, SITTING, revision)
    assert news is not None
    assert [score.counted for score in news.scores] == [1, 2]
    table.correct(coup, "banker")
    assert [score.scores[1] for score in table.state.kept_sessions[SITTING].scores] == [109_500] * 2


@pytest.mark.clause("CROWN 13.4")
def test_an_invalid_coup_of_a_closed_session_gives_back_its_forfeits_in_the_scores() -> None:
    table = in_session(coups=1)
    wagers = table.everybody()
    del wagers["A2"]
    table.coup("banker", **wagers)
    coup = table.state.coups
    ended(table)
    assert table.names(table.hear(f"GS1 invalidate {coup} malfunction dark")) == ["SessionCoupCorrected"]
    (score,) = table.state.kept_sessions[SITTING].scores
    assert set(score.scores.values()) == {100_000}
    refused = table.hear_one(f"GS1 invalidate {coup} malfunction dark")
    assert isinstance(refused, Refused)
    assert refused.code == "coup_invalid"


@pytest.mark.clause("CROWN 13.4")
@pytest.mark.parametrize(("void_coups", "counted"), [("replayed", 1), ("counted", 2)])
def test_an_invalid_coup_of_an_open_session_is_replayed_or_counted(void_coups: str, counted: int) -> None:
    table = in_session(void_coups=void_coups)
    wagers = table.everybody()
    del wagers["A2"]
    table.coup("banker", **wagers)
    coup = table.state.coups
    table.coup("tie", **table.everybody())
    assert table.state.ledger.balance(FORFEITED) == 5_000
    table.hear(f"GS1 invalidate {coup} malfunction dark")
    assert table.state.ledger.balance(FORFEITED) == 0
    assert table.session.counted == counted
    assert [score.counted for score in table.session.scores] == list(range(1, counted + 1))
    assert all(set(score.scores.values()) == {100_000} for score in table.session.scores)
    assert {table.balance(name) for name in table.session.seats} == {100_000}


@pytest.mark.clause("CROWN 11.11")
def test_a_cash_coup_is_put_right_after_the_session() -> None:
    table = SessionTable()
    table.hear(*READY, "D1 buy_in A1 100")
    table.coup("banker", A1=2_500)
    coup = table.state.coups
    table.hear("A1 leave", "D1 pay A1")
    table.reserve()
    table.do(table.opening(coups=1, fresh_shoe=False))
    table.hear("D1 freeze")
    refused = table.refused(acts.Correct(coup=coup, cards=WINNERS["player"]), "D1")
    assert (refused.code, refused.clause) == ("after_the_session", "CROWN 11.11")
    assert isinstance(table.hear_one(f"GS1 invalidate {coup} malfunction dark"), Refused)
    end = acts.EndSession(sitting=SITTING, order=table.order())
    assert table.refused(end).code == "frozen"
    table.hear("D1 unfreeze")
    table.do(end)
    assert "CoupRecalculated" in table.names(table.correct(coup, "player"))


@pytest.mark.clause("CROWN 12.2.1(h)")
def test_a_correction_changes_the_score_alone_of_a_seat_that_closed_early() -> None:
    table = in_session(**FREE)
    table.coup("banker", A1=10_000, A2=10_000)
    coup = table.state.coups
    table.do(acts.CloseSeat(sitting=SITTING, order=table.order(), station="A1", reason="retired"))
    table.coup("tie", A2=2_500)
    table.correct(coup, "player")
    assert table.session.seats["A1"].score == 90_000
    assert [score.scores[1] for score in table.session.scores] == [90_000, 90_000]
    assert table.balance("A2") == 90_000
    table.coup("tie", A2=2_500)
    assert table.session.scores.last is not None
    assert table.session.scores.last.scores[1] == 90_000


@pytest.mark.clause("CROWN 12.2.1(h)")
def test_a_seat_closes_when_the_wagers_that_run_are_settled() -> None:
    table = in_session()
    table.hear("D1 open")
    table.lay(**table.everybody())
    table.hear("D1 close")
    order = acts.CloseSeat(sitting=SITTING, order=table.order(), station="A8", reason="collusion")
    assert table.names(table.do(order)) == ["SeatToClose"]
    assert table.do(order) == ()
    table.hear(*(f"D1 card {card}" for card in WINNERS["banker"]))
    settled = table.hear("D1 confirm")
    assert table.names(settled)[-2:] == ["SessionScored", "SeatClosed"]
    assert table.session.seats["A8"].status is SeatStatus.CLOSED
    assert table.session.seats["A8"].score == 104_750
    assert not table.state.stations["A8"].is_open


@pytest.mark.clause("CROWN 6.6.2")
def test_who_is_directed_to_leave_is_out_of_the_session() -> None:
    table = in_session()
    assert table.names(table.hear("D1 direct_to_leave A3 noise")) == ["DirectedToLeave", "SeatClosed"]
    table.hear("D1 open")
    table.lay(**table.everybody())
    lifted = table.names(table.hear("D1 direct_to_leave A4 noise"))
    assert lifted == ["DirectedToLeave", "WagersChanged", "SeatClosed"]
    table.hear("CS1 breach A5 13.1 device", "CS1 act_on_breach 1 exclude")
    assert table.session.seats["A5"].status is SeatStatus.CLOSED
    table.hear("D1 close")
    assert table.names(table.hear("D1 direct_to_leave A6 noise")) == ["DirectedToLeave", "SeatToClose"]
    table.hear(*(f"D1 card {card}" for card in WINNERS["banker"]), "D1 confirm")
    assert [name for name, seat in table.session.seats.items() if seat.status is SeatStatus.CLOSED] == [
        *("A3", "A4", "A5", "A6")
    ]


@pytest.mark.clause("CROWN 13.9")
def test_a_dispute_in_a_session_is_decided_in_credits_and_changes_the_newest_score() -> None:
    table = in_session(**FREE)
    table.coup("tie", A1=2_500)
    table.coup("tie", A1=2_500)
    table.hear("D1 dispute A1 wrong")
    table.do(acts.DecideDispute(case=1, decision="granted", adjustments={"A1": 5_000}), "CS1")
    assert [score.scores[1] for score in table.session.scores] == [100_000, 105_000]
    table.hear("GS1 invalidate 2 malfunction dark")
    assert [score.scores[1] for score in table.session.scores] == [105_000], "what was decided outlives the coup"


def test_a_session_survives_a_snapshot() -> None:
    table = in_session("A8", coups=4)
    wagers = table.everybody()
    del wagers["A2"]
    table.coup("banker", **wagers)
    again = read_state(write_state(table.state))
    assert again == table.state
    assert digest_of(again) == digest_of(table.state)
    assert again.ledger.unit == table.state.ledger.unit
    table.state = again
    table.coup("player", **wagers)
    ended(table)
    assert read_state(write_state(table.state)) == table.state


@pytest.mark.clause("CROWN 12.1.1")
def test_an_entrant_whose_station_fails_goes_on_at_a_free_one_with_credits_and_history() -> None:
    table = in_session(seats=6)
    wagers = table.everybody()
    del wagers["A2"]
    table.coup("banker", **wagers)
    first = table.state.coups
    table.hear("GS1 out_of_service A1 screen", "D1 move_patron A1 A7")
    assert (table.balance("A7"), table.session.seats["A7"].entrant) == (104_750, 1)
    table.hear("D1 move_patron A2 A8")
    table.coup("tie", **table.everybody())
    table.correct(first, "player")
    assert table.balance("A7") == 95_000
    assert [score.scores[1] for score in table.session.scores] == [95_000, 95_000]
    table.hear(f"GS1 invalidate {first} malfunction dark")
    assert (table.balance("A7"), table.balance("A8")) == (100_000, 100_000), "the forfeit went along"
    close = acts.CloseSeat(sitting=SITTING, order=table.order(), station="A1", reason="retired")
    assert table.names(table.do(close)) == ["SeatClosed"]
    assert table.session.seats["A7"].status is SeatStatus.CLOSED
    assert isinstance(table.hear_one("D1 move_patron A3 A1"), Refused), "A1 was drawn by somebody"
    assert read_state(write_state(table.state)) == table.state
