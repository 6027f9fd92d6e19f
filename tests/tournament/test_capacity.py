"""How many may come into a round, counted from the rounds before (CROWN 12.2.1(d))."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.tournament.conditions.capacity import last_round, most_into, places, sittings
from sabot.tournament.conditions.file import problems_of
from sabot.tournament.conditions.fixtures import fixture, fixture_raw
from sabot.tournament.conditions.parts import Balances, BuyBackPart, From, RoundKind, RoundPart

NO_BUY_BACK = BuyBackPart(allowed=False)


def _round(name: str, *lines: From, tables: int = 1000, seats: int = 8, kind: RoundKind = RoundKind.ROUND) -> RoundPart:
    return RoundPart(
        name=name, kind=kind, from_=lines, tables=tables, seats=seats, coups=10, credit=1, balances=Balances.CANCELLED,
        starts=(),
    )  # fmt: skip


@pytest.mark.clause("CROWN 12.2.1(d)")
def test_the_rounds_of_the_spring_elimination() -> None:
    spring = fixture("spring")
    most = most_into(spring.rounds, spring.entry.maximum_players, spring.buy_back)
    assert most == {"heats": 64, "repechage": 32, "semi-final": 24, "final": 8}
    assert {one.name: places(one) for one in spring.rounds} == most
    assert last_round(spring.rounds).name == "final"


def test_nobody_is_counted_twice_from_one_round() -> None:
    final = _round("final", From(round="heats", top_overall=6), From(round="heats", top_per_table=4))
    assert most_into((_round("heats", From(entrants="all")), final), 8, NO_BUY_BACK)["final"] == 8


def test_a_round_sends_on_no_more_than_sat_in_it() -> None:
    heats = _round("heats", From(entrants="all"), tables=2, seats=5)
    final = _round("final", From(round="heats", top_per_table=3))
    assert most_into((heats, final), 50, NO_BUY_BACK) == {"heats": 50, "final": 6}


@given(st.integers(0, 60), st.integers(1, 12), st.integers(0, 12), st.integers(0, 20))
def test_the_most_who_are_eliminated_is_found_for_every_number_of_players(
    players: int, seats: int, per_table: int, overall: int
) -> None:
    """However many play, up to the greatest number, no more than this are out."""
    heats = _round("heats", From(entrants="all"), seats=seats)
    lines = [From(round="heats", top_per_table=per_table)] if per_table else []
    final = _round("final", *lines, From(round="heats", top_overall=overall))
    plate = _round("plate", From(eliminated_in="heats"), kind=RoundKind.SECONDARY)
    found = most_into((heats, final, plate), players, NO_BUY_BACK)["plate"]
    assert found == max(
        number - min(number, min(number, per_table * sittings(heats, number)) + min(number, overall))
        for number in range(players + 1)
    )


def test_an_event_for_those_who_are_out_needs_places_and_a_prize_of_its_own() -> None:
    raw = fixture_raw("spring")
    plate = {
        "name": "plate",
        "kind": "secondary",
        "from": [{"eliminated_in": "semi-final"}],
        "tables": 2,
        "seats": 8,
        "coups": 10,
        "credit": 100000,
        "balances": "cancelled",
        "starts": ["2026-06-07T17:00"],
    }
    rounds, prizes = raw["rounds"], raw["prizes"]
    assert isinstance(rounds, list)
    assert isinstance(prizes, list)
    rounds.append(plate)
    prizes.append({"place": 1, "of": "plate", "cents": 50000})
    assert problems_of(raw) == ()
    plate["seats"] = 7
    (short,) = problems_of(raw)
    assert (short.key, short.clause) == ("rounds[4].seats", "CROWN 12.2.1(d)")
    assert "16 may come into plate, and it has 14 places" in short.why
