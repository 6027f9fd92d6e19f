"""A shoe from burn to last coup."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.rules.cards import DECK, Card, card
from sabot.rules.shipped import rule_set
from sabot.rules.shoe import burn, deal_shoe, full_shoe

RULES = rule_set("crown-traditional").shoe


@pytest.mark.clause("CROWN 3.1")
def test_a_full_shoe_holds_each_card_once_a_deck() -> None:
    shoe = full_shoe(8)
    assert len(shoe) == 416
    assert all(shoe.count(one) == 8 for one in DECK)


@pytest.mark.clause("CROWN 3.8.1", "CROWN 3.8.2", "G-23")
@pytest.mark.parametrize(("first", "out"), [("7D", 8), ("KC", 11), ("AH", 2), ("TS", 11)])
def test_a_shown_first_card_burns_its_face_value_besides_itself(first: str, out: int) -> None:
    shoe = [card(first), *full_shoe(4)]
    assert len(burn(shoe, by_face_value=True).cards) == out
    assert burn(shoe, by_face_value=True).shown is card(first)
    assert burn(shoe, by_face_value=False).cards == (card(first),)
    assert burn(shoe, by_face_value=False).shown is None


@given(st.integers(0, 2**32), st.integers(4, 8), st.sampled_from([13, 20]))
def test_one_coup_follows_the_one_in_which_the_cutting_card_shows(seed: int, decks: int, behind: int) -> None:
    shoe = list(full_shoe(decks))
    random.Random(seed).shuffle(shoe)
    dealt = list(deal_shoe(shoe, RULES, 1, behind))
    in_order = [one for each in dealt for one in each.coup.cards]
    assert in_order == shoe[1 : 1 + len(in_order)]
    assert [each.cutting_card_seen for each in dealt[-2:]] == [True, False]
    assert sum(each.cutting_card_seen for each in dealt) == 1
    assert [each.last for each in dealt] == [False] * (len(dealt) - 1) + [True]
    before_the_card = 1 + sum(len(each.coup.cards) for each in dealt[:-2])
    assert before_the_card <= len(shoe) - behind


@pytest.mark.clause("G-18")
def test_a_cutting_card_in_place_of_a_first_card_shows_during_that_coup() -> None:
    four_card_coup = [card(one) for one in ("5S", "KH", "4D", "QC")]
    shoe: list[Card] = four_card_coup * 10
    dealt = list(deal_shoe(shoe, RULES, 0, 20))
    assert [each.number for each in dealt if each.cutting_card_seen] == [6]
    assert len(dealt) == 7


@pytest.mark.clause("G-20")
def test_no_coup_starts_that_could_run_out_of_cards() -> None:
    shoe = [card(one) for one in ("5S", "KH", "4D", "QC")] * 3
    dealt = list(deal_shoe(shoe, RULES, 0, 1))
    assert len(dealt) == 2
    assert dealt[-1].last
