"""Who enters, waits, withdraws and is put out, and what goes back (CROWN 12.2.1(f), (g))."""

import pytest
from msgspec.structs import replace

from sabot.tournament import acts
from sabot.tournament import events as e
from sabot.tournament.conditions.fixtures import fixture_raw
from sabot.tournament.entry.entering import due
from sabot.tournament.entry.slips import held_parts
from sabot.tournament.phase import TournamentPhase
from sabot.tournament.state import EntrantStatus, RoundProgress, SlipStatus
from tests.tournament.desk import Desk, ms, names, slips_of


def _withdraw(desk: Desk, entrant: int) -> list[e.TournamentEvent]:
    return desk.do(acts.WithdrawEntrant(tournament=desk.id, entrant=entrant), "TD1")


# Opening and closing


@pytest.mark.clause("CROWN 12.2.1(g)")
def test_the_clock_opens_and_closes_entry_at_its_times_and_not_with_too_few() -> None:
    desk = Desk().created().saved().approved()
    opens, closes = ms("2026-05-01T10:00"), ms("2026-06-05T18:00")
    assert due(desk.state, opens) is None, "nobody directs it"
    desk.directed()
    assert due(desk.state, opens - 1) is None
    assert due(desk.state, opens) is acts.OpenEntry
    assert due(desk.state, closes) is None, "it would be over at once"
    desk.at("2026-05-01T10:00").do(acts.OpenEntry(tournament=desk.id), "clock")
    desk.entered(15)
    assert due(desk.state, closes) is None
    desk.register("P-16")
    desk.at("2026-06-05T18:00")
    assert desk.no(acts.CloseEntry(tournament=desk.id), "TD1") == ("too_few", "CROWN 12.2.1(g)")
    desk.note("SPRING-000016")
    assert due(desk.state, closes - 1) is None
    assert due(desk.state, closes) is acts.CloseEntry


@pytest.mark.clause("CROWN 12.2.1(g)")
def test_a_director_who_opens_or_closes_entry_after_the_clock_changes_nothing() -> None:
    desk = Desk("night").opened().entered(8)
    assert desk.do(acts.OpenEntry(tournament=desk.id), "TD1") == []
    desk.at("2026-07-03T19:30").do(acts.CloseEntry(tournament=desk.id), "clock")
    assert desk.do(acts.CloseEntry(tournament=desk.id), "TD1") == []
    assert desk.no(acts.OpenEntry(tournament=desk.id), "TD1") == ("wrong_phase", "CROWN 12.2.1(g)")


@pytest.mark.clause("CROWN 12.2.1(g)")
def test_entry_closes_early_only_when_the_maximum_has_paid() -> None:
    desk = Desk("night").opened().entered(7)
    assert desk.no(acts.CloseEntry(tournament=desk.id), "TD1") == ("entry_time", "CROWN 12.2.1(g)")
    desk.entered(1)
    assert names(desk.do(acts.CloseEntry(tournament=desk.id), "TD1")) == ["EntryClosed"]


@pytest.mark.clause("CROWN 12.2.1(g)")
def test_who_has_not_paid_when_entry_closes_is_not_in() -> None:
    """Part of the payment goes back, an open slip is withdrawn, and so is a place in the list."""
    desk = Desk("night").opened().entered(6)
    fee, buy_in = slips_of(desk.register("P-7"))
    desk.note(fee.slip)
    desk.at("2026-07-03T19:30")
    events = desk.do(acts.CloseEntry(tournament=desk.id), "clock")
    assert names(events) == ["EntryLapsed", "SlipWithdrawn", "SlipRaised", "EntryClosed"]
    (refund,) = slips_of(events)
    assert (refund.direction, refund.cents, refund.of) == ("pay", 2_000, fee.slip)
    assert desk.state.slips[buy_in.slip].status is SlipStatus.WITHDRAWN
    assert desk.status(7) is EntrantStatus.LAPSED
    assert desk.state.phase is TournamentPhase.READY


def test_alternates_lapse_when_entry_closes() -> None:
    desk = Desk().opened().entered(64)
    desk.register("P-65")
    desk.at("2026-06-05T18:00").do(acts.CloseEntry(tournament=desk.id), "clock")
    assert desk.status(65) is EntrantStatus.LAPSED
    assert desk.history[-1] == e.EntryClosed(entered=64, by="clock", at_ms=desk.now_ms, clause="CROWN 12.2.1(g)")


# Registering


@pytest.mark.clause("CROWN 12.2.1(g)")
def test_after_the_maximum_alternates_wait_and_then_nobody_gets_in() -> None:
    """Acceptance case 13."""
    desk = Desk().opened().entered(64)
    waiting = [event for number in range(65, 69) for event in desk.register(f"P-{number}")]
    assert [(type(one).__name__, getattr(one, "waiting", 0)) for one in waiting] == [
        ("Waitlisted", nth) for nth in (1, 2, 3, 4)
    ]
    assert desk.no(desk.application("P-69"), "CA1") == ("full", "CROWN 12.2.1(g)")


