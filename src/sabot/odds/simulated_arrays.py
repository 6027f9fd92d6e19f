"""Simulated shoes with NumPy, thousands at a time; the C kernel returns the same counts.

This is version 2 of the seed, to the bit. A shoe depends only on the seed and its number, not on the shoes dealt with
it.

Words are those of SplitMix64, numbered from the seed. Each group of four shoes uses eight of them: three seed its
generator, an SFC64 whose words hold 16 bits for each shoe; one keys the suits, and one keys what is drawn again. A word
with a key has the number attempt · 2³² + shoe · 2¹⁶ + place, where the shoe is that of the group.

*Piles.* A shoe is split into two piles, or four for more than eight decks. For each rank in turn words are taken until
they have a bit for each of its cards, alternating with words for a second bit where there are four piles. The bits say
which pile the card goes to. A split with a pile of more than 250 cards is made again, with the bits of words keyed for
that. A shoe is dealt from its first pile; before a coup, where fewer than six of its cards are left, the next is
joined.

*Cards.* Each coup takes six words, whether or not it uses all; a card shown for burning takes one. The index of the
card drawn from n unseen cards, in the order of their ranks, is bits · n / 65536, rounded down. A remainder below 65536
mod n would favour some cards; then the highest bits of keyed words are taken until one is fair. The fifth card is
Player's, or Banker's where Player stands.

*Suits.* A pair takes the upper half of a keyed word, 16 bits for each card; both are taken anew where one is unfair.
They are drawn from the unseen suits of the rank, where only the suits of pairs count as seen. Where a bet asks for
suits other than those of a pair, every card takes a keyed word instead, in the order of dealing, and the suits of all
cards count as seen: ranks and totals are the same, kinds of pairs are not.

This is equivalent to a shuffle. Given the sizes of the piles, each order of the shoe is equally likely. Unseen cards
are exchangeable, so those left of a pile may be mixed into the next.
"""

from functools import cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from sabot.odds.dealing import BANKER_DRAWS_UP_TO, CARDS_OF_A_COUP, PLAYER_DRAWS_UP_TO, Dealing
from sabot.odds.outcome_class import shape
from sabot.rules.aspect import Aspect
from sabot.rules.cards import DECK, Suit
from sabot.rules.hand import Pair
from sabot.rules.pattern import start_classes, start_signature, third_classes, third_signature

SEED_VERSION: Final = 2
"""Which way of dealing a seed stands for. A change of a single bit is a new version."""

BASIC_CELLS: Final = 400
CELLS: Final = 16 * BASIC_CELLS
"""By Player's kind of pair, Banker's, whether Player drew, whether Banker drew, Player's total, Banker's total."""

Counts = npt.NDArray[np.int64]
_Words = npt.NDArray[np.uint64]
_Bytes = npt.NDArray[np.uint8]
_Wide = npt.NDArray[np.uint32]
_Mask = npt.NDArray[np.bool_]
_Places = npt.NDArray[np.intp]

ABREAST: Final = 8192
"""Few enough that the arrays fit a processor's second-level cache, many enough to outweigh NumPy's cost per call."""

MOST_OF_A_PILE: Final = 250
_MOST_OF_TWO_PILES: Final = 8 * 52
_GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
_WORDS_OF_FOUR: Final = 8
_SUITS_WORD: Final = 4
_AGAIN_WORD: Final = 5
_SPLIT_PLACE: Final = 0x8000
_CARD_PLACE: Final = 0x4000
"""The places of keyed words for the suits of single cards begin here."""
_UNKNOWN: Final = -1


def classes_of(told_apart: Aspect) -> int:
    """The number of cells, where each is divided by what else is told apart."""
    return int(np.prod(shape(told_apart)))


