"""Prizes (CROWN 12.2.1(j)), cash balances (G-135), cancellation (G-140) and the books."""

from collections.abc import Mapping

import pytest

from sabot.tournament import acts
from sabot.tournament import events as e
from sabot.tournament.state import SittingState
from tests.tournament.desk import names, slips_of
from tests.tournament.driving import SEED, WORDS, Play
from tests.tournament.situations import at, changed


def _award(play: Play, **stamped: object) -> tuple[e.PrizesAwarded, list[e.SlipRaised]]:
    act = acts.AwardPrizes(tournament=play.id, words=WORDS if stamped else "")
    said = play.do(act, "TD1", "CS1", **stamped)
    return next(one for one in said if isinstance(one, e.PrizesAwarded)), slips_of(said)


def _settle(play: Play) -> None:
    """The cage does what the slips say."""
    for number, slip in sorted(play.state.slips.items()):
        if slip.status in ("raised", "withdrawn"):
            taken = "taken" if slip.direction == "take" else "paid"
            play.note(number, "cancelled" if slip.status == "withdrawn" else taken)


def _spring(entrants: int, buy_backs: int) -> Play:
    play = Play("spring").ready(entrants)
    play.play_round("heats")
    play.confirm("heats")
    for entrant in play.state.progress("heats").eliminated[:buy_backs]:
        asked = play.do(acts.BuyBack(tournament=play.id, entrant=entrant), "CA1")
        play.note(slips_of(asked)[0].slip)
    play.at("2026-06-06T16:50")
    if buy_backs:
        play.play_round("repechage")
    play.confirm("repechage")
    for name in ("semi-final", "final"):
        play.play_round(name)
        play.confirm(name)
    return play


@pytest.mark.clause("CROWN 12.2.1(j)")
@pytest.mark.parametrize(
    ("entrants", "buy_backs", "pool", "adds", "prizes"),
    [
        (40, 12, 236000, 0, [118000, 59000, 35400, 23600]),
        (16, 0, 200000, 120000, [100000, 50000, 30000, 20000]),
    ],
)
def test_the_pool_is_what_was_paid_and_what_the_house_guarantees(
    entrants: int, buy_backs: int, pool: int, adds: int, prizes: list[int]
) -> None:
    play = _spring(entrants, buy_backs)
    awarded, slips = _award(play)
    assert (awarded.pool_cents, awarded.house_adds_cents) == (pool, adds)
    assert [one.cents for one in awarded.prizes] == prizes
    assert [(one.cents, one.entrant, one.purpose) for one in slips] == [
        (cents, place, "prize") for place, cents in enumerate(prizes, start=1)
    ]
    assert play.state.phase == "finished"
    _settle(play)
    play.do(acts.CloseBooks(tournament=play.id), "OP1")
    assert (play.state.phase, play.state.books_closed) == ("closed", True)


@pytest.mark.clause("CROWN 12.2.1(j)")
def test_equals_share_the_sum_of_their_places() -> None:
    play = changed("autumn", pool={"added_cents": 0, "guaranteed_cents": 0}).ready(8, tables=2, seats=24)
    play.play_round("session", {1: 1985, 2: 1985})
    play.confirm("session")
    awarded, _ = _award(play)
    assert awarded.pool_cents == 32000
    assert [(one.place, one.entrant, one.cents) for one in awarded.prizes] == [
        (1, 1, 12800),
        (1, 2, 12800),
        (3, 3, 6400),
    ]


@pytest.mark.clause("CROWN 12.2.1(j)")
def test_lots_part_equals_of_an_earlier_round_at_a_prize() -> None:
    play = at("prizes_tied")
    play.commit("SPRING/prizes/lots")
    awarded, _ = _award(play, seed=SEED)
    assert awarded.prizes[-1].place == 7
    assert awarded.prizes[-1].entrant in (7, 8)
    assert [one.how for one in play.history if isinstance(one, e.TieBroken)] == ["lots"]


@pytest.mark.clause("CROWN 12.2.1(j)")
def test_fixed_prizes_come_on_top_and_prizes_in_words_have_no_slip() -> None:
    play = Play("autumn")
    text = {"en": "A weekend for two.", "zh": "双人周末"}
    play.raw["prizes"] = [
        {"place": 1, "share": 100},
        {"place": 2, "cents": 12345},
        {"place": 3, "text": text},
    ]
    play.raw["ranking"]["prize_ties"] = "tie_break"  # type: ignore[index]  # A table of the conditions.
    play.ready(8, tables=2, seats=24)
    play.play_round("session")
    play.confirm("session")
    awarded, slips = _award(play)
    assert awarded.house_adds_cents == 50000 - 32000 + 12345
    assert [one.cents for one in slips] == [50000, 12345]
    assert awarded.prizes[2].text == text


@pytest.mark.clause("CROWN 12.2.1(j)")
def test_a_disqualified_winner_gets_no_prize() -> None:
    play = Play("autumn").ready(8, tables=2, seats=24)
    play.play_round("session")
    act = acts.Disqualify(tournament=play.id, entrant=1, ground="conduct", reason="A fight.")
    play.do(act, "TD1")
    play.confirm("session")
    assert [one.entrant for one in _award(play)[0].prizes] == [2, 3, 4]


# Cash


def _night(scores: Mapping[int, float]) -> tuple[Play, list[e.TournamentEvent]]:
    play = Play("night").ready(8, tables=1)
    play.draw("night")
    return play, play.play("night", scores=scores)


