"""Sessions: called, arrived at, left, told of by tables, concluded and closed (CROWN 12.2.1(h), (i), 12.3)."""

import pytest
from msgspec.structs import replace

from sabot.tournament import acts
from sabot.tournament import events as e
from sabot.tournament.sittings.finding import final_scores
from sabot.tournament.state import EntrantStatus, SeatOrder, SittingState
from tests.tournament.desk import names, slips_of
from tests.tournament.driving import Play
from tests.tournament.situations import at, changed

T1 = "SPRING/heats/1/T1"


# Calling


@pytest.mark.clause("CROWN 12.1.1")
def test_every_seat_of_a_session_has_the_same_credit() -> None:
    play = at("drawn")
    called = play.call("heats", absent=(7,))
    assert [one.sitting for one in called.sittings] == [f"SPRING/heats/1/T{number}" for number in (1, 2, 3)]
    seats = [seat for one in called.sittings for seat in one.seats.values()]
    assert {seat.credit for seat in seats} == {100000}
    assert [seat.entrant for seat in seats if not seat.present] == [7]
    assert play.state.phase == "in_session"
    assert (play.status(7), play.status(16)) == (EntrantStatus.SEATED, EntrantStatus.PLAYING)


@pytest.mark.clause("CROWN 12.2.1(h)")
def test_who_left_after_the_draw_has_no_seat_in_the_session() -> None:
    play = at("drawn")
    play.do(acts.Retire(tournament=play.id, entrant=16), "TD1")
    called = play.call("heats")
    assert 16 not in {seat.entrant for one in called.sittings for seat in one.seats.values()}


@pytest.mark.clause("CROWN 12.1.3")
def test_a_withdrawn_version_lets_the_session_be_called() -> None:
    play = at("new_version")
    play.do(acts.WithdrawVersion(tournament=play.id, version=2), "OP1")
    assert play.call("heats").version == 1


@pytest.mark.clause("CROWN 12.2.4")
def test_no_signature_is_asked_for_where_nobody_requires_one() -> None:
    play = changed("spring", conduct={"signature": False}).closed(40)
    assert isinstance(play, Play)
    play.do(acts.BePresent(tournament=play.id), "TD1")
    play.designate("T1", "T2", "T3")
    play.do(acts.Brief(tournament=play.id), "TD1")
    play.draw("heats")
    play.at("2026-06-06T13:00")
    play.do(acts.RequireSignatures(tournament=play.id), "TD1")
    assert play.no(play.calling("heats"), "TD1") == ("not_signed", "CROWN 12.2.4")
    play.do(acts.RequireSignatures(tournament=play.id, on=False), "TD1")
    assert names(play.do(play.calling("heats"), "TD1")) == ["SessionCalled"]


# Late and absent


@pytest.mark.clause("CROWN 12.2.1(i)")
def test_a_late_arrival_is_seated_by_an_order_with_the_penalty() -> None:
    play = at("at_three").at("2026-06-06T13:06")
    (arrived,) = play.do(acts.RecordArrival(tournament=play.id, entrant=7), "TD1")
    assert isinstance(arrived, e.ArrivalRecorded)
    assert (arrived.late, arrived.order) == (True, 1)
    (order,) = play.state.sittings[T1].orders
    assert (order.kind, order.station, order.penalty) == ("admit", "A8", True)
    assert order.seat is not None
    assert (order.seat.credit, order.seat.present) == (100000, True)
    assert play.status(7) is EntrantStatus.PLAYING
    again = acts.RecordArrival(tournament=play.id, entrant=7)
    assert play.no(again, "TD1") == ("arrived_already", "CROWN 12.2.1(i)")


@pytest.mark.clause("CROWN 12.2.1(i)")
def test_within_the_grace_before_any_coup_nobody_is_late() -> None:
    play = changed("spring", attendance={"late": {"admitted": False}}).ready(40)
    play.draw("heats")
    play.call("heats", absent=(7,))
    play.at("2026-06-06T13:05")
    (arrived,) = play.do(acts.RecordArrival(tournament=play.id, entrant=7), "TD1")
    assert isinstance(arrived, e.ArrivalRecorded)
    assert not arrived.late


