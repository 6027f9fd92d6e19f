"""Simulated shoes with NumPy, thousands at a time; the C kernel returns the same counts.

Nothing is shuffled beforehand: each card is drawn when it is due, from the ranks not seen yet, which is equivalent to a
shuffle. Suits matter only for the kind of a pair, so they are drawn only for a pair, from the unseen suits of its rank.

Random numbers are words of SplitMix64, numbered from the seed. Each group of four shoes uses eight of them: four seed
its generator, an xoshiro256++ whose words hold 16 bits for each shoe, and one keys the suits. A card's index is
bits × unseen / 65536, rounded down; where the remainder is below 65536 mod unseen, which would favour some cards, the
group takes its next word. So a shoe depends only on the seed and its number, not on the shoes dealt with it.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from sabot.odds.dealing import BANKER_DRAWS_UP_TO, CARDS_OF_A_COUP, PLAYER_DRAWS_UP_TO, Dealing

BASIC_CELLS: Final = 400
CELLS: Final = 16 * BASIC_CELLS
"""By Player's kind of pair, Banker's, whether Player drew, whether Banker drew, Player's total, Banker's total."""

Counts = npt.NDArray[np.int64]
_Words = npt.NDArray[np.uint64]
_Numbers = npt.NDArray[np.int16]
_Mask = npt.NDArray[np.bool_]

ABREAST: Final = 8192
"""Few enough that the arrays fit a processor's second-level cache, many enough to outweigh NumPy's cost per call."""

_GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
_WORDS_OF_FOUR: Final = 8
_SUITS_WORD: Final = 4
_NO_CARD: Final = 0x7FFF
_UNKNOWN: Final = -1


def deal(dealing: Dealing, seed: int, first: int, shoes: int) -> Counts:
    """The coups of shoes number `first`, a multiple of four, and so many more, counted by cell."""
    assert first % 4 == 0
    counts = np.zeros(CELLS, dtype=np.int64)
    for start in range(first, first + shoes, ABREAST):
        counts += _Shoes(dealing, seed, start, min(ABREAST, first + shoes - start)).deal()
    return counts


def mixed(words: _Words) -> _Words:
    """The output function of SplitMix64."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def words_of(keys: _Words, numbers: _Words) -> _Words:
    """Words of SplitMix64 by their numbers, in the streams with these keys."""
    return mixed(keys + (numbers + np.uint64(1)) * _GOLDEN)


class _Stream:
    """xoshiro256++, one generator for each group of four shoes."""

    def __init__(self, states: _Words) -> None:
        self._states = states

    def next(self) -> npt.NDArray[np.uint16]:
        """16 random bits for each shoe."""
        words, self._states = _stepped(self._states)
        return words.astype("<u8", copy=False).view("<u2")

    def next_of(self, fours: npt.NDArray[np.intp]) -> npt.NDArray[np.uint16]:
        """The same for some groups only, a row for each; the generators of the others do not advance."""
        words, self._states[:, fours] = _stepped(self._states[:, fours])
        return words.astype("<u8", copy=False).view("<u2").reshape(-1, 4)


def _stepped(states: _Words) -> tuple[_Words, _Words]:
    a, b, c, d = states
    words = _rotated(a + d, 23) + a
    c, d = c ^ a, d ^ b
    return words, np.stack((a ^ d, b ^ c, c ^ (b << np.uint64(17)), _rotated(d, 45)))


def _rotated(words: _Words, by: int) -> _Words:
    return words << np.uint64(by) | words >> np.uint64(64 - by)


