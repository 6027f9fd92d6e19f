"""Progress from round to round (CROWN 12.2.1(d)), ties (G-103), and corrections after the fact (G-133)."""

import pytest

from sabot.tournament import acts
from sabot.tournament import events as e
from sabot.tournament.state import EntrantStatus
from tests.tournament.desk import names, slips_of
from tests.tournament.driving import SEED, WORDS, Play
from tests.tournament.situations import TIED, at, changed

T1 = "SPRING/heats/1/T1"


def _confirmed(events: list[e.TournamentEvent]) -> e.RoundConfirmed:
    return next(one for one in events if isinstance(one, e.RoundConfirmed))


# Progress


@pytest.mark.clause("CROWN 12.2.1(d)")
def test_the_top_two_of_each_table_go_on_with_the_best_of_the_others() -> None:
    play = at("heats_over")
    confirmed = _confirmed(play.confirm("heats"))
    best = {
        number for session in (1, 2) for at_t in play.places("heats", session).values() for number in sorted(at_t)[:2]
    }
    wild = sorted(set(range(1, 41)) - best)[:4]
    assert set(confirmed.through["semi-final"]) == best | set(wild)
    assert confirmed.through["semi-final"][-4:] == tuple(wild)
    assert confirmed.ranked == tuple(range(1, 41))
    assert {play.status(one) for one in confirmed.through["semi-final"]} == {EntrantStatus.THROUGH}
    assert {play.status(one) for one in confirmed.eliminated} == {EntrantStatus.ELIMINATED}


@pytest.mark.clause("CROWN 12.2.1(d)")
def test_the_best_four_of_those_not_through_are_wild_cards() -> None:
    """Case 43: 1,300.00, 1,250.00, 1,100.00, 1,050.00, 900.00 and 850.00 are the best six of those not through."""
    play = at("drawn")
    low = dict.fromkeys(range(1, 41), 100.0)
    for session in (1, 2):
        for numbers in play.places("heats", session).values():
            low.update(dict.fromkeys(numbers[:2], 3000.0))
    thirds = [numbers[2] for session in (1, 2) for numbers in play.places("heats", session).values()]
    low.update(zip([*thirds, play.places("heats")["T1"][3]], (900, 1250, 1050, 1300, 850, 1100), strict=True))
    play.play("heats", 1, low)
    play.play("heats", 2, low)
    confirmed = _confirmed(play.confirm("heats"))
    assert [low[one] for one in confirmed.through["semi-final"][-4:]] == [1300, 1250, 1100, 1050]


@pytest.mark.clause("CROWN 12.2.1(e)")
def test_a_repechage_that_nobody_came_into_is_confirmed_without_play() -> None:
    play = at("heats_confirmed")
    assert play.no(acts.ConfirmRound(tournament=play.id, round="repechage"), "TD1")[0] == "list_open"
    play.at("2026-06-06T16:50")
    assert _confirmed(play.confirm("repechage")).ranked == ()


@pytest.mark.clause("CROWN 12.2.1(d)")
def test_the_last_confirmation_decides_the_tournament() -> None:
    play = at("decided")
    assert play.state.phase == "decided"
    assert play.status(8) is EntrantStatus.PLACED


@pytest.mark.clause("CROWN 12.2.1(b)")
def test_a_round_with_a_buy_in_raises_slips_for_who_is_through() -> None:
    play = at("buy_in_due")
    due = [slip for slip in play.state.slips.values() if slip.purpose == "buy_in"]
    assert {(slip.cents, slip.of) for slip in due} == {(2000, "semi-final")}
    assert {slip.entrant for slip in due} == set(play.state.progress("heats").through["semi-final"])


# Ties


@pytest.mark.clause("CROWN 12.2.1(d)")
def test_equals_are_counted_back() -> None:
    play = at("drawn")
    play.call("heats")
    play.opened_tables()
    play.score(T1, {**TIED, 7: 1100, 18: 1150})
    play.play("heats", 1, TIED)
    play.play("heats", 2)
    broken, *_ = said = play.confirm("heats")
    assert isinstance(broken, e.TieBroken)
    assert (broken.how, broken.entrants) == ("count_back", (18, 7))
    assert 18 in _confirmed(said).through["semi-final"]
    assert 7 in _confirmed(said).eliminated