@pytest.mark.clause("CROWN 12.2.1(i)")
def test_who_does_not_come_is_absent_with_the_refund_of_the_conditions() -> None:
    play = changed("spring", attendance={"absent": {"outcome": "eliminated", "refund_percent": 50}}).ready(40)
    play.draw("heats")
    play.call("heats", absent=(7,))
    play.at("2026-06-06T13:05")
    absent, refund = play.do(acts.DeclareAbsent(tournament=play.id, entrant=7), "TD1")
    assert isinstance(absent, e.EntrantAbsent)
    assert isinstance(refund, e.SlipRaised)
    assert (refund.cents, refund.parts) == (3000, {"prize_pool": 2500, "tournament_fees": 500})
    assert play.status(7) is EntrantStatus.ABSENT


@pytest.mark.clause("CROWN 12.2.1(i)")
def test_who_never_came_is_absent_when_the_sitting_closes() -> None:
    play = at("heats_on")
    for known in play.on():
        play.finish(known)
    closed = play.close()
    assert [one.entrant for one in closed if isinstance(one, e.EntrantAbsent)] == [7, 12]
    assert play.state.progress("heats").absent == (7, 12)
    assert names(closed)[-1] == "SessionEnded"


@pytest.mark.clause("CROWN 12.2.1(b)")
def test_the_buy_in_of_an_absent_entrant_goes_back() -> None:
    play = Play("night").ready(8, tables=1)
    play.draw("night")
    play.call("night", absent=(3,))
    play.at("2026-07-03T20:10")
    said = play.do(acts.DeclareAbsent(tournament=play.id, entrant=3), "TD1")
    assert [(one.cents, one.parts) for one in slips_of(said)] == [(50000, {"stakes": 50000})]


# Substitutes


@pytest.mark.clause("CROWN 12.3.3")
def test_a_substitute_plays_for_the_entrant_to_the_end_of_the_round() -> None:
    play = at("substituted")
    assert play.state.entrants["4"].substitute_until == "heats"
    play.play("heats", 1)
    called = play.call("heats", 2)
    assert [s.substitute for one in called.sittings for s in one.seats.values() if s.entrant == 4] == ["P-77"]
    play.play("heats", 2)
    play.confirm("heats")
    assert play.state.entrants["4"].substitute == ""


@pytest.mark.clause("CROWN 12.3.3")
def test_a_substitute_in_a_session_is_seated_by_an_order() -> None:
    play = at("heats_on")
    play.do(acts.ApproveSubstitute(tournament=play.id, entrant=16, substitute="P-77"), "TD1")
    play.do(acts.ApproveSubstitute(tournament=play.id, entrant=7, substitute="P-78"), "TD1")
    first, second = play.state.sittings[T1].orders
    assert first.seat is not None
    assert (first.station, first.seat.substitute, first.penalty) == ("A1", "P-77", False)
    assert (second.station, second.penalty, second.order) == ("A8", True, 2)
    assert play.status(7) is EntrantStatus.PLAYING


@pytest.mark.clause("CROWN 12.3.3")
def test_a_refused_substitute_is_on_record() -> None:
    play = at("drawn")
    act = acts.ApproveSubstitute(
        tournament=play.id, entrant=4, substitute="P-77", approved=False, reason="Not a member."
    )
    assert names(play.do(act, "TD1")) == ["SubstituteRefused"]
    assert play.state.entrants["4"].substitute == ""


# Leaving


@pytest.mark.clause("CROWN 12.2.1(h)")
def test_who_is_disqualified_in_play_loses_the_seat_and_the_rank() -> None:
    play = at("heats_on")
    act = acts.Disqualify(tournament=play.id, entrant=33, ground="collusion", reason="Signs to entrant 27.")
    (said,) = play.do(act, "CS1")
    assert isinstance(said, e.EntrantDisqualified)
    assert play.state.sittings[T1].orders == (SeatOrder(1, "close", "A3", reason="Signs to entrant 27."),)
    play.do(acts.RecordArrival(tournament=play.id, entrant=7), "TD1")
    play.play("heats")
    play.play("heats", 2)
    (confirmed,) = play.confirm("heats")
    assert isinstance(confirmed, e.RoundConfirmed)
    assert 33 not in confirmed.ranked
    assert play.status(33) is EntrantStatus.DISQUALIFIED