SCORES = {1: 2000, 2: 1200, 3: 300, 4: 100, 5: 50, 6: 0, 7: 0, 8: 0}


@pytest.mark.clause("CROWN 12.2.1(b)")
def test_a_cash_session_pays_every_balance_and_the_house_has_the_rest() -> None:
    play, closed = _night(SCORES)
    stakes = next(one for one in closed if isinstance(one, e.StakesDue))
    assert (stakes.sitting, stakes.won_cents) == ("NIGHT/night/1/T1", 35000)
    assert [(one.entrant, one.cents) for one in slips_of(closed)] == [
        (number, score * 100) for number, score in SCORES.items() if score
    ]
    play.confirm("night")
    awarded, _ = _award(play)
    assert [one.cents for one in awarded.prizes] == [9600, 6400]
    _settle(play)
    play.do(acts.CloseBooks(tournament=play.id), "OP1")


@pytest.mark.clause("CROWN 12.2.1(b)")
def test_the_house_loses_what_the_entrants_gain() -> None:
    _, closed = _night(dict.fromkeys(SCORES, 600))
    assert [one.won_cents for one in closed if isinstance(one, e.StakesDue)] == [-80000]


@pytest.mark.clause("CROWN 11.11")
def test_a_correction_after_the_close_pays_what_is_missing_and_takes_nothing_back() -> None:
    play, _ = _night(SCORES)
    known = "NIGHT/night/1/T1"
    said = play.do(play.score_news(known, {3: 400, 1: 1900}, counted=1), "clock")
    stakes = next(one for one in said if isinstance(one, e.StakesDue))
    assert (stakes.sitting, stakes.won_cents) == (f"{known}@2", -10000)
    assert [(one.entrant, one.cents) for one in slips_of(said)] == [(3, 10000)]
    again = play.do(play.score_news(known, {3: 400}, counted=1), "clock")
    assert names(again) == ["ScoreNoted"]


@pytest.mark.clause("CROWN 12.2.1(h)")
def test_stakes_come_out_even_where_somebody_retired_and_somebody_was_absent() -> None:
    play = Play("night").ready(8, tables=1)
    play.draw("night")
    play.call("night", absent=(8,))
    known = play.table("T1")
    play.do(acts.Retire(tournament=play.id, entrant=3), "TD1")
    play.score(known, {3: 350, 1: 700}, closed=(3,))
    play.finish(known)
    play.close()
    taken = sum(one.parts.get("stakes", 0) for one in play.state.slips.values() if one.direction == "take")
    given = sum(one.parts.get("stakes", 0) for one in play.state.slips.values() if one.direction == "pay")
    assert (taken, given) == (400000, 35000 + 70000 + 5 * 50000 + 50000)
    assert taken - given == play.state.stakes[known]


# The end


@pytest.mark.clause("CROWN 12.2.1(g)")
def test_a_cancelled_tournament_gives_everything_back() -> None:
    play = at("heats_on")
    said = play.do(acts.CancelTournament(tournament=play.id, reason="A flood."), "OP1", "CS1")
    assert names(said)[0] == "TournamentCancelled"
    assert sum(one.cents for one in slips_of(said)) == 240000
    assert play.state.phase == "cancelled"
    assert {one.state for one in play.state.sittings.values()} == {SittingState.ABANDONED}
    assert {one.closing for one in play.state.sittings.values()} == {1}
    _settle(play)
    play.do(acts.CloseBooks(tournament=play.id), "OP1")


@pytest.mark.clause("CROWN 12.2.1(b)")
def test_a_cancelled_cash_night_leaves_balances_in_place_of_buy_ins() -> None:
    play, _ = _night(SCORES)
    said = play.do(acts.CancelTournament(tournament=play.id, reason="A flood."), "OP1", "CS1")
    assert [one.cents for one in slips_of(said)] == [2000] * 8


@pytest.mark.clause("CROWN 12.2.1(b)")
def test_a_leaver_of_a_cancelled_cash_night_keeps_the_balance_and_gets_no_buy_in() -> None:
    play = at("night_on")
    play.do(acts.Retire(tournament=play.id, entrant=3), "TD1")
    known = play.table("T1")
    play.do(play.score_news(known, {}, counted=24, closed=(3,), bust=(6, 7, 8)), "clock")
    said = play.do(acts.CancelTournament(tournament=play.id, reason="A flood."), "OP1", "CS1")
    assert [(one.sitting, one.won_cents) for one in said if isinstance(one, e.StakesDue)] == [(known, 20000)]
    stakes = [one for one in slips_of(said) if "stakes" in one.parts]
    assert [one.entrant for one in stakes] == [1, 2, 4, 5, 6, 7, 8]
    taken = sum(one.parts.get("stakes", 0) for one in play.state.slips.values() if one.direction == "take")
    given = sum(one.parts.get("stakes", 0) for one in play.state.slips.values() if one.direction == "pay")
    assert taken - given == 20000


@pytest.mark.clause("CROWN 12.2.1(a)")
def test_what_was_not_paid_is_not_wanted_any_more() -> None:
    play = Play("spring").opened()
    play.register("P-1")
    said = play.do(acts.CancelTournament(tournament=play.id, reason="A flood."), "OP1", "CS1")
    assert names(said) == ["TournamentCancelled", "SlipWithdrawn"]
    assert play.no(acts.CloseBooks(tournament=play.id), "OP1") == ("slips_open", "CROWN 12.2.1(a)")