@pytest.mark.clause("CROWN 12.2.1(d)")
def test_a_play_off_parts_equals_that_are_equal_all_the_way_back() -> None:
    play = at("play_off_due")
    held = play.state.progress("heats").play_offs[0]
    assert (held.entrants, held.places) == ((7, 18), 1)
    called = play.call("heats+1")
    (sitting,) = called.sittings
    assert sitting.sitting == "SPRING/heats+1/1/T1"
    assert [seat.credit for seat in sitting.seats.values()] == [30000, 30000]
    play.play("heats+1", scores={7: 205, 18: 395})
    said = play.confirm("heats")
    assert names(said) == ["TieBroken", "RoundConfirmed"]
    assert 18 in _confirmed(said).through["semi-final"]
    assert play.status(7) is EntrantStatus.ELIMINATED


@pytest.mark.clause("CROWN 12.2.1(d)")
def test_equals_who_all_go_on_in_any_order_need_no_play_off() -> None:
    play = at("drawn")
    play.play("heats", 1, {16: 5000, 7: 3000, 18: 3000})
    play.play("heats", 2)
    said = play.confirm("heats")
    assert names(said) == ["RoundConfirmed"]
    assert {7, 16, 18} <= set(_confirmed(said).through["semi-final"])


@pytest.mark.clause("CROWN 12.2.1(d)")
def test_equals_of_whom_one_may_be_left_out_do_need_a_play_off() -> None:
    """Entrants 7, 18 and 21 are equal; only one wild card is left for two of them."""
    play = at("drawn")
    play.play("heats", 1, {16: 5000, 7: 1875, 18: 1875, 21: 1875, 28: 1, 33: 1, 27: 1, 36: 1})
    play.play("heats", 2)
    (found,) = play.confirm("heats")
    assert isinstance(found, e.TieFound)
    assert found.entrants == (7, 18, 21)


@pytest.mark.clause("CROWN 12.2.1(d)")
def test_a_play_off_is_repeated_once_and_then_lots_decide() -> None:
    play = at("play_off_due")
    play.play("heats+1", scores={7: 300, 18: 300})
    (again,) = play.confirm("heats")
    assert isinstance(again, e.TieFound)
    assert again.play_off == 2
    play.play("heats+2", scores={7: 300, 18: 300})
    assert play.no(acts.ConfirmRound(tournament=play.id, round="heats", words=WORDS), "TD1")[0] == "not_committed"
    said = play.confirm("heats")
    lots = said[0]
    assert isinstance(lots, e.TieBroken)
    assert (lots.how, set(lots.entrants), lots.seed) == ("lots", {7, 18}, SEED)
    assert lots.entrants[0] in _confirmed(said).through["semi-final"]


@pytest.mark.clause("CROWN 12.2.1(d)")
def test_who_does_not_come_to_the_play_off_is_behind_who_does() -> None:
    play = at("play_off_due")
    play.call("heats+1", absent=(7,))
    play.play("heats+1", scores={18: 0})
    assert 18 in _confirmed(play.confirm("heats")).through["semi-final"]


@pytest.mark.clause("CROWN 12.2.1(d)")
def test_wild_cards_by_draw_go_by_nobodys_choice() -> None:
    play = Play("spring")
    rounds = play.raw["rounds"]
    assert isinstance(rounds, list)
    rounds[2]["from"][1]["by"] = "draw"
    play.ready(40)
    play.play_round("heats")
    said = play.confirm("heats")
    drawn = said[0]
    assert isinstance(drawn, e.TieBroken)
    assert drawn.how == "wild_cards"
    taken = _confirmed(said).through["semi-final"]
    assert taken[-4:] == tuple(one for one in drawn.entrants if one not in taken[:-4])[:4]
    assert play.state.commitments == {}


@pytest.mark.clause("CROWN 12.2.1(j)")
def test_equals_at_a_prize_are_parted_by_lots_in_the_last_round() -> None:
    play = at("final_tied")
    said = play.confirm("session")
    assert names(said) == ["TieBroken", "RoundConfirmed"]
    assert isinstance(said[0], e.TieBroken)
    assert _confirmed(said).ranked[:2] == said[0].entrants


# After the fact


@pytest.mark.clause("CROWN 11.11")
def test_a_correction_before_the_confirmation_only_changes_scores() -> None:
    play = at("heats_over")
    play.do(play.score_news("SPRING/heats/2/T2", {38: 9000}, counted=1), "clock")
    assert _confirmed(play.confirm("heats")).ranked[0] == 38