@pytest.mark.clause("CROWN 12.2.1(h)")
def test_a_ground_gives_back_what_the_conditions_say() -> None:
    play = at("heats_on")
    act = acts.Disqualify(tournament=play.id, entrant=33, ground="ineligible", reason="Under age.")
    said = play.do(act, "TD1")
    assert [one.cents for one in slips_of(said)] == [6000]


@pytest.mark.clause("CROWN 12.2.1(g)")
def test_an_alternate_gets_the_place_of_somebody_disqualified_in_open_entry() -> None:
    play = Play("spring").opened().entered(64)
    play.register("P-65")
    act = acts.Disqualify(tournament=play.id, entrant=9, ground="ineligible", reason="Under age.")
    said = play.do(act, "TD1")
    assert names(said) == ["EntrantDisqualified", "SlipRaised", "AlternateAdmitted", "SlipRaised"]
    assert play.status(65) is EntrantStatus.REGISTERED


@pytest.mark.clause("CROWN 12.2.1(h)")
def test_who_retires_keeps_the_score_and_goes_nowhere() -> None:
    play = at("drawn")
    play.call("heats")
    play.do(acts.Retire(tournament=play.id, entrant=16, reason="A train."), "TD1")
    play.play("heats")
    play.play("heats", 2)
    (confirmed,) = play.confirm("heats")
    assert isinstance(confirmed, e.RoundConfirmed)
    assert 16 in confirmed.ranked
    assert 16 not in confirmed.through["semi-final"]
    assert 16 not in confirmed.eliminated
    assert play.status(16) is EntrantStatus.RETIRED


@pytest.mark.parametrize(("score", "ranked"), [("stands", True), ("zero", True), ("unranked", False)])
@pytest.mark.clause("CROWN 12.2.1(h)")
def test_the_conditions_say_what_a_retired_score_is_worth(score: str, ranked: bool) -> None:
    play = changed("spring", leaving={"retirement": {"allowed": True, "refund_percent": 0, "score": score}})
    play.ready(40)
    play.draw("heats")
    play.call("heats")
    play.do(acts.Retire(tournament=play.id, entrant=16), "TD1")
    play.play("heats")
    play.play("heats", 2)
    (confirmed,) = play.confirm("heats")
    assert isinstance(confirmed, e.RoundConfirmed)
    assert (16 in confirmed.ranked) is ranked
    assert (confirmed.ranked[-1] == 16) is (score == "zero")


@pytest.mark.clause("CROWN 12.2.1(b)")
def test_who_retires_from_a_cash_session_is_paid_the_balance_at_once() -> None:
    play = at("night_on")
    play.do(acts.Retire(tournament=play.id, entrant=3), "TD1")
    known = play.table("T1")
    said = play.do(play.score_news(known, {3: 350}, counted=24, closed=(3,), bust=(6, 7, 8)), "clock")
    (slip,) = slips_of(said)
    assert (slip.purpose, slip.cents, slip.parts, slip.of) == ("balance", 35000, {"stakes": 35000}, known)
    again = play.do(play.score_news(known, {3: 350}, counted=24, closed=(3,), bust=(6, 7, 8)), "clock")
    assert slips_of(again) == []


@pytest.mark.clause("CROWN 12.2.1(h)")
def test_a_stake_that_was_not_played_goes_back_whole() -> None:
    play = Play("night").ready(8, tables=1)
    said = play.do(acts.Retire(tournament=play.id, entrant=3), "TD1")
    assert [(one.cents, one.parts) for one in slips_of(said)] == [(50000, {"stakes": 50000})]


# What tables tell


