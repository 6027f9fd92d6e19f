"""Clumps, repeats, counts and the random source: bets with the mean one, what they find, and what they let pass."""

import random
from collections.abc import Callable
from math import exp

import numpy as np
import pytest

from sabot.integrity.light import LightState
from sabot.integrity.lit import OneKind
from sabot.integrity.random_source import BEGINNING, RandomSource, lags, positions, repeat_log_factor
from sabot.integrity.seen import UNSEEN
from sabot.integrity.shoe_bets import CardsInTurn
from sabot.integrity.shoe_order import CensusOfShoes, Clumps, Repeats, clumps, counts, repeats
from tests.integrity.shoes import shoe_seen, shuffled

Bets = Callable[[CardsInTurn], list[float]]


@pytest.mark.parametrize("bets", [clumps, repeats, counts, positions, lags])
@pytest.mark.parametrize("place", [1, 2, 60, 95])
def test_before_any_card_the_mean_of_each_bet_after_it_is_what_it_was(bets: Bets, place: int) -> None:
    """By enumeration of all cards that may come next in a shoe of two decks."""
    cards = shuffled(random.Random(place), decks=2)[:place]
    left = [2 - cards.count(card) for card in range(52)]
    before = np.exp(bets(CardsInTurn(shoe_seen(cards, decks=2))))
    mean = sum(
        copies / sum(left) * np.exp(bets(CardsInTurn(shoe_seen([*cards, card], decks=2))))
        for card, copies in enumerate(left)
        if copies
    )
    assert mean == pytest.approx(before)


def test_a_card_that_nobody_saw_is_none_that_others_follow() -> None:
    cards = [0, UNSEEN, 0, 1]
    turn = CardsInTurn(shoe_seen(cards, decks=2))
    assert turn.after(1).tolist() == [2]
    assert turn.after(2).tolist() == []
    assert turn.left[1, 0] == 1


def _after(detector: OneKind, shoes: list[list[int]], *, virtual: bool = False) -> LightState:
    for number, cards in enumerate(shoes):
        detector.take_shoe(shoe_seen(cards, number + 1, virtual=virtual))
    return next(detector.lights("T1")).state


def _seen(cards: list[int]) -> list[int]:
    return [UNSEEN, *cards[1:390]]


@pytest.mark.parametrize("detector", [Clumps, Repeats, CensusOfShoes, RandomSource])
def test_thirty_shuffled_shoes_raise_no_light(detector: type[OneKind]) -> None:
    chance = random.Random(8)
    assert _after(detector(), [_seen(shuffled(chance)) for _ in range(30)], virtual=True) is LightState.QUIET


def test_a_shoe_sorted_by_size_is_found_at_its_end() -> None:
    chance = random.Random(2)
    cards = shuffled(chance)
    cards.sort(key=lambda card: (card % 13 > 8) + 0.8 * chance.random())
    assert _after(Clumps(), [_seen(shuffled(chance)) for _ in range(10)] + [_seen(cards)]) is LightState.ALARM


def test_a_shuffle_that_keeps_equal_ranks_apart_is_found_after_some_shoes() -> None:
    chance = random.Random(5)
    shoes = []
    for _ in range(12):
        cards = shuffled(chance)
        for place in range(1, 400):
            if cards[place] % 13 == cards[place - 1] % 13:
                cards[place], cards[place + 7] = cards[place + 7], cards[place]
        shoes.append(_seen(cards))
    assert _after(Repeats(), shoes) is LightState.ALARM


def test_a_ninth_copy_of_a_card_is_certain_and_found_at_once() -> None:
    cards = shuffled(random.Random(1))
    wrong = [0 if card == 1 else card for card in cards]
    assert _after(CensusOfShoes(), [_seen(wrong)]) is LightState.ALARM


def test_a_shoe_without_nines_is_found_by_its_counts_and_other_lights_stay_quiet() -> None:
    chance = random.Random(6)
    without = [[card for card in shuffled(chance) if card % 13 != 8][:370] for _ in range(4)]
    assert _after(CensusOfShoes(), without) is LightState.ALARM
    assert _after(Repeats(), without) is LightState.QUIET


def test_a_virtual_shoe_that_begins_as_an_earlier_one_is_found_however_long_ago_that_was() -> None:
    chance = random.Random(7)
    shoes = [shuffled(chance) for _ in range(20)]
    detector = RandomSource()
    assert _after(detector, shoes, virtual=True) is LightState.QUIET
    detector.take_shoe(shoe_seen(shoes[0][:BEGINNING] + shuffled(chance)[:200], 21, virtual=True))
    light = next(detector.lights("T1"))
    assert (light.state, light.seen.code) == (LightState.ALARM, "integrity_source_again")


def test_a_random_source_that_prefers_high_cards_at_the_front_is_found() -> None:
    chance = random.Random(9)
    shoes = []
    for _ in range(40):
        cards = shuffled(chance)
        cards.sort(key=lambda card: 1.3 * chance.random() + 0.4 * (card % 13 < 9))
        shoes.append(cards)
    assert _after(RandomSource(), shoes, virtual=True) is LightState.ALARM


def test_a_stake_on_a_repeated_beginning_never_has_a_mean_above_one() -> None:
    """With one deck and the beginnings of all orders of eleven cards as the worst case of what is remembered."""
    for remembered, decks in ((1, 1), (2_000, 1), (2_000, 8)):
        most_likely = remembered
        for place in range(BEGINNING):
            most_likely *= decks / (52 * decks - place)  # type: ignore[assignment]
        again, not_again = (exp(repeat_log_factor(remembered, decks, again=one)) for one in (True, False))
        assert most_likely * again + (1 - most_likely) * not_again <= 1 + 1e-12
        assert again > 1e5


def test_the_physical_shoes_of_a_table_are_none_of_the_random_source() -> None:
    detector = RandomSource()
    assert _after(detector, [shuffled(random.Random(1))] * 3) is LightState.QUIET
    assert detector.state.evidence.coups == 0
