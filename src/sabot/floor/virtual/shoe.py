"""A virtual shoe: cards put in order by chance alone, with a commitment to that order.

Chance arrives as bytes that somebody at the edge drew from the operating system. They are spread into a stream by
SHA-256 in counter mode: every block is the digest of all of them and a number. It is in the standard library of every
language, so that a laboratory can write it again in ten lines, and predicting it from cards seen would be finding what
SHA-256 hides. There are 416! orders of eight decks, which is 3,025 bits; fewer bytes than that could not reach them
all, so more are asked for.

The order comes from Fisher and Yates: each place takes a card from those that are left, every one equally likely.
Numbers below a bound come from words of sixteen bits, and a word past the last whole multiple of the bound is thrown
away and drawn again; a remainder would favour small numbers. Both steps are exact, so that the order is uniform if the
stream is.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from sabot.rules.shoe import full_shoe
from sabot.table.shoe.commitment import SALT_BYTES, Committed, place_of

ORDER_BYTES = 512
"""4,096 bits for an order that needs at most 3,025."""
ENTROPY_BYTES = ORDER_BYTES + SALT_BYTES
WORDS = 1 << 16

T = TypeVar("T")


class VirtualShoe(Committed):
    """The cards of one shoe in committed order; it knows its table and its number, so that it is taken for no other."""

    def __init__(self, table: str, number: int, order: Sequence[str], salt: bytes) -> None:
        super().__init__(order, salt)
        self.table, self.number = table, number

    def card(self, position: int, cut_at: int) -> str:
        """The card that comes out at this position, from 1, after a cut at so many cards."""
        return self.order[place_of(position, cut_at, len(self.order))]

    def proof_of(self, position: int, cut_at: int) -> str:
        return self.proof(place_of(position, cut_at, len(self.order)))


def shuffle(table: str, number: int, decks: int, entropy: bytes) -> VirtualShoe:
    """A full shoe in an order that follows from the entropy; the salt is drawn apart from it."""
    if len(entropy) != ENTROPY_BYTES:
        raise ValueError(f"a shoe is shuffled from {ENTROPY_BYTES} bytes of entropy, not {len(entropy)}")
    draw = uniform(words(entropy[:ORDER_BYTES]))
    order = [card.notation for card in permuted(full_shoe(decks), draw)]
    return VirtualShoe(table, number, order, entropy[ORDER_BYTES:])


def permuted(things: Sequence[T], draw: Callable[[int], int]) -> list[T]:
    """The things in another order: each choice of numbers gives another one, and every order has its choice."""
    order = list(things)
    for left in range(len(order), 1, -1):
        chosen = draw(left)
        order[left - 1], order[chosen] = order[chosen], order[left - 1]
    return order


def uniform(source: Iterator[int]) -> Callable[[int], int]:
    """Numbers from 0 to below a bound, each equally likely if the words are."""

    def draw(bound: int) -> int:
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