def test_a_sitting_goes_forward_and_never_back() -> None:
    play = at("drawn")
    play.call("heats")
    assert names(play.tell(T1, "waiting", "an account is open")) == ["SittingNoted"]
    assert play.state.sittings[T1].why == "an account is open"
    assert play.tell(T1, "waiting", "an account is open") == []
    assert names(play.tell(T1, "played")) == ["SittingNoted"]
    assert play.tell(T1, "open") == []
    assert play.tell(T1, "waiting", "late news") == []
    assert play.state.sittings[T1].state is SittingState.PLAYED
    assert play.do(acts.NoteTable(tournament=play.id, table="T1", sitting="X/y/1/T1", state="open"), "clock") == []
    assert play.do(acts.NoteTable(tournament=play.id, table="T1", sitting=T1, state="on fire"), "clock") == []


def test_a_table_tells_whether_it_is_reserved() -> None:
    play = at("spring")
    news = acts.NoteTable(tournament=play.id, table="T1", state="reserved")
    assert names(play.do(news, "clock")) == ["TableNoted"]
    assert play.do(news, "clock") == []
    assert play.do(acts.NoteTable(tournament=play.id, table="T9", state="reserved"), "clock") == []


@pytest.mark.clause("CROWN 12.2.1(d)")
def test_scores_are_kept_for_every_counted_coup_and_replaced_whole() -> None:
    play = at("at_three")
    assert [one[16] for one in play.state.sittings[T1].scores] == [110000] * 3
    corrected = acts.NoteScore(
        tournament=play.id,
        table="T1",
        sitting=T1,
        revision=4,
        counted=2,
        left=18,
        scores=(acts.ScoreNews(1, {16: 90000}), acts.ScoreNews(2, {16: 95000}), acts.ScoreNews(3, {16: 1})),
        seats=dict(play.state.sittings[T1].told),
    )
    (noted,) = play.do(corrected, "clock")
    assert isinstance(noted, e.ScoreNoted)
    assert [one.counted for one in noted.scores] == [1, 2]
    assert [one[16] for one in play.state.sittings[T1].scores] == [90000, 95000]
    assert play.do(corrected, "clock") == []


def test_news_of_an_unknown_sitting_or_another_table_change_nothing() -> None:
    play = at("heats_on")
    news = play.score_news(T1, {16: 5})
    assert play.do(replace(news, sitting="SPRING/heats/1/T9"), "clock") == []
    assert play.do(replace(news, table="T2"), "clock") == []


def test_who_is_bust_is_so_until_a_correction() -> None:
    play = at("heats_on")
    play.score(T1, {16: 0}, bust=(16,))
    assert play.status(16) is EntrantStatus.BUST
    play.score(T1, {16: 50})
    assert play.status(16) is EntrantStatus.PLAYING


@pytest.mark.clause("CROWN 12.2.1(c)")
def test_a_seat_that_the_table_closed_for_missed_wagers_is_disqualified() -> None:
    play = changed("spring", wagers={"missed": "disqualification"}).ready(40)
    play.draw("heats")
    play.call("heats")
    said = play.score(play.table("T1"), {}, closed=(16,), warned=(16,))
    assert names(said) == ["ScoreNoted", "EntrantDisqualified"]
    assert play.status(16) is EntrantStatus.DISQUALIFIED


@pytest.mark.clause("CROWN 13.2.2")
def test_a_seat_that_the_table_closed_otherwise_is_excluded() -> None:
    play = at("heats_on")
    said = play.score(T1, {}, closed=(16,))
    assert names(said) == ["ScoreNoted", "EntrantExcluded"]
    assert play.status(16) is EntrantStatus.EXCLUDED


# Ending


@pytest.mark.clause("CROWN 12.3.5(a)")
def test_a_sitting_ends_early_once_who_progresses_is_determined() -> None:
    play = at("two_left")
    (ordered,) = play.do(acts.ConcludeEarly(tournament=play.id, table="T1"), "TD1")
    assert isinstance(ordered, e.ConclusionOrdered)
    first, second, third, *_ = play.places("heats")["T1"]
    assert (ordered.counted, ordered.by_agreement) == (18, False)
    assert ordered.bounds[second][0] == 430000
    assert ordered.bounds[third][1] == 280000
    assert play.state.sittings[ordered.sitting].conclusion == (1, 18, False)
    play.do(play.score_news(ordered.sitting, {first: 6100}, counted=19), "clock")
    assert play.state.sittings[ordered.sitting].conclusion is None


