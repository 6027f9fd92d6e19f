"""Seats by a draw that is committed, opened and worked out again (CROWN 12.1.1), and altered starts (CROWN 12.3.4)."""

import pytest

from sabot.tournament import acts
from sabot.tournament import events as e
from sabot.tournament.places.outcomes import label_to_open
from sabot.tournament.places.progress import draws_due
from sabot.tournament.state import EntrantStatus
from tests.tournament.desk import ms, names
from tests.tournament.driving import SEED, WORDS, Play
from tests.tournament.situations import at, changed


@pytest.mark.clause("CROWN 12.1.1")
@pytest.mark.parametrize(
    ("entrants", "sizes"), [(40, ((8, 8, 8), (8, 8))), (41, ((7, 7, 7), (7, 7, 6))), (16, ((8,), (8,)))]
)
def test_sittings_differ_by_one_seat_at_most(entrants: int, sizes: tuple[tuple[int, ...], ...]) -> None:
    play = Play("spring").ready(entrants)
    play.draw("heats")
    found = [tuple(len(table) for table in play.places("heats", session).values()) for session in (1, 2)]
    assert tuple(found) == sizes
    numbers = [one for session in (1, 2) for table in play.places("heats", session).values() for one in table]
    assert sorted(numbers) == list(range(1, entrants + 1))


@pytest.mark.clause("CROWN 12.1.1")
def test_the_same_seed_and_words_give_the_same_places() -> None:
    first, second = at("spring"), at("spring")
    assert first.draw("heats") == second.draw("heats")
    assert first.state.progress("heats").seed == SEED
    assert first.status(1) is EntrantStatus.SEATED


@pytest.mark.clause("CROWN 12.1.1")
def test_a_lost_seed_is_replaced_by_a_new_commitment_before_any_words() -> None:
    play = at("committed")
    play.commit("SPRING/heats", "0a" * 32)
    act = acts.DrawSeats(tournament=play.id, round="heats", words=WORDS)
    assert play.no(act, "TD1", seed=SEED) == ("wrong_seed", "CROWN 12.1.1")
    assert names(play.do(act, "TD1", seed="0a" * 32)) == ["SeatsDrawn"]
    assert play.state.commitments == {}


def test_a_commitment_that_is_published_already_changes_nothing() -> None:
    play = at("committed")
    assert play.commit("SPRING/heats") == []


def test_commitments_are_due_once_it_is_settled_who_is_drawn() -> None:
    play = Play("spring").opened()
    assert isinstance(play, Play)
    assert draws_due(play.state, play.now_ms) == ()
    play = at("spring")
    assert draws_due(play.state, play.now_ms) == ("SPRING/heats",)
    play.commit("SPRING/heats")
    assert draws_due(play.state, play.now_ms) == ()
    play = at("heats_confirmed")
    assert draws_due(play.state, play.now_ms) == ()


def test_lots_are_due_where_equals_are_left_at_a_cut() -> None:
    play = at("final_tied")
    assert label_to_open(play.state, "session") == "AUTUMN/session/lots"
    assert draws_due(play.state, play.now_ms) == ("AUTUMN/session/lots",)
    assert draws_due(at("prizes_tied").state, 0) == ("SPRING/prizes/lots",)
    assert label_to_open(at("heats_half").state, "heats") is None


@pytest.mark.clause("CROWN 12.2.1(e)")
def test_who_bought_back_is_drawn_into_the_repechage() -> None:
    play = at("heats_confirmed")
    for entrant in (14, 15, 17):
        asked = play.do(acts.BuyBack(tournament=play.id, entrant=entrant), "CA1")
        play.note(next(one.slip for one in asked if isinstance(one, e.SlipRaised)))
    play.at("2026-06-06T16:50")
    assert sorted(play.draw("repechage").order) == [14, 15, 17]


@pytest.mark.clause("CROWN 12.2.1(d)")
def test_who_was_absent_catches_up_where_the_conditions_say_so() -> None:
    play = changed("spring", attendance={"absent": {"outcome": "catch_up", "refund_percent": 0}})
    rounds = play.raw["rounds"]
    assert isinstance(rounds, list)
    catch_up = {
        **rounds[1],
        "name": "catch-up",
        "kind": "catch_up",
        "from": [{"missed": "heats"}],
        "sessions": 2,
        "starts": ["2026-06-06T18:30", "2026-06-06T20:00"],
    }
    rounds.insert(2, catch_up)
    per_table, _, repechage = rounds[3]["from"]
    rounds[3]["from"] = [per_table, repechage, {"round": "catch-up", "top_overall": 2}]
    play.ready(40)
    play.draw("heats")
    play.call("heats", absent=(7, 12))
    play.play("heats")
    play.play("heats", 2)
    assert play.status(7) is EntrantStatus.ABSENT
    play.confirm("heats")
    assert play.status(7) is EntrantStatus.ABSENT
    assert sorted(play.draw("catch-up").order) == [7, 12]


@pytest.mark.clause("CROWN 12.2.1(d)")
def test_a_secondary_round_takes_who_was_eliminated() -> None:
    play = Play("spring")
    rounds = play.raw["rounds"]
    assert isinstance(rounds, list)
    plate = {**rounds[1], "name": "plate", "kind": "secondary", "from": [{"eliminated_in": "semi-final"}]}
    rounds.append({**plate, "starts": ["2026-06-07T18:00"]})
    play.ready(16)
    play.play_round("heats")
    play.confirm("heats")
    play.at("2026-06-06T16:50")
    play.confirm("repechage")
    play.play_round("semi-final")
    (confirmed,) = play.confirm("semi-final")
    assert isinstance(confirmed, e.RoundConfirmed)
    assert play.draw("plate").order
    assert set(play.draw("final").order).isdisjoint(confirmed.eliminated)
    assert {placed.entrant for placed in play.state.progress("plate").drawn or ()} == set(confirmed.eliminated)


@pytest.mark.clause("CROWN 12.2.1(b)")
def test_a_carried_balance_is_the_credit_of_the_next_round() -> None:
    play = Play("spring")
    rounds = play.raw["rounds"]
    assert isinstance(rounds, list)
    rounds[2] = {**rounds[2], "balances": "carried"}
    rounds[3] = {**rounds[3], "credit": 0}
    play.ready(16)
    play.play_round("heats")
    play.confirm("heats")
    play.at("2026-06-06T16:50")
    play.confirm("repechage")
    play.play_round("semi-final", {1: 4321.5, 2: 1234})
    play.confirm("semi-final")
    play.draw("final")
    called = play.call("final")
    balances = {seat.entrant: seat.credit for one in called.sittings for seat in one.seats.values()}
    assert balances[1] == 432150


@pytest.mark.clause("CROWN 12.3.4")
def test_a_start_is_altered_with_notice_and_then_holds() -> None:
    play = at("drawn").at("2026-06-06T12:45")
    altered = acts.AlterStart(tournament=play.id, round="heats", to_ms=ms("2026-06-06T13:15"))
    assert names(play.do(altered, "TD1")) == ["StartAltered"]
    play.at("2026-06-06T13:14")
    assert play.no(play.calling("heats"), "TD1") == ("too_early", "CROWN 12.3.4")
    play.at("2026-06-06T13:15")
    assert names(play.do(play.calling("heats"), "TD1")) == ["SessionCalled"]
    sooner = acts.AlterStart(tournament=play.id, round="heats", session=2, to_ms=ms("2026-06-06T13:30"))
    assert names(play.do(sooner, "TD1")) == ["StartAltered"]