def deal(dealing: Dealing, seed: int, first: int, shoes: int) -> Counts:
    """The coups of shoes number `first`, a multiple of four, and so many more, counted by cell."""
    assert first % 4 == 0
    counts = np.zeros(classes_of(dealing.told_apart), dtype=np.int64)
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
    """SFC64, one generator for each group of four shoes."""

    def __init__(self, a: _Words, b: _Words, c: _Words) -> None:
        self._a, self._b, self._c = a, b, c
        self._count = np.uint64(1)

    def next(self) -> npt.NDArray[np.uint16]:
        """16 random bits for each shoe."""
        b, c = self._b, self._c
        words = self._a + b + self._count
        self._count += np.uint64(1)
        self._a, self._b = b ^ b >> np.uint64(11), c + (c << np.uint64(3))
        self._c = (c << np.uint64(24) | c >> np.uint64(40)) + words
        return words.astype("<u8", copy=False).view("<u2")


class _Shoes:
    """Shoes dealt coup by coup together, one per lane, until the last of them is over."""

    def __init__(self, dealing: Dealing, seed: int, first: int, shoes: int) -> None:
        fours = -(-shoes // 4)
        lanes = 4 * fours
        key = mixed(np.array([seed], dtype=np.uint64))
        starts = np.arange(first // 4, first // 4 + fours, dtype=np.uint64) * np.uint64(_WORDS_OF_FOUR)
        self._stream = _Stream(*(words_of(key, starts + np.uint64(n)) for n in range(3)))
        self._suits_keys = np.repeat(words_of(key, starts + np.uint64(_SUITS_WORD)), 4)
        self._again_keys = np.repeat(words_of(key, starts + np.uint64(_AGAIN_WORD)), 4)
        self._dealing = dealing
        self._active = np.arange(lanes) < shoes
        self._piles = self._split(lanes)
        """By pile, rank and lane, how many cards there are."""
        self._sizes = self._piles.sum(axis=1, dtype=np.uint8)
        self._totals = np.cumsum(self._piles[0, :-1], axis=0, dtype=np.uint8)
        """How many unseen cards of the joined piles have this rank or a lower one, from the ace to the queen."""
        self._unseen = self._sizes[0].copy()
        """How many cards of the joined piles have not been seen."""
        self._joined = np.zeros(lanes, dtype=np.uint8)
        self._suits = np.full((13, lanes), dealing.decks * 0x04030201, dtype=np.uint32)
        """By rank, the unseen cards of each suit, as running totals in the four bytes of a word."""

    def _split(self, lanes: int) -> _Bytes:
        copies, levels = 4 * self._dealing.decks, 1 if self._dealing.cards <= _MOST_OF_TWO_PILES else 2
        piles = np.zeros((4, 13, lanes), dtype=np.uint8)
        none = np.zeros(lanes, dtype=np.uint16)
        for rank in range(13):
            for cards in range(copies, 0, -16):
                mask = np.uint16((1 << min(cards, 16)) - 1)
                x = self._stream.next() & mask
                y = self._stream.next() & mask if levels == 2 else none
                for pile, bits in enumerate((~x & ~y & mask, x & ~y, ~x & y, x & y)):
                    piles[pile, rank] += np.bitwise_count(bits)
        uneven = piles.sum(axis=1, dtype=np.uint16).max(axis=0) > MOST_OF_A_PILE
        for lane in np.flatnonzero(uneven):
            piles[:, :, lane] = self._split_again(int(lane), copies, levels)
        return piles

    def _split_again(self, lane: int, copies: int, levels: int) -> _Bytes:
        key, mask, ranks = self._again_keys[lane : lane + 1], np.uint64((1 << copies) - 1), np.arange(13) << 1
        attempt = 0
        while True:
            place = (attempt << 32 | (lane % 4) << 16 | _SPLIT_PLACE) + ranks
            x = words_of(key, place.astype(np.uint64)) & mask
            y = words_of(key, (place + 1).astype(np.uint64)) & mask if levels == 2 else np.zeros(13, dtype=np.uint64)
            piles: _Bytes = np.bitwise_count(np.stack((~x & ~y & mask, x & ~y, ~x & y, x & y)))
            if piles.sum(axis=1).max() <= MOST_OF_A_PILE:
                return piles
            attempt += 1

    def deal(self) -> Counts:
        dealing, counts = self._dealing, np.zeros(classes_of(self._dealing.told_apart), dtype=np.int64)
        position = np.ones(len(self._active), dtype=np.int16)
        if dealing.burns_by_face_value:
            shown = _POINTS[self._draw(self._indices(1, 0)[0], self._active)]
            self._unseen -= self._active
            position += np.where(shown == 0, np.int16(10), shown)
        to_come = np.full(len(position), _UNKNOWN, dtype=np.int16)
        cutting_card, coup = dealing.cards - dealing.behind_cutting_card, 0
        while self._active.any():
            cells, used = self._coup(coup)
            counts += np.bincount(cells[self._active], minlength=len(counts))
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

    def _coup(self, number: int) -> tuple[_Places, _Bytes]:
        """One coup of each shoe: its cell, and the number of its cards."""
        indices = self._indices(CARDS_OF_A_COUP, number + 1)
        p1, b1, p2, b2 = (self._draw(index, self._active) for index in indices[:4])
        player, banker = (_POINTS[p1] + _POINTS[p2]) % 10, (_POINTS[b1] + _POINTS[b2]) % 10
        no_natural = self._active & (player < 8) & (banker < 8)
        player_draws = no_natural & (player <= PLAYER_DRAWS_UP_TO)
        at_once = no_natural & ~player_draws & (banker <= BANKER_DRAWS_UP_TO[0])
        fifth_card = self._draw(indices[4], player_draws | at_once)
        fifth = _POINTS[fifth_card]
        then = player_draws & (banker <= _BANKER_ROWS[fifth + 1])
        sixth_card = self._draw(indices[5], then)
        sixth = _POINTS[sixth_card]
        banker_draws = at_once | then
        cells = (100 * (2 * player_draws.astype(np.int16) + banker_draws)).astype(np.intp)
        cells += 10 * ((player + fifth * player_draws) % 10) + (banker + fifth * at_once + sixth * then) % 10
        hands = (
            _Hand(p1, p2, fifth_card, player_draws),
            _Hand(b1, b2, np.where(at_once, fifth_card, sixth_card), banker_draws),
        )
        if self._dealing.told_apart.asks_for_suits:
            hands = self._with_suits(*hands, number)
            kinds = [_KIND_OF_PAIR[hand.first, hand.second] for hand in hands]
        else:
            kinds = [
                self._kinds(hand.first, (hand.first == hand.second) & self._active, 2 * number + side)
                for side, hand in enumerate(hands)
            ]
        cells += 4 * BASIC_CELLS * kinds[0] + BASIC_CELLS * kinds[1]
        if self._dealing.told_apart.is_finer:
            same = (p1 == p2) & (b1 == b2) & (p1 == b1)
            cells = _divided(cells, self._dealing.told_apart, same, hands)
        used = self._active * np.uint8(4) + player_draws + banker_draws
        self._unseen -= used
        return cells, used

    def _indices(self, draws: int, number: int) -> _Bytes:
        """The indices of so many cards, to be drawn one after the other."""
        self._join()
        unseen = self._unseen.astype(np.uint32) - np.arange(draws, dtype=np.uint32)[:, None]
        product = np.stack([self._stream.next() for _ in range(draws)]) * unseen
        suspects = ((product & np.uint32(0xFFFF)) < unseen) & self._active
        if suspects.any():
            self._draw_again(product, unseen, suspects, number)
        indices: _Bytes = (product >> np.uint32(16)).astype(np.uint8)
        return indices

    def _join(self) -> None:
        """Where fewer cards than a coup may need are left of the piles in use, join the next pile to them."""
        for pile in range(1, 4):
            lanes = np.flatnonzero((self._unseen < CARDS_OF_A_COUP) & (self._joined == pile - 1))
            self._totals[:, lanes] += np.cumsum(self._piles[pile, :-1][:, lanes], axis=0, dtype=np.uint8)
            self._unseen[lanes] += self._sizes[pile, lanes]
            self._joined[lanes] += np.uint8(1)

    def _draw_again(self, product: _Wide, unseen: _Wide, suspects: _Mask, number: int) -> None:
        """Draw again where the random bits would favour some cards."""
        draws, lanes = np.nonzero(suspects)
        places = ((lanes % 4) << 16 | 8 * number + draws).astype(np.uint64)
        attempt = 0
        while True:
            limits = unseen[draws, lanes]
            unfair = (product[draws, lanes] & np.uint32(0xFFFF)) < np.uint32(65536) % limits
            if not unfair.any():
                return
            draws, lanes, places = draws[unfair], lanes[unfair], places[unfair]
            words = words_of(self._again_keys[lanes], places | np.uint64(attempt << 32))
            product[draws, lanes] = (words >> np.uint64(48)).astype(np.uint32) * limits[unfair]
            attempt += 1

    def _draw(self, drawn: _Bytes, who: _Mask) -> _Bytes:
        """The rank of a card drawn from each of these shoes. The others draw nothing; their entry is meaningless."""
        below = (np.where(who, drawn, np.uint8(255)) < self._totals).view(np.uint8)
        self._totals -= below
        ranks: _Bytes = np.uint8(12) - below.sum(axis=0, dtype=np.uint8)
        return ranks

    def _kinds(self, ranks: _Bytes, paired: _Mask, place: int) -> _Places:
        """The kind of each hand's pair: 0 none, 1 mixed, 2 coloured, 3 perfect."""
        kinds = np.zeros(len(ranks), dtype=np.intp)
        lanes = np.flatnonzero(paired)
        paired_ranks = ranks[lanes]
        suits = self._suits[paired_ranks, lanes]
        first, second = self._suit_indices(suits >> np.uint32(24), lanes, place)
        one, suits = _draw_suits(suits, first)
        other, suits = _draw_suits(suits, second)
        self._suits[paired_ranks, lanes] = suits
        # Suits of the same colour have numbers that add up to three: spades 0 and clubs 3, hearts 1 and diamonds 2.
        kinds[lanes] = np.where(one == other, 3, np.where(one + other == 3, 2, 1))
        return kinds

    def _with_suits(self, player: "_Hand", banker: "_Hand", number: int) -> "tuple[_Hand, _Hand]":
        """The hands with cards in place of ranks, each with a suit drawn from the unseen ones of its rank."""
        alone = banker.drew & ~player.drew
        dealt = [
            *((player.first, self._active), (banker.first, self._active)),
            *((player.second, self._active), (banker.second, self._active)),
            (np.where(alone, banker.third, player.third), player.drew | alone),
            (banker.third, banker.drew & player.drew),
        ]
        p1, b1, p2, b2, fifth, sixth = (
            ranks + np.uint8(13) * self._suit(ranks, who, _CARD_PLACE + 8 * number + place)
            for place, (ranks, who) in enumerate(dealt)
        )
        return _Hand(p1, p2, fifth, player.drew), _Hand(b1, b2, np.where(alone, fifth, sixth), banker.drew)

    def _suit(self, ranks: _Bytes, who: _Mask, place: int) -> _Bytes:
        """The number of the suit of one card in each of these shoes; zero in the others."""
        lanes = np.flatnonzero(who)
        suits = self._suits[ranks[lanes], lanes]
        places, index = ((lanes % 4) << 16 | place).astype(np.uint64), np.zeros(len(lanes), dtype=np.uint32)
        waiting, attempt = np.arange(len(lanes)), 0
        while len(waiting):
            words = words_of(self._suits_keys[lanes[waiting]], places[waiting] | np.uint64(attempt << 32))
            index[waiting], fair = _scaled(words >> np.uint64(48), suits[waiting] >> np.uint32(24))
            waiting, attempt = waiting[~fair], attempt + 1
        drawn, self._suits[ranks[lanes], lanes] = _draw_suits(suits, index)
        numbers = np.zeros(len(ranks), dtype=np.uint8)
        numbers[lanes] = drawn
        return numbers

    def _suit_indices(self, left: _Wide, lanes: _Places, place: int) -> tuple[_Wide, _Wide]:
        """Two indices among the unseen suits, scaled like those of cards."""
        places = ((lanes % 4) << 16 | place).astype(np.uint64)
        first, second = np.zeros((2, len(lanes)), dtype=np.uint32)
        waiting, attempt = np.arange(len(lanes)), 0
        while len(waiting):
            words = words_of(self._suits_keys[lanes[waiting]], places[waiting] | np.uint64(attempt << 32))
            first[waiting], fair = _scaled(words >> np.uint64(32) & np.uint64(0xFFFF), left[waiting])
            second[waiting], fair_too = _scaled(words >> np.uint64(48), left[waiting] - np.uint32(1))
            waiting, attempt = waiting[~(fair & fair_too)], attempt + 1
        return first, second


_POINTS: Final = np.array([*range(1, 10), 0, 0, 0, 0], dtype=np.uint8)
_BANKER_ROWS: Final = np.array(BANKER_DRAWS_UP_TO, dtype=np.uint8)


class _Hand(NamedTuple):
    """One hand of every shoe. Cards are numbered as in `DECK`; where no bet asks for suits, all are spades."""

    first: _Bytes
    second: _Bytes
    third: _Bytes
    drew: _Mask


_KIND_OF_PAIR: Final = np.array([[tuple(Pair).index(Pair.of(one, other)) for other in DECK] for one in DECK])


def _divided(cells: _Places, told_apart: Aspect, same: _Mask, hands: tuple[_Hand, _Hand]) -> _Places:
    """The cells divided by pairs of one rank, first two cards and third cards, in the order of outcome classes."""
    divided = cells // BASIC_CELLS
    if told_apart.same_pair:
        divided = 2 * divided + same
    for hand, starts in zip(hands, (told_apart.player_starts, told_apart.banker_starts), strict=True):
        divided = divided * len(start_classes(starts)) + _start_places(starts)[hand.first, hand.second]
    for hand, thirds in zip(hands, (told_apart.player_thirds, told_apart.banker_thirds), strict=True):
        suit = np.where(hand.first // 13 == hand.second // 13, hand.first // 13, len(Suit))
        place = np.where(hand.drew, _third_places(thirds)[suit, hand.third], 0)
        divided = divided * len(third_classes(thirds)) + place
    whole: _Places = divided * BASIC_CELLS + cells % BASIC_CELLS
    return whole


@cache
def _start_places(starts: tuple[str, ...]) -> _Places:
    """By two cards, the place of their signature."""
    classes = start_classes(starts)
    return np.array([[classes.index(start_signature(starts, one, other)) for other in DECK] for one in DECK])


@cache
def _third_places(thirds: tuple[str, ...]) -> _Places:
    """By the suit of the first two cards, the last for none in common, and the third card."""
    classes = third_classes(thirds)
    return np.array([[classes.index(third_signature(thirds, one, suit)) for one in DECK] for suit in (*Suit, None)])


def _scaled(bits: _Words, limits: _Wide) -> tuple[_Wide, _Mask]:
    """An index below each limit from 16 random bits, and whether it is fair."""
    product = bits.astype(np.uint32) * limits
    return product >> np.uint32(16), (product & np.uint32(0xFFFF)) >= np.uint32(65536) % limits


def _draw_suits(suits: _Wide, index: _Wide) -> tuple[_Wide, _Wide]:
    """The suit with each index among the unseen, and the running totals without it; all four bytes at once."""
    beyond = (suits | np.uint32(0x80808080)) - (index + np.uint32(1)) * np.uint32(0x01010101)
    taken = (beyond & np.uint32(0x80808080)) >> np.uint32(7)
    return np.uint32(4) - (taken * np.uint32(0x01010101) >> np.uint32(24)), suits - taken
