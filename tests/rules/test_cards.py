"""Cards, their notation and their points."""

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.basics.mistake import Mistake
from sabot.rules.cards import CARDS, DECK, Colour, Rank, Suit, card, check_copies, read_cards, write_cards
from tests.chance import cards


def test_a_deck_has_52_different_cards_and_no_joker() -> None:
    assert len(DECK) == len(set(DECK)) == 52
    assert {one.notation for one in DECK} == {f"{rank}{suit}" for rank in "A23456789TJQK" for suit in "SHDC"}


@pytest.mark.clause("CROWN 3.2.1", "CROWN 3.2.2", "CROWN 3.2.3", "MBS-B 3.3.1", "MBS-B 3.3.2", "RWS 3.7")
def test_points_of_every_rank() -> None:
    assert "".join(str(rank.points) for rank in Rank) == "1234567890000"


@pytest.mark.clause("CROWN 3.8.2")
def test_burn_value_of_every_rank() -> None:
    assert [rank.burn_value for rank in Rank] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]


def test_hearts_and_diamonds_are_red() -> None:
    assert {suit for suit in Suit if suit.colour is Colour.RED} == {Suit.HEARTS, Suit.DIAMONDS}
    assert "".join(suit.symbol for suit in Suit) == "♠♥♦♣"


@given(st.lists(cards))
def test_notation_round_trip(drawn: list[object]) -> None:
    written = write_cards(drawn)  # type: ignore[arg-type]
    assert list(read_cards(written.split())) == drawn
    assert list(read_cards(written.lower().split())) == drawn


@given(cards)
def test_a_card_is_one_object_however_it_travels(one: object) -> None:
    assert copy.deepcopy(one) is one
    assert pickle.loads(pickle.dumps(one)) is one  # noqa: S301  Our own pickle, made a moment ago.


def test_a_card_does_not_change() -> None:
    with pytest.raises(AttributeError, match="AS does not change"):
        card("AS").points = 2


@pytest.mark.parametrize(
    ("token", "meant"),
    [("10S", "TS"), ("0h", "TH"), ("1d", "AD"), ("S9", "9S"), ("d10", "TD"), ("9♠", "9S"), ("♥️k", "KH"), ("10♣", "TC")],
)
def test_a_near_miss_gets_a_hint(token: str, meant: str) -> None:
    with pytest.raises(Mistake, match=rf"is not a card \(did you mean {meant}\?\)"):
        card(token)


@pytest.mark.parametrize(
    ("token", "told"),
    [
        ("AX", "X is no suit: AS, AH, AD, AC"),
        ("10x", "X is no suit: TS, TH, TD, TC"),
        ("10", "its suit is missing: TS, TH, TD, TC"),
        ("q", "its suit is missing: QS, QH, QD, QC"),
        ("♠", "its rank is missing"),
        ("joker", "no joker is in the shoe"),
    ],
)
def test_half_a_card_is_told_what_it_lacks(token: str, told: str) -> None:
    with pytest.raises(Mistake, match=rf"is not a card \({told}\)"):
        card(token)


@given(st.text(max_size=4))
def test_anything_else_is_refused_and_pointed_at(token: str) -> None:
    if token in CARDS:
        return
    with pytest.raises(Mistake, match="is not a card"):
        card(token)
    with pytest.raises(Mistake, match="card 2 of 3"):
        read_cards(["AS", token, "KD"])


@pytest.mark.parametrize("joker", ["JK", "JOKER", "XX", "*", "10S", "1S", "ASD", ""])
def test_jokers_and_near_misses_are_no_cards(joker: str) -> None:
    with pytest.raises(Mistake, match="a card is a rank"):
        card(joker)


@pytest.mark.clause("G-30")
def test_a_ninth_copy_cannot_come_from_eight_decks() -> None:
    check_copies(read_cards(["AS"] * 8), 8)
    with pytest.raises(Mistake, match="AS appears 9 times, but 8 decks hold only 8 of it"):
        check_copies(read_cards(["AS"] * 9), 8)
    with pytest.raises(Mistake, match="KD appears 5 times, but 4 decks"):
        check_copies(read_cards(["KD", "KD", "AS", "KD", "KD", "KD"]), 4)
