"""Statistics of the random source: of the very orders that virtual tables deal, and sharp enough to find a bad one."""

import numpy as np
import pytest
from msgspec.structs import replace

from sabot.floor.virtual.many_shoes import ManyShoes, many_shoes
from sabot.floor.virtual.shoe import ENTROPY_BYTES, ORDER_BYTES, shuffle
from sabot.floor.virtual.source_statistics import LEAST_CHANCE, SourceTally, entropy_of, source_statistics
from sabot.rules.cards import DECK

SHOES = 512


@pytest.fixture(scope="module")
def shoes() -> ManyShoes:
    return many_shoes(8, [entropy_of(3, number) for number in range(SHOES)])


@pytest.mark.parametrize("decks", [4, 8, 10])
def test_the_orders_are_those_that_a_virtual_table_deals(decks: int) -> None:
    entropies = [entropy_of(decks, number) for number in range(40)]
    made = many_shoes(decks, entropies)
    for order, entropy in zip(made.orders, entropies, strict=True):
        salted = entropy + bytes(ENTROPY_BYTES - ORDER_BYTES)
        assert tuple(DECK[card].notation for card in order) == shuffle("T1", 1, decks, salted).order


def test_words_are_drawn_again_as_the_shuffle_does(shoes: ManyShoes) -> None:
    """Of 512 shoes some must have thrown words away, or the test above proves little."""
    bounds = np.arange(416, 1, -1)
    assert (shoes.words[:, : len(bounds)] >= 65_536 - 65_536 % bounds).any()


def test_an_honest_source_fits_and_the_same_seed_gives_the_same_figures() -> None:
    told: list[int] = []
    found = source_statistics(200_000, 1, 8, told.append)
    assert found.fits
    assert found == source_statistics(200_000, 1, 8, lambda _: None)
    assert found.orders_sha256 != source_statistics(200_000, 2, 8, lambda _: None).orders_sha256
    assert told[-1] == found.cards == found.shoes * 416 >= 200_000


def _chances(made: ManyShoes) -> dict[str, float]:
    tally = SourceTally(416)
    tally.add(made)
    return {test.name: test.p for test in tally.tests(8)}


def test_a_source_that_is_not_even_is_found(shoes: ManyShoes) -> None:
    assert min(_chances(shoes).values()) * len(_chances(shoes)) > LEAST_CHANCE
    low_words = replace(shoes, words=np.minimum(shoes.words, np.uint16(60_000)))
    assert _chances(low_words)["words"] < 1e-6
    slow_words = replace(shoes, words=np.repeat(shoes.words[:, ::2], 2, axis=1))
    assert max(_chances(slow_words)[name] for name in ("serial pairs", "correlation 1", "poker", "runs")) < 1e-6
    remainders = replace(shoes, draws=[drawn // 2 for drawn in shoes.draws])
    assert _chances(remainders)["draws"] < 1e-6


def test_a_shuffle_that_keeps_cards_together_is_found(shoes: ManyShoes) -> None:
    sorted_part = shoes.orders.copy()
    sorted_part[:, :52] = np.sort(sorted_part[:, :52], axis=1)
    assert min(_chances(replace(shoes, orders=sorted_part))[name] for name in ("places", "equal suit 1")) < 1e-6
    again = np.concatenate([shoes.orders[:-1], shoes.orders[:1]])
    assert _chances(replace(shoes, orders=again))["repeats"] < 1e-6
