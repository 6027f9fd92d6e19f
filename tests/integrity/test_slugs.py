"""Stretches of an earlier shoe that are played again are found, and shuffled shoes are not taken for them."""

import random
from copy import deepcopy
from math import exp, log

import msgspec
import pytest

from sabot.integrity.budget import threshold
from sabot.integrity.light import Kind, LightState
from sabot.integrity.slug import NEW_DECK, EarlierOrders, Followers, orders
from sabot.integrity.slugs import Slugs, SlugState
from tests.integrity.shoes import DECKS, coups_of, coups_seen, shuffled


def test_before_any_card_the_mean_of_all_capital_after_it_is_what_it_was() -> None:
    """The law behind the light, by enumeration of all 52 cards at every tenth place of a shoe."""
    chance = random.Random(4)
    earlier = shuffled(chance)
    followers = Followers([EarlierOrders(NEW_DECK), EarlierOrders(orders(coups_of(earlier)))])
    cards = _with(earlier[120:145], shuffled(chance), 40)  # So that some followers are rich.
    left = [DECKS] * 52
    for place, card in enumerate(cards[:90]):
        number = sum(left)
        if place % 10 == 5:
            before, mean = exp(followers.take_stock()), 0.0
            for other in range(52):
                after = deepcopy(followers)
                after.see(other, left[other] / number)
                mean += left[other] / number * exp(after.take_stock())
            assert mean <= before * (1 + 1e-9)
            assert mean >= before * 0.9  # What waits behind a card that came is dropped.
        followers.see(card, left[card] / number)
        left[card] -= 1
    assert before > 1e12


def _play(detector: Slugs, cards: list[int], shoe: int) -> int | None:
    """The first card at which the light is an alarm."""
    place = 0
    for coup in coups_seen(coups_of(cards), shoe):
        detector.take_coup(coup)
        place += len(coup.cards)
        if next(detector.lights("T1")).state is LightState.ALARM:
            return place
    return None


def _with(slug: list[int], cards: list[int], at: int) -> list[int]:
    rest = list(cards)
    for card in slug:
        rest.remove(card)
    return [*rest[:at], *slug, *rest[at:]]


@pytest.mark.parametrize(("way", "within"), [("dealt", 14), ("backwards", 14), ("gathered", 14), ("riffled", 40)])
def test_a_slug_of_the_shoe_before_last_is_found_while_it_is_played(way: str, within: int) -> None:
    chance, detector = random.Random(way), Slugs()
    shoes = [shuffled(chance) for _ in range(3)]
    coups = coups_of(shoes[1])
    stretch = [card for coup in coups for card in coup][100:160]
    if way == "backwards":
        stretch.reverse()
    elif way == "gathered":
        stretch = list(orders(coups)[2])[100:160]
    elif way == "riffled":
        others = shuffled(chance)[:30]
        stretch = [card for pair in zip(stretch[:30], others, strict=True) for card in pair]
        stretch = [card for number, card in enumerate(stretch) if stretch[: number + 1].count(card) <= DECKS]
    for number, cards in enumerate(shoes):
        assert _play(detector, cards, number + 1) is None
    found = _play(detector, _with(stretch, shuffled(chance), 50), 4)
    assert found is not None
    assert found - 50 <= within
    assert next(detector.lights("T1")).seen.values["earlier"] == 2


def test_new_decks_that_nobody_shuffled_are_found_in_their_first_coups() -> None:
    detector = Slugs()
    assert (_play(detector, [*range(52)] * DECKS, 1) or 999) <= 20
    assert next(detector.lights("T1")).seen.code == "integrity_slug_new_decks"


def test_shuffled_shoes_reach_one_in_twenty_no_more_often_than_they_may() -> None:
    """Evidence of 20 may be reached by one honest table in twenty, whenever one looks."""
    chance, reached = random.Random(11), 0
    for _ in range(20):
        detector = Slugs()
        for shoe in (1, 2):
            _play(detector, shuffled(chance), shoe)
        reached += detector.state.evidence.highest >= log(20)
    assert reached <= 5  # More than five of twenty have a chance of 0.03 per cent if each has one of 5 per cent.


def test_a_light_that_was_kept_in_the_middle_of_a_shoe_goes_on_as_if_it_had_not_been() -> None:
    chance = random.Random(3)
    shoes = [shuffled(chance) for _ in range(3)]
    through, kept = Slugs(), Slugs()
    for number, cards in enumerate(shoes):
        for place, coup in enumerate(coups_seen(coups_of(cards), number + 1)):
            through.take_coup(coup)
            kept.take_coup(coup)
            if place == 30:
                for one in (through, kept):
                    one.begin_day()
                bytes_kept = msgspec.msgpack.encode(kept.state)
                kept = Slugs(msgspec.msgpack.decode(bytes_kept, type=SlugState))
    assert kept.state.evidence.log == pytest.approx(through.state.evidence.log)
    assert kept.state.evidence.log > 0


def test_after_an_alarm_the_next_day_begins_with_no_evidence() -> None:
    detector = Slugs()
    _play(detector, [*range(52)] * DECKS, 1)
    assert detector.state.evidence.highest > log(threshold(Kind.SLUG))
    detector.begin_day()
    assert exp(detector.state.evidence.highest) == pytest.approx(1)
    _play(detector, shuffled(random.Random(1)), 2)
    assert next(detector.lights("T1")).state is LightState.QUIET