@pytest.mark.clause("CROWN 11.11")
def test_a_confirmed_round_is_reopened_while_nobody_plays_by_it() -> None:
    play = at("heats_confirmed").at("2026-06-06T16:50")
    play.confirm("repechage")
    play.draw("semi-final")
    reopen = acts.ReopenRound(tournament=play.id, round="repechage", reason="Reopen the heats.")
    play.do(reopen, "TD1", "CS1")
    play.do(acts.ReopenRound(tournament=play.id, round="heats", reason="A score."), "TD1", "CS1")
    assert play.state.progress("semi-final").drawn is None
    assert {one.status for one in play.state.entrants.values()} == {EntrantStatus.PLAYING}
    play.do(play.score_news("SPRING/heats/2/T2", {38: 9000}, counted=1), "clock")
    assert 38 in _confirmed(play.confirm("heats")).through["semi-final"]
    play.confirm("repechage")
    assert 38 in play.draw("semi-final", "0b" * 32).order


@pytest.mark.clause("CROWN 12.2.1(e)")
def test_who_bought_back_and_turns_out_to_be_through_has_the_price_back() -> None:
    play = at("heats_confirmed")
    asked = play.do(acts.BuyBack(tournament=play.id, entrant=38), "CA1")
    play.note(slips_of(asked)[0].slip)
    play.do(acts.ReopenRound(tournament=play.id, round="heats", reason="A score."), "TD1", "CS1")
    play.do(play.score_news("SPRING/heats/2/T2", {38: 9000}, counted=1), "clock")
    said = play.confirm("heats")
    assert 38 in _confirmed(said).through["semi-final"]
    assert [(one.purpose, one.cents, one.entrant) for one in slips_of(said)] == [("refund", 3000, 38)]
    assert play.status(38) is EntrantStatus.THROUGH


@pytest.mark.clause("CROWN 11.11")
def test_a_decided_tournament_is_reopened_with_its_last_round() -> None:
    play = at("decided")
    play.do(acts.ReopenRound(tournament=play.id, round="session", reason="A score."), "TD1", "CS1")
    assert play.state.phase == "ready"
    play.do(play.score_news("AUTUMN/session/1/T1", {8: 9000}, counted=1), "clock")
    assert _confirmed(play.confirm("session")).ranked[0] == 8


@pytest.mark.clause("CROWN 11.11")
def test_who_should_be_through_is_admitted_and_nobody_loses_a_seat() -> None:
    play = at("corrected")
    seated = {number for table in play.places("semi-final").values() for number in table}
    act = acts.AdmitPlace(tournament=play.id, entrant=17, table="T1", reason="A coup of a heat was corrected.")
    (admitted,) = play.do(act, "TD1")
    assert isinstance(admitted, e.PlaceAdmitted)
    assert (admitted.credit, admitted.station) == (200000, "A8")
    sitting = play.state.sittings["SPRING/semi-final/1/T1"]
    (order,) = sitting.orders
    assert (order.kind, order.station, order.penalty) == ("admit", "A8", False)
    assert not sitting.seats["A8"].present
    assert play.status(17) is EntrantStatus.PLAYING
    assert all(play.status(one) is EntrantStatus.PLAYING for one in seated)
    assert play.no(act, "TD1") == ("not_through", "G-133")


@pytest.mark.clause("CROWN 11.11")
def test_who_left_after_the_confirmation_makes_no_place_for_another() -> None:
    play = at("semi_final_on")
    play.do(acts.Disqualify(tournament=play.id, entrant=1, ground="conduct", reason="A fight."), "TD1")
    act = acts.AdmitPlace(tournament=play.id, entrant=14, table="T1", reason="Entrant 1 is out.")
    assert play.no(act, "TD1") == ("not_through", "G-133")


@pytest.mark.clause("CROWN 12.2.1(d)")
def test_totals_rank_by_the_sum_of_all_rounds() -> None:
    play = changed("spring", ranking={"score": "total"}).ready(16)
    play.play_round("heats", {16: 9000})
    play.confirm("heats")
    play.at("2026-06-06T16:50")
    play.confirm("repechage")
    play.play_round("semi-final", {16: 100})
    assert _confirmed(play.confirm("semi-final")).ranked[0] == 16
    assert slips_of(play.history)[-1].purpose == "fee"
