"""Slips are numbered, taken and paid once, and give back what crossed a withdrawal (CROWN 12.2.1(a), (e))."""

from collections.abc import Iterable
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from sabot.tournament import acts
from sabot.tournament import events as e
from sabot.tournament.entry.slips import held_parts, owes, portion, refund_order
from sabot.tournament.snapshot import write_state
from sabot.tournament.state import EntrantStatus, RoundProgress, SlipStatus, TournamentState
from tests.tournament.desk import Desk, ms, names, slips_of


def _withdraw(desk: Desk, entrant: int) -> list[e.TournamentEvent]:
    return desk.do(acts.WithdrawEntrant(tournament=desk.id, entrant=entrant), "CA1")


def _back(desk: Desk, entrant: int) -> acts.BuyBack:
    return acts.BuyBack(tournament=desk.id, entrant=entrant)


@pytest.mark.clause("CROWN 12.2.1(a)")
def test_a_fee_is_taken_once_and_enters_the_entrant_once() -> None:
    """Acceptance case 17, as far as it is the tournament's."""
    desk = Desk().opened()
    (slip,) = slips_of(desk.register("P-1"))
    assert (slip.slip, slip.direction, slip.cents, slip.purpose) == ("SPRING-000001", "take", 6_000, "fee")
    assert slip.parts == {"prize_pool": 5_000, "tournament_fees": 1_000}
    assert desk.status(1) is EntrantStatus.REGISTERED
    assert owes(desk.state, desk.state.entrants["1"])
    assert names(desk.note(slip.slip)) == ["SlipNoted", "EntrantEntered"]
    assert desk.note(slip.slip) == []
    assert held_parts(desk.state) == {"prize_pool": 5_000, "tournament_fees": 1_000, "stakes": 0}
    assert not owes(desk.state, desk.state.entrants["1"])


@pytest.mark.clause("CROWN 12.2.1(b)")
def test_fee_and_buy_in_are_two_slips_and_both_are_due() -> None:
    """The stakes of acceptance case 51: 4,000.00 of 8 entrants, and 160.00 in the pool."""
    desk = Desk("night").opened()
    fee, buy_in = slips_of(desk.register("P-1"))
    assert (fee.parts, buy_in.parts, buy_in.of) == ({"prize_pool": 2_000}, {"stakes": 50_000}, "night")
    assert names(desk.note(buy_in.slip)) == ["SlipNoted"]
    assert names(desk.note(fee.slip)) == ["SlipNoted", "EntrantEntered"]
    desk.entered(7)
    assert held_parts(desk.state) == {"prize_pool": 16_000, "tournament_fees": 0, "stakes": 400_000}


@pytest.mark.clause("CROWN 12.2.1(g)")
def test_a_slip_that_is_taken_while_its_entrant_withdraws_is_given_back() -> None:
    """Acceptance case 18, as far as it is the tournament's."""
    desk = Desk().opened().entered(1)
    (slip,) = slips_of(desk.register("P-2"))
    assert names(_withdraw(desk, 2)) == ["EntrantWithdrawn", "SlipWithdrawn"]
    noted, refund = desk.note(slip.slip)
    assert isinstance(noted, e.SlipNoted)
    assert isinstance(refund, e.SlipRaised)
    assert (refund.direction, refund.cents, refund.parts, refund.of) == ("pay", 6_000, slip.parts, slip.slip)
    assert desk.status(2) is EntrantStatus.WITHDRAWN
    assert desk.note(slip.slip) == []
    assert names(desk.note(refund.slip, "paid")) == ["SlipNoted"]
    assert held_parts(desk.state) == {"prize_pool": 5_000, "tournament_fees": 1_000, "stakes": 0}


def test_a_slip_that_is_withdrawn_in_time_is_cancelled_and_nothing_goes_back() -> None:
    desk = Desk().opened()
    (slip,) = slips_of(desk.register("P-1"))
    _withdraw(desk, 1)
    assert names(desk.note(slip.slip, "cancelled")) == ["SlipNoted"]
    assert desk.state.slips[slip.slip].status is SlipStatus.CANCELLED


def test_no_slip_is_settled_in_a_way_of_the_other_direction() -> None:
    desk = Desk().opened().entered(1)
    (refund,) = slips_of(_withdraw(desk, 1))
    act = acts.NoteSlip(tournament=desk.id, slip=refund.slip, settled="taken")
    assert desk.no(act, "clock") == ("unknown_slip", "CROWN 12.2.1(a)")


def test_a_slip_is_given_back_once_and_only_if_it_was_taken() -> None:
    desk = Desk().opened().entered(1)
    (open_slip,) = slips_of(desk.register("P-2"))
    assert refund_order(desk.state, open_slip.slip) is None
    order = refund_order(desk.state, "SPRING-000001")
    assert order is not None
    assert order.cents == 6_000
    (refund,) = slips_of(_withdraw(desk, 1))
    assert refund_order(desk.state, "SPRING-000001") is None
    assert refund_order(desk.state, refund.slip) is None


# Buying back


def _heats_over() -> Desk:
    return Desk().closed(16).knocked_out(5, 6, 7).at("2026-06-06T16:00")


@pytest.mark.clause("CROWN 12.2.1(e)")
def test_a_paid_buy_back_brings_an_eliminated_entrant_into_the_named_round() -> None:
    desk = _heats_over()
    asked, slip = desk.do(_back(desk, 5), "CA1")
    assert isinstance(slip, e.SlipRaised)
    assert (asked.clause, slip.purpose, slip.of) == ("CROWN 12.2.1(e)", "buy_back", "repechage")
    assert (slip.cents, slip.parts) == (3_000, {"prize_pool": 3_000})
    assert desk.status(5) is EntrantStatus.ELIMINATED
    assert desk.no(_back(desk, 5), "CA1")[0] == "buy_backs_used", "what is asked for counts"
    bought = desk.note(slip.slip)[-1]
    assert isinstance(bought, e.BoughtBack)
    assert (bought.entrant, bought.into) == (5, "repechage")
    assert (desk.status(5), desk.state.entrants["5"].buy_backs) == (EntrantStatus.BOUGHT_BACK, 1)