class _Shoes:
    """Shoes dealt coup by coup together, one per lane, until the last of them is over."""

    def __init__(self, dealing: Dealing, seed: int, first: int, shoes: int) -> None:
        fours = -(-shoes // 4)
        lanes = 4 * fours
        key = mixed(np.array([seed], dtype=np.uint64))
        starts = np.arange(first // 4, first // 4 + fours, dtype=np.uint64) * np.uint64(_WORDS_OF_FOUR)
        self._stream = _Stream(np.stack([words_of(key, starts + np.uint64(n)) for n in range(4)]))
        self._suits_keys = np.repeat(words_of(key, starts + np.uint64(_SUITS_WORD)), 4)
        self._dealing = dealing
        self._active = np.arange(lanes) < shoes
        self._totals = np.repeat(np.arange(1, 13, dtype=np.int16)[:, None] * np.int16(4 * dealing.decks), lanes, axis=1)
        """How many unseen cards have this rank or a lower one, from the ace to the queen."""
        self._unseen = np.full(lanes, dealing.cards, dtype=np.int16)
        """How many cards have not been seen, including those burned face down."""
        self._suits = np.full((13, lanes), dealing.decks * 0x04030201, dtype=np.uint32)
        """By rank, the unseen cards of each suit, as running totals in the four bytes of a word."""

    def deal(self) -> Counts:
        dealing, counts = self._dealing, np.zeros(CELLS, dtype=np.int64)
        position = np.ones(len(self._active), dtype=np.int16)
        if dealing.burns_by_face_value:
            shown = _points(self._draw(self._active))
            position += np.where(shown == 0, np.int16(10), shown)
        to_come = np.full(len(position), _UNKNOWN, dtype=np.int16)
        cutting_card, coup = dealing.cards - dealing.behind_cutting_card, 0
        while self._active.any():
            cells, used = self._coup(coup)
            counts += np.bincount(cells[self._active], minlength=CELLS)
            coup += 1
            if dealing.coups_a_shoe is not None:
                if coup == dealing.coups_a_shoe:
                    break
                continue
            position += used
            seen = (to_come == _UNKNOWN) & (position > cutting_card)
            to_come -= to_come > _UNKNOWN
            to_come[seen] = dealing.coups_after_cutting_card
            self._active &= (to_come != 0) & (dealing.cards - position >= CARDS_OF_A_COUP)
        return counts

    def _coup(self, number: int) -> tuple[npt.NDArray[np.intp], _Numbers]:
        """One coup of each shoe: its cell, and the number of its cards."""
        p1, b1, p2, b2 = (self._draw(self._active) for _ in range(4))
        player, banker = (_points(p1) + _points(p2)) % 10, (_points(b1) + _points(b2)) % 10
        no_natural = self._active & (player < 8) & (banker < 8)
        player_draws = no_natural & (player <= PLAYER_DRAWS_UP_TO)
        third = _points(self._draw(player_draws)) * player_draws
        column = (third + 1) * player_draws
        banker_draws = no_natural & (banker <= _BANKER_ROWS[column])
        sixth = _points(self._draw(banker_draws)) * banker_draws
        cells = (100 * (2 * player_draws.astype(np.int16) + banker_draws)).astype(np.intp)
        cells += 10 * ((player + third) % 10) + (banker + sixth) % 10
        cells += 4 * BASIC_CELLS * self._kinds(p1, (p1 == p2) & self._active, 2 * number)
        cells += BASIC_CELLS * self._kinds(b1, (b1 == b2) & self._active, 2 * number + 1)
        return cells, self._active * np.int16(4) + player_draws + banker_draws

    def _draw(self, who: _Mask) -> _Numbers:
        """The rank of a card drawn from each of these shoes. The others draw nothing; their entry is meaningless."""
        product = self._stream.next().astype(np.uint32) * self._unseen.astype(np.uint32)
        suspects = ((product & np.uint32(0xFFFF)) < self._unseen.view(np.uint16)) & who
        if suspects.any():
            self._redraw(product, np.flatnonzero(suspects))
        index = np.where(who, (product >> np.uint32(16)).astype(np.int16), np.int16(_NO_CARD))
        below = (index < self._totals).view(np.uint8)
        self._totals -= below
        self._unseen -= who
        ranks: _Numbers = np.int16(12) - below.sum(axis=0, dtype=np.int16)
        return ranks

    def _redraw(self, product: npt.NDArray[np.uint32], suspects: npt.NDArray[np.intp]) -> None:
        """Draw again for the shoes whose random bits would favour some cards."""
        while True:
            unseen = self._unseen[suspects].astype(np.uint32)
            suspects = suspects[(product[suspects] & np.uint32(0xFFFF)) < np.uint32(65536) % unseen]
            if not len(suspects):
                return
            fours, row = np.unique(suspects // 4, return_inverse=True)
            bits = self._stream.next_of(fours)[row, suspects % 4]
            product[suspects] = bits * self._unseen[suspects].astype(np.uint32)

    def _kinds(self, ranks: _Numbers, paired: _Mask, hand: int) -> npt.NDArray[np.intp]:
        """The kind of each hand's pair: 0 none, 1 mixed, 2 coloured, 3 perfect."""
        kinds = np.zeros(len(ranks), dtype=np.intp)
        lanes = np.flatnonzero(paired)
        paired_ranks = ranks[lanes]
        suits = self._suits[paired_ranks, lanes]
        first, second = self._suit_indices(suits >> np.uint32(24), lanes, hand)
        one, suits = _draw_suits(suits, first)
        other, suits = _draw_suits(suits, second)
        self._suits[paired_ranks, lanes] = suits
        # Suits of the same colour have numbers that add up to three: spades 0 and clubs 3, hearts 1 and diamonds 2.
        kinds[lanes] = np.where(one == other, 3, np.where(one + other == 3, 2, 1))
        return kinds

    def _suit_indices(
        self, left: npt.NDArray[np.uint32], lanes: npt.NDArray[np.intp], hand: int
    ) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
        """Two indices among the unseen suits: the halves of a word, each scaled like a card's bits."""
        coup, side = divmod(hand, 2)
        places = ((coup * 4 + lanes % 4) * 2 + side).astype(np.uint64)
        first, second = np.zeros((2, len(lanes)), dtype=np.uint32)
        waiting, attempt = np.arange(len(lanes)), 0
        while len(waiting):
            numbers = places[waiting] | np.uint64(attempt << 32)
            chance = words_of(self._suits_keys[lanes[waiting]], numbers)
            first[waiting], fair = _scaled(chance >> np.uint64(32), left[waiting])
            second[waiting], fair_too = _scaled(chance & np.uint64(0xFFFFFFFF), left[waiting] - np.uint32(1))
            waiting, attempt = waiting[~(fair & fair_too)], attempt + 1
        return first, second


_BANKER_ROWS: Final = np.array(BANKER_DRAWS_UP_TO, dtype=np.int16)


def _points(ranks: _Numbers) -> _Numbers:
    values = ranks + np.int16(1)
    return values * (values < 10)


def _scaled(chance: _Words, limits: npt.NDArray[np.uint32]) -> tuple[npt.NDArray[np.uint32], _Mask]:
    """An index below each limit from 32 random bits, and whether it is unbiased."""
    wide = limits.astype(np.uint64)
    product = chance * wide
    fair = (product & np.uint64(0xFFFFFFFF)) >= np.uint64(1 << 32) % wide
    return (product >> np.uint64(32)).astype(np.uint32), fair


def _draw_suits(
    suits: npt.NDArray[np.uint32], index: npt.NDArray[np.uint32]
) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
    """The suit with each index among the unseen, and the running totals without it; all four bytes at once."""
    beyond = (suits | np.uint32(0x80808080)) - (index + np.uint32(1)) * np.uint32(0x01010101)
    taken = (beyond & np.uint32(0x80808080)) >> np.uint32(7)
    return np.uint32(4) - (taken * np.uint32(0x01010101) >> np.uint32(24)), suits - taken
