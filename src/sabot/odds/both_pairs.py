"""How often the hands of a coup start with pairs, in closed form, for many compositions at once.

Sequences are 64-bit integers: no shoe of up to twelve decks has more than 624·623·…·619, which is below 2**56.
"""

from itertools import product
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from sabot.odds.composition import NEEDED
from sabot.odds.exact_arrays import Integers
from sabot.rules.aspect import Aspect
from sabot.rules.cards import Rank, Suit, card
from sabot.rules.hand import Pair

PAIRS: Final = (Pair.MIXED, Pair.COLOURED, Pair.PERFECT)
_KINDS: Final = [
    (one, other, PAIRS.index(Pair.of(card(Rank.ACE + first), card(Rank.ACE + second))))
    for (one, first), (other, second) in product(enumerate(Suit), enumerate(Suit))
]
"""For every two suits, which of `PAIRS` two cards of one rank make."""


def ways_of_a_pair(suits: Integers) -> Integers:
    """Ordered draws of two cards of one rank: by kind of pair and rank, from the cards left by suit and rank."""
    ways = np.zeros((*suits.shape[:-2], len(PAIRS), suits.shape[-1]), dtype=np.int64)
    for one, other, kind in _KINDS:
        ways[..., kind, :] += suits[..., one, :] * (suits[..., other, :] - (one == other))
    return ways


def ways_of_two_pairs(suits: Integers) -> Integers:
    """Ordered draws of two pairs of one rank, the second from what the first left: by both kinds and rank."""
    ways = np.zeros((*suits.shape[:-2], len(PAIRS), len(PAIRS), suits.shape[-1]), dtype=np.int64)
    for one, other, kind in _KINDS:
        drawn = suits[..., one, :] * (suits[..., other, :] - (one == other))
        rest = suits.copy()
        rest[..., one, :] -= 1
        rest[..., other, :] -= 1
        ways[..., kind, :, :] += drawn[..., None, :] * ways_of_a_pair(rest)
    return ways


def count(cards: NDArray[np.integer[Any]]) -> Integers:
    """A row of cards for each composition: sequences of six by Player's pair, Banker's, and whether they are alike."""
    suits = cards.reshape(-1, len(Suit), len(Rank)).astype(np.int64)
    size = suits.sum(axis=(1, 2))[:, None, None]
    one = ways_of_a_pair(suits)
    alike = ways_of_two_pairs(suits).sum(axis=-1)
    a_pair = one.sum(axis=-1)
    unlike = a_pair[:, :, None] * a_pair[:, None, :] - np.matmul(one, one.transpose(0, 2, 1))
    both = np.stack((unlike, alike), axis=-1)
    counts = np.zeros((len(suits), len(Pair), len(Pair), 2), dtype=np.int64)
    counts[:, 1:, 1:] = both
    one_hand = a_pair * ((size - 2) * (size - 3))[:, :, 0]
    counts[:, 1:, 0, 0] = one_hand - both.sum(axis=(2, 3))
    counts[:, 0, 1:, 0] = one_hand - both.sum(axis=(1, 3))
    starts = (size * (size - 1) * (size - 2) * (size - 3))[:, 0, 0]
    counts[:, 0, 0, 0] = starts - counts.sum(axis=(1, 2, 3))
    rest = np.where(size >= NEEDED, (size - 4) * (size - 5), 0)[..., None]
    counted: Integers = counts * rest
    return counted


def weights(cards: NDArray[np.integer[Any]], aspect: Aspect) -> Integers:
    """The same by `outcome_classes(aspect)`, for one that asks for both pairs and not for the ending."""
    counts = count(cards)
    return (counts if aspect.same_pair else counts.sum(axis=-1)).reshape(len(counts), -1)