@pytest.mark.clause("CROWN 12.2.1(e)")
def test_one_buy_back_each_and_none_from_ten_minutes_before_the_round() -> None:
    """Acceptance case 44."""
    desk = _heats_over()
    desk.note(slips_of(desk.do(_back(desk, 5), "TD1"))[0].slip)
    desk.knocked_out(5, 6)
    assert desk.no(_back(desk, 5), "TD1") == ("buy_backs_used", "CROWN 12.2.1(e)")
    desk.at("2026-06-06T16:50:00")
    assert desk.no(_back(desk, 6), "TD1") == ("buy_back_over", "CROWN 12.2.1(e)")
    desk.at("2026-06-06T16:49:59").do(_back(desk, 6), "TD1")


@pytest.mark.clause("CROWN 12.2.1(e)", "CROWN 12.3.4")
def test_a_start_that_was_moved_moves_the_end_of_buying_back() -> None:
    desk = _heats_over().at("2026-06-06T16:55")
    moved = RoundProgress(starts_ms={1: ms("2026-06-06T17:30")})
    desk.state = replace(desk.state, rounds={**desk.state.rounds, "repechage": moved})
    assert names(desk.do(_back(desk, 6), "TD1")) == ["BuyBackAsked", "SlipRaised"]


@pytest.mark.clause("CROWN 12.2.1(e)")
def test_no_more_buy_backs_in_all_than_the_conditions_say() -> None:
    raw = Desk().raw
    rule = raw["buy_back"]
    assert isinstance(rule, dict)
    rule["in_all"] = 2
    desk = Desk(raw=raw).closed(16).knocked_out(5, 6, 7).at("2026-06-06T16:00")
    desk.note(slips_of(desk.do(_back(desk, 5), "TD1"))[0].slip)
    desk.do(_back(desk, 6), "TD1")
    assert desk.no(_back(desk, 7), "TD1") == ("buy_backs_used", "CROWN 12.2.1(e)")


@pytest.mark.clause("CROWN 12.2.1(e)")
def test_a_buy_back_that_is_paid_after_the_seats_are_drawn_goes_back() -> None:
    desk = _heats_over()
    (slip,) = slips_of(desk.do(_back(desk, 5), "TD1"))
    desk.state = replace(desk.state, rounds={**desk.state.rounds, "repechage": RoundProgress(drawn=())})
    assert names(desk.note(slip.slip)) == ["SlipNoted", "SlipRaised"]
    assert desk.status(5) is EntrantStatus.ELIMINATED


# Laws


@given(
    parts=st.lists(st.integers(0, 10_000), min_size=1, max_size=3),
    percent=st.integers(0, 100),
)
def test_a_portion_is_exact_in_sum_and_never_more_than_its_part(parts: list[int], percent: int) -> None:
    named = dict(zip(("prize_pool", "tournament_fees", "stakes"), parts, strict=False))
    portions = portion(named, percent)
    assert sum(portions.values()) == sum(parts) * percent // 100
    assert all(0 <= portions[account] <= named[account] for account in named)


@cache
def _crossed() -> tuple[Desk, list[acts.NoteSlip]]:
    """Six slips: of two who stay, of two who withdrew before the cage took them, and two refunds."""
    desk = Desk().opened().entered(2)
    registered = [slips_of(desk.register(f"P-{number}"))[0].slip for number in range(3, 7)]
    refunds = [slips_of(_withdraw(desk, number))[0].slip for number in (1, 2)]
    for number in (5, 6):
        _withdraw(desk, number)
    news = [
        *(acts.NoteSlip(tournament=desk.id, slip=slip, settled="taken", tender="cash") for slip in registered),
        acts.NoteSlip(tournament=desk.id, slip=refunds[0], settled="paid"),
        acts.NoteSlip(tournament=desk.id, slip=refunds[1], settled="forfeited"),
    ]
    return desk, news


def _told(begin: Desk, news: Iterable[acts.NoteSlip]) -> Desk:
    desk = Desk(raw=begin.raw)
    desk.state, desk.now_ms = begin.state, begin.now_ms
    for one in news:
        desk.do(one, "clock")
    return desk


def _unnumbered(state: TournamentState) -> bytes:
    """The state without the numbers of the slips that give back what crossed: they follow the order of the news."""
    named = {number: f"refund of {slip.of}" if slip.of else number for number, slip in state.slips.items()}
    slips = {named[number]: slip for number, slip in state.slips.items()}
    entrants = {
        number: replace(one, slips=tuple(sorted(named[slip] for slip in one.slips)))
        for number, one in state.entrants.items()
    }
    empty = TournamentState()
    return write_state(replace(state, slips=type(empty.slips)(slips), entrants=type(empty.entrants)(entrants)))


@pytest.mark.clause("CROWN 12.2.1(a)")
@given(data=st.data())
def test_news_of_slips_commute_and_doubles_change_nothing(data: st.DataObject) -> None:
    begin, news = _crossed()
    doubled = data.draw(st.lists(st.sampled_from(news), max_size=6))
    told, other = _told(begin, news), _told(begin, data.draw(st.permutations([*news, *doubled])))
    assert _unnumbered(other.state) == _unnumbered(told.state)
    assert held_parts(other.state) == {"prize_pool": 10_000, "tournament_fees": 2_000, "stakes": 0}