@pytest.mark.clause("CROWN 12.2.1(f)(i)", "CROWN 12.2.1(f)(iii)")
def test_the_excluded_and_who_meets_no_criterion_do_not_enter() -> None:
    """Acceptance case 15."""
    desk = Desk().opened()
    assert desk.no(desk.application("P-9"), "CA1", excluded=True) == ("not_entitled", "CROWN 12.2.1(f)(i)")
    stranger = replace(desk.application("P-10"), criteria=())
    assert desk.no(stranger, "CA1") == ("criterion_unmet", "CROWN 12.2.1(f)(iii)")


@pytest.mark.clause("CROWN 12.2.1(f)(ii)")
def test_without_a_right_to_refuse_a_refusal_names_a_criterion() -> None:
    """Acceptance case 16, and SPRING, which reserves the right."""
    act = acts.RefuseApplication(tournament="AUTUMN", player="P-11", reason="We do not know him.")
    assert Desk("autumn").opened().no(act, "OP1") == ("may_not_refuse", "CROWN 12.2.1(f)(ii)")
    desk = Desk().opened()
    (refused,) = desk.do(replace(act, tournament="SPRING"), "TD1")
    assert refused.clause == "CROWN 12.2.1(f)(ii)"
    assert names(desk.register("P-11"))[0] == "EntrantRegistered", "a refused player may apply again"


@pytest.mark.clause("CROWN 12.2.1(a)")
def test_without_a_fee_an_entrant_has_entered_at_once() -> None:
    raw = fixture_raw("autumn")
    entry = raw["entry"]
    assert isinstance(entry, dict)
    entry.update(fee_cents=0, to_pool_cents=0)
    desk = Desk(raw=raw).opened()
    assert names(desk.register("P-1")) == ["EntrantRegistered", "EntrantEntered"]
    assert desk.status(1) is EntrantStatus.ENTERED


def test_one_entry_each_and_again_after_a_withdrawal_under_a_new_number() -> None:
    desk = Desk().opened().entered(1)
    assert desk.no(desk.application("P-1"), "OP1") == ("entered_already", "CROWN 12.2.1(g)")
    _withdraw(desk, 1)
    (registered, _) = desk.register("P-1")
    assert isinstance(registered, e.EntrantRegistered)
    assert registered.entrant == 2
    assert desk.state.players["P-1"] == 2
    assert desk.status(1) is EntrantStatus.WITHDRAWN


# Withdrawing


@pytest.mark.clause("CROWN 12.2.1(g)")
@pytest.mark.parametrize(("at", "refund"), [("2026-06-01T11:59:59", 6_000), ("2026-06-01T12:00:00", 0)])
def test_a_withdrawal_is_free_until_the_time_of_the_conditions(at: str, refund: int) -> None:
    """Acceptance case 14."""
    desk = Desk().opened().entered(3).at(at)
    withdrawn, *slips = _withdraw(desk, 3)
    assert isinstance(withdrawn, e.EntrantWithdrawn)
    assert withdrawn.refund_cents == refund
    assert [(slip.direction, slip.purpose, slip.cents) for slip in slips_of(slips)] == (
        [("pay", "refund", 6_000)] if refund else []
    )
    assert held_parts(desk.state)["prize_pool"] == (10_000 if refund else 15_000)


def test_a_stake_goes_back_even_when_the_fee_stays() -> None:
    desk = Desk("night").opened().entered(4).at("2026-07-03T19:15")
    (refund,) = slips_of(_withdraw(desk, 2))
    assert (refund.cents, refund.parts) == (50_000, {"stakes": 50_000})


def test_the_place_goes_to_the_first_alternate_with_the_fee_to_pay() -> None:
    desk = Desk().opened().entered(64)
    for player in ("P-65", "P-66"):
        desk.register(player)
    events = _withdraw(desk, 10)
    assert names(events) == ["EntrantWithdrawn", "SlipRaised", "AlternateAdmitted", "SlipRaised"]
    assert [slip.slip for slip in slips_of(events)] == ["SPRING-000065", "SPRING-000066"]
    assert (desk.status(65), desk.status(66)) == (EntrantStatus.REGISTERED, EntrantStatus.WAITING)
    assert names(_withdraw(desk, 66)) == ["EntrantWithdrawn"], "who waits takes up no place"


def test_a_place_that_came_free_otherwise_goes_to_who_waits_before_who_comes() -> None:
    desk = Desk().opened().entered(64)
    desk.register("P-65")
    one = desk.state.entrants["7"]
    out = replace(one, status=EntrantStatus.DISQUALIFIED)
    desk.state = replace(desk.state, entrants=desk.state.entrants.put("7", out))
    events = desk.register("P-66")
    assert names(events) == ["AlternateAdmitted", "SlipRaised", "Waitlisted"]
    assert isinstance(events[-1], e.Waitlisted)
    assert events[-1].waiting == 1