@pytest.mark.clause("CROWN 12.3.5(b)")
def test_a_cash_session_ends_early_only_if_everybody_agrees() -> None:
    play = at("night_on")
    known = play.table("T1")
    act = acts.ConcludeEarly(tournament=play.id, table="T1")
    play.do(play.score_news(known, {}, counted=24, bust=(6, 7, 8), agreed=range(1, 8)), "clock")
    assert play.no(act, "TD1") == ("not_agreed", "CROWN 12.3.5(b)")
    play.do(play.score_news(known, {}, counted=24, bust=(6, 7, 8), agreed=range(1, 9)), "clock")
    (ordered,) = play.do(act, "TD1")
    assert isinstance(ordered, e.ConclusionOrdered)
    assert ordered.by_agreement


@pytest.mark.clause("CROWN 12.2.1(b)")
def test_sittings_that_are_played_close_while_others_play_on() -> None:
    play = at("heats_on")
    play.finish(T1)
    (ordered,) = play.do(acts.CloseSession(tournament=play.id), "TD1")
    assert isinstance(ordered, e.ClosingOrdered)
    assert ordered.sittings == (T1,)
    assert play.no(acts.CloseSession(tournament=play.id), "TD1") == ("sitting_open", "CROWN 12.2.1(d)")
    assert "SessionEnded" not in names(play.tell(T1, "closed"))
    for known in play.on():
        play.finish(known)
    assert names(play.close())[-1] == "SessionEnded"
    assert play.state.on is None


def test_closing_that_is_ordered_already_is_not_ordered_again() -> None:
    play = at("heats_on")
    for known in play.on():
        play.finish(known)
    assert names(play.do(acts.CloseSession(tournament=play.id), "TD1")) == ["ClosingOrdered"]
    assert play.do(acts.CloseSession(tournament=play.id), "TD1") == []


@pytest.mark.clause("CROWN 11.10")
def test_an_abandoned_sitting_goes_on_at_another_table_with_its_credits_and_count() -> None:
    play = at("at_three")
    act = acts.AbandonSitting(tournament=play.id, table="T1", reason="No power.", move_to="T4")
    (abandoned,) = play.do(act, "TD1", "CS1")
    assert isinstance(abandoned, e.SittingAbandoned)
    assert abandoned.moved_to is not None
    moved = play.state.sittings["SPRING/heats/1/T4"]
    assert (moved.counted, len(moved.scores), moved.stood_for) == (3, 3, T1)
    assert {seat.entrant: seat.credit for seat in moved.seats.values()}[16] == 110000
    assert [seat.entrant for seat in moved.seats.values() if not seat.present] == [7]
    assert (play.state.sittings[T1].state, play.state.sittings[T1].closing) == (SittingState.ABANDONED, 1)
    assert play.state.phase == "in_session"


@pytest.mark.clause("CROWN 11.10")
def test_an_abandoned_sitting_is_played_again_at_its_own_table() -> None:
    play = changed("spring", conduct={"interrupted": "replay"}).ready(40)
    play.draw("heats")
    play.call("heats")
    play.score(play.table("T1"), {16: 1234})
    play.do(acts.AbandonSitting(tournament=play.id, table="T1", reason="No power."), "TD1", "CS1")
    moved = play.state.sittings[f"{T1}#2"]
    assert (moved.counted, len(moved.scores)) == (0, 0)
    assert {seat.credit for seat in moved.seats.values()} == {100000}
    play.play("heats")
    play.play("heats", 2)
    assert names(play.confirm("heats")) == ["RoundConfirmed"]


@pytest.mark.clause("CROWN 11.10")
def test_the_scores_of_an_abandoned_sitting_stand_where_the_conditions_say_so() -> None:
    play = at("night_on")
    act = acts.AbandonSitting(tournament=play.id, table="T1", reason="No power.")
    said = play.do(act, "TD1", "CS1")
    assert names(said)[:2] == ["SittingAbandoned", "StakesDue"]
    assert names(said)[-1] == "SessionEnded"
    assert sum(one.cents for one in slips_of(said)) == 365000
    assert final_scores(play.state.sittings["NIGHT/night/1/T1"])[1] == 200000
