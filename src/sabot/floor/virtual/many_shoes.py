"""The orders of many virtual shoes at once, as arrays; `shoe.shuffle` gives the same order from the same entropy.

It is for statistics, where shoes are counted by the hundred thousand and nobody wants their proofs. A card is its place
in a fresh deck, 0 to 51.
"""

from collections.abc import Sequence
from itertools import islice
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from sabot.rules.cards import DECK
from sabot.rules.chance import WORDS, stream

_Words = NDArray[np.uint16]
Orders = NDArray[np.uint8]

SPARE_WORDS: Final = 48
"""Of a shoe of 416 cards two or three words are drawn again; so many are practically never missing."""
_WORDS_OF_A_BLOCK: Final = 16


class ManyShoes(msgspec.Struct, frozen=True):
    orders: Orders
    """A row for each shoe, its cards from the first to the last."""
    words: _Words
    """The words of the stream that each shoe had at its disposal."""
    draws: list[NDArray[np.uint16]]
    """For each bound from the number of cards down to two, what each shoe drew below it."""


def many_shoes(decks: int, entropies: Sequence[bytes], spare: int = SPARE_WORDS) -> ManyShoes:
    """Shoes from the bytes that their orders follow from (`ORDER_BYTES` of each shoe's entropy)."""
    cards = len(DECK) * decks
    words = np.stack([_words(entropy, cards + spare) for entropy in entropies])
    rows, at = np.arange(len(entropies)), np.zeros(len(entropies), dtype=np.intp)
    orders = np.tile(np.arange(len(DECK), dtype=np.uint8), (len(entropies), decks))
    draws: list[NDArray[np.uint16]] = []
    for left in range(cards, 1, -1):
        word = _next_words(words, rows, at, WORDS - WORDS % left)
        chosen = (word % np.uint16(left)).astype(np.uint16)
        draws.append(chosen)
        last = orders[:, left - 1].copy()
        orders[:, left - 1] = orders[rows, chosen]
        orders[rows, chosen] = last
    return ManyShoes(orders, words, draws)


def _words(entropy: bytes, wanted: int) -> _Words:
    blocks = islice(stream(entropy), -(-wanted // _WORDS_OF_A_BLOCK))
    return np.frombuffer(b"".join(blocks), dtype=">u2").astype(np.uint16)


def _next_words(words: _Words, rows: NDArray[np.intp], at: NDArray[np.intp], whole: int) -> _Words:
    """Each shoe's next word below `whole`; one past it is thrown away, as `chance.uniform` does."""
    word = words[rows, at]
    at += 1
    while len(again := np.flatnonzero(word >= whole)):
        assert at[again].max() < words.shape[1], "a shoe wants more words than were made for it"
        word[again] = words[again, at[again]]
        at[again] += 1
    return word