def test_nobody_withdraws_who_sits_in_a_session_or_is_out() -> None:
    desk = Desk().closed(16).seated(1, 2)
    for entrant in (1, 2):
        act = acts.WithdrawEntrant(tournament=desk.id, entrant=entrant)
        assert desk.no(act, "CA1") == ("not_in_play", "CROWN 12.2.1(h)")
    _withdraw(desk, 3)
    assert desk.no(acts.WithdrawEntrant(tournament=desk.id, entrant=3), "CA1")[0] == "not_in_play"


@pytest.mark.clause("G-134")
def test_a_later_version_lets_earlier_entrants_go_until_the_next_session_is_called() -> None:
    desk = Desk().closed(16).saved(title={"en": "Another", "zh": "另一个"})
    assert desk.no(acts.SignConditions(tournament=desk.id, entrant=99), "TD1")[0] == "unknown_entrant"
    assert slips_of(_withdraw(desk, 1)) == [], "it is not approved yet"
    desk.approved()
    (refund,) = slips_of(_withdraw(desk, 2))
    assert (refund.cents, refund.clause) == (6_000, "G-134")
    desk.state = replace(desk.state, rounds={"heats": RoundProgress(called=frozenset({1}))})
    assert slips_of(_withdraw(desk, 3)) == []


@pytest.mark.clause("G-134")
def test_who_entered_under_the_new_version_leaves_by_the_ordinary_rule() -> None:
    desk = Desk().opened().entered(1).saved(title={"en": "Another", "zh": "另一个"}).approved().entered(1)
    desk.at("2026-06-02T12:00")
    assert len(slips_of(_withdraw(desk, 1))) == 1
    assert slips_of(_withdraw(desk, 2)) == []


# Exclusion


def _exclude(desk: Desk, player: str) -> list[e.TournamentEvent]:
    return desk.do(acts.NoteExclusion(tournament=desk.id, player=player, reason="by the house"), "clock")


@pytest.mark.clause("G-132")
def test_the_excluded_are_out_once_without_their_fee_and_the_table_is_told() -> None:
    desk = Desk().closed(16).seated(5)
    (excluded,) = _exclude(desk, "P-5")
    assert isinstance(excluded, e.EntrantExcluded)
    assert (excluded.entrant, excluded.order) == (5, 1)
    assert desk.status(5) is EntrantStatus.EXCLUDED
    assert _exclude(desk, "P-5") == []
    assert _exclude(desk, "P-99") == []
    (aside,) = _exclude(desk, "P-6")
    assert isinstance(aside, e.EntrantExcluded)
    assert aside.order == 0, "nobody of that number sits anywhere"
    assert desk.no(desk.application("P-5"), "CA1")[0] == "entry_not_open"


@pytest.mark.clause("G-132")
def test_a_ground_can_give_the_fee_of_the_excluded_back() -> None:
    raw = fixture_raw("spring")
    leaving = raw["leaving"]
    assert isinstance(leaving, dict)
    text = {"en": "Is excluded by the house.", "zh": "被赌场禁止入场。"}
    leaving["grounds"].append({"id": "excluded", "text": text, "refund_percent": 50})
    desk = Desk(raw=raw).opened().entered(2)
    desk.register("P-3")
    excluded, refund = _exclude(desk, "P-1")
    assert isinstance(refund, e.SlipRaised)
    assert (refund.cents, refund.parts) == (3_000, {"prize_pool": 2_500, "tournament_fees": 500})
    assert names(_exclude(desk, "P-3")) == ["EntrantExcluded", "SlipWithdrawn"]
    assert excluded.clause == "G-132"


# Briefing


@pytest.mark.clause("CROWN 12.2.3", "CROWN 12.2.4", "G-134")
def test_briefings_and_signatures_are_of_the_version_in_force() -> None:
    desk = Desk().opened().entered(3)
    _withdraw(desk, 2)
    (briefed,) = desk.do(acts.Brief(tournament=desk.id), "TD1")
    assert isinstance(briefed, e.EntrantsBriefed)
    assert (briefed.entrants, briefed.version) == ((1, 3), 1)
    desk.do(acts.SignConditions(tournament=desk.id, entrant=3), "TD2")
    desk.saved(title={"en": "Another", "zh": "另一个"})
    desk.do(acts.Brief(tournament=desk.id, entrants=(1,)), "TD1")
    assert desk.state.entrants["1"].briefed == 1, "version 2 is not approved"
    desk.approved().do(acts.Brief(tournament=desk.id, entrants=(1,)), "TD1")
    assert [(one.briefed, one.signed) for one in (desk.state.entrants["1"], desk.state.entrants["3"])] == [
        (2, 0),
        (1, 1),
    ]
    assert desk.no(acts.Brief(tournament=desk.id, entrants=(2,)), "TD1") == ("not_in_play", "CROWN 12.2.1(h)")


@pytest.mark.clause("CROWN 12.2.4")
def test_the_directors_word_on_signatures_stands_beside_the_conditions() -> None:
    desk = Desk().opened()
    assert desk.state.signatures is None
    desk.do(acts.RequireSignatures(tournament=desk.id, on=False), "TD1")
    assert desk.state.signatures is False
