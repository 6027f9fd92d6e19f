"""Chance from bytes: a stream of words, numbers below a bound, and an order of things.

Chance arrives as bytes that were drawn from the operating system outside. They are spread into a stream by SHA-256 in
counter mode: every block is the digest of all of them and a number. It is in the standard library of every language, so
a laboratory can write it again in ten lines. To predict it from what was seen is as hard as to invert SHA-256.

The order comes from Fisher and Yates: each place takes a thing from those that are left, every one equally likely.
Numbers below a bound come from words of sixteen bits. A word past the last whole multiple of the bound is thrown away
and drawn again, since its remainder would favour small numbers. Both steps are exact, so that the order is uniform if
the stream is. Virtual shoes and the draws of tournaments are both made here.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

WORDS = 1 << 16

T = TypeVar("T")


def permuted(things: Sequence[T], draw: Callable[[int], int]) -> list[T]:
    """The things in another order: each choice of numbers gives another one, and every order has its choice."""
    order = list(things)
    for left in range(len(order), 1, -1):
        chosen = draw(left)
        order[left - 1], order[chosen] = order[chosen], order[left - 1]
    return order


def uniform(source: Iterator[int]) -> Callable[[int], int]:
    """Numbers from 0 to below a bound, each equally likely if the words are; the bound is at most `WORDS`."""

    def draw(bound: int) -> int:
        assert bound <= WORDS, "no word of sixteen bits reaches such a number"
        whole = WORDS - WORDS % bound
        return next(word for word in source if word < whole) % bound

    return draw


def words(entropy: bytes) -> Iterator[int]:
    """The stream in words of sixteen bits, without end."""
    for block in stream(entropy):
        for at in range(0, len(block), 2):
            yield int.from_bytes(block[at : at + 2])


def stream(entropy: bytes) -> Iterator[bytes]:
    counter = 0
    while True:
        yield hashlib.sha256(counter.to_bytes(8) + entropy).digest()
        counter += 1
