"""Chance from bytes: no number and no order is favoured, and a laboratory can write it again."""

import itertools
from collections import Counter

import pytest

from sabot.rules.chance import WORDS, permuted, uniform, words


@pytest.mark.parametrize("things", range(1, 7))
def test_every_choice_of_numbers_gives_another_order_and_every_order_has_its_choice(things: int) -> None:
    """So the orders are as likely as the choices, which are as likely as each other: n! of each."""
    bounds = [range(bound) for bound in range(things, 1, -1)]
    orders: Counter[tuple[int, ...]] = Counter()
    for choice in itertools.product(*bounds):
        left = list(reversed(choice))
        orders[tuple(permuted(range(things), lambda _: left.pop()))] += 1  # noqa: B023  It is called right here.
    assert set(orders) == set(itertools.permutations(range(things)))
    assert set(orders.values()) == {1}


@pytest.mark.parametrize("bound", [1, 2, 3, 52, 208, 311, 415, 416])
def test_every_number_below_a_bound_comes_from_equally_many_words(bound: int) -> None:
    """All words there are, once each: those past the last whole multiple of the bound are drawn again."""
    accepted: Counter[int] = Counter()
    draw = uniform(iter(range(WORDS)))
    for _ in range(WORDS // bound * bound):
        accepted[draw(bound)] += 1
    assert set(accepted) == set(range(bound))
    assert len(set(accepted.values())) == 1
    if WORDS % bound:
        with pytest.raises((StopIteration, RuntimeError)):
            draw(bound)


def test_the_stream_is_the_digest_of_a_counter_and_the_entropy() -> None:
    """As `openssl dgst -sha256` has it of eight zero bytes and the word: b67c fdf4 1f20 …"""
    assert list(itertools.islice(words(b"sabot"), 3)) == [0xB67C, 0xFDF4, 0x1F20]


def test_a_bound_that_no_word_reaches_is_a_mistake_in_the_program() -> None:
    """It would wait for a word for ever."""
    with pytest.raises(AssertionError):
        uniform(words(b"sabot"))(WORDS + 1)
