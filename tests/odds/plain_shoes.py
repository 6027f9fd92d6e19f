"""A plain simulator, card by card, whose counts the C kernel and NumPy must both reproduce.

Random numbers are those that `simulated_arrays` specifies. Everything about baccarat comes from the rules: whose card
is due, what a pair is, when a shoe is over.
"""

from collections import Counter
from collections.abc import Iterator

import msgspec

from sabot.odds.dealing import Dealing
from sabot.rules.cards import Card, Rank, Suit, card
from sabot.rules.coup import Coup, next_card, read_coup
from sabot.rules.hand import Hand, Pair

_RANKS, _SUITS, _PAIRS = tuple(Rank), tuple(Suit), tuple(Pair)
_ALL_BITS = 2**64 - 1


class PlainShoe(msgspec.Struct):
    burned: int
    coups: list[Coup]


def deal_plainly(dealing: Dealing, seed: int, shoes: range) -> list[PlainShoe]:
    """Deal these shoes, coup by coup; the first number is a multiple of four."""
    assert shoes.start % 4 == 0
    return [
        shoe
        for first in range(shoes.start, shoes.stop, 4)
        for shoe in _Four(dealing, seed, first // 4, min(4, shoes.stop - first)).deal()
    ]


def cell_of(coup: Coup) -> int:
    """Player's pair, Banker's pair, Player drew, Banker drew, Player's total, Banker's total."""
    kinds = 4 * _PAIRS.index(coup.player.pair) + _PAIRS.index(coup.banker.pair)
    drew = 2 * (len(coup.player.cards) - 2) + len(coup.banker.cards) - 2
    return kinds * 400 + drew * 100 + coup.player.total * 10 + coup.banker.total


def _word(key: int, number: int) -> int:
    return _mixed(key + (number + 1) * 0x9E3779B97F4A7C15 & _ALL_BITS)


def _mixed(word: int) -> int:
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & _ALL_BITS
    word = (word ^ word >> 27) * 0x94D049BB133111EB & _ALL_BITS
    return word ^ word >> 31


def _generator(a: int, b: int, c: int) -> Iterator[list[int]]:
    """SFC64: 16 bits for each of four shoes at a time."""
    count = 1
    while True:
        word = a + b + count & _ALL_BITS
        yield [word >> 16 * lane & 0xFFFF for lane in range(4)]
        rotated = c << 24 & _ALL_BITS | c >> 40
        a, b, c, count = b ^ b >> 11, c + (c << 3) & _ALL_BITS, rotated + word & _ALL_BITS, count + 1


class _Shoe(msgspec.Struct):
    lane: int
    piles: list[Counter[Rank]]
    """Those that have not been joined yet."""
    unseen: Counter[Rank]
    unseen_suits: Counter[Card]
    position: int = 1
    to_come: int | None = None
    over: bool = False
    coups: list[Coup] = []


class _Four:
    """Four shoes that share a generator and so are dealt together, coup by coup."""

    def __init__(self, dealing: Dealing, seed: int, number: int, shoes: int) -> None:
        words = [_word(_mixed(seed), 8 * number + n) for n in range(6)]
        self._dealing = dealing
        self._generator, self._suits_key, self._again_key = _generator(*words[:3]), words[4], words[5]
        self._shoes = []
        for lane, piles in enumerate(self._split()):
            suits = Counter({card(rank + suit): dealing.decks for rank in _RANKS for suit in _SUITS})
            self._shoes.append(_Shoe(lane, piles[1:], piles[0], suits, over=lane >= shoes))

    def _split(self) -> list[list[Counter[Rank]]]:
        copies, levels = 4 * self._dealing.decks, 1 if self._dealing.decks <= 8 else 2
        of_ranks: list[list[list[int]]] = [[] for _ in range(4)]
        for _ in _RANKS:
            bits = [[0] * levels for _ in range(4)]
            for start in range(0, copies, 16):
                for level in range(levels):
                    for lane, more in enumerate(next(self._generator)):
                        bits[lane][level] |= more << start
            for lane in range(4):
                of_ranks[lane].append(bits[lane])
        return [self._piles(lane, of_ranks[lane], attempt=0) for lane in range(4)]

    def _piles(self, lane: int, of_ranks: list[list[int]], attempt: int) -> list[Counter[Rank]]:
        """The piles by the bits of each rank, or by keyed words where a pile would be too large."""
        piles = [Counter[Rank]() for _ in range(2 ** len(of_ranks[0]))]
        for rank, bits in zip(_RANKS, of_ranks, strict=True):
            for n in range(4 * self._dealing.decks):
                piles[sum((word >> n & 1) << level for level, word in enumerate(bits))][rank] += 1
        if max(pile.total() for pile in piles) <= 250:
            return piles
        again = [[self._again(lane, 0x8000 + 2 * n + m, attempt) for m in range(len(of_ranks[0]))] for n in range(13)]
        return self._piles(lane, again, attempt + 1)

    def _again(self, lane: int, place: int, attempt: int) -> int:
        return _word(self._again_key, attempt << 32 | lane << 16 | place)

    def deal(self) -> list[PlainShoe]:
        if self._dealing.burns_by_face_value:
            for shoe, indices in self._indices(1, 0):
                shoe.position += self._draw(shoe, indices[0]).burn_value
        burned = [shoe.position for shoe in self._shoes]
        number = 0
        while not all(shoe.over for shoe in self._shoes):
            for shoe, indices in self._indices(6, number + 1):
                self._coup(shoe, indices, number)
            number += 1
        return [PlainShoe(cards, shoe.coups) for cards, shoe in zip(burned, self._shoes, strict=True) if shoe.coups]

    def _indices(self, draws: int, number: int) -> list[tuple[_Shoe, list[int]]]:
        """For each shoe that is not over, the indices of so many cards."""
        bits = [next(self._generator) for _ in range(draws)]
        dealt = [shoe for shoe in self._shoes if not shoe.over]
        for shoe in dealt:
            while shoe.unseen.total() < 6 and shoe.piles:
                shoe.unseen += shoe.piles.pop(0)
        return [
            (shoe, [self._index(shoe, bits[n][shoe.lane], 8 * number + n, n) for n in range(draws)]) for shoe in dealt
        ]

    def _index(self, shoe: _Shoe, bits: int, place: int, draw: int) -> int:
        unseen = shoe.unseen.total() - draw
        for attempt in range(100):
            index, rest = divmod(bits * unseen, 65536)
            if rest >= 65536 % unseen:
                return index
            bits = self._again(shoe.lane, place, attempt) >> 48
        raise AssertionError("a hundred unfair words in a row")

    def _draw(self, shoe: _Shoe, index: int) -> Rank:
        rank = sorted(shoe.unseen.elements(), key=_RANKS.index)[index]
        shoe.unseen[rank] -= 1
        return rank

    def _coup(self, shoe: _Shoe, indices: list[int], number: int) -> None:
        """The cards are laid as the rules demand them. Mostly the suits of a hand that is no pair do not matter."""
        laid: list[Card] = []
        while next_card(laid) is not None:
            laid.append(card(self._draw(shoe, indices[len(laid)]) + "S"))
        if self._dealing.told_apart.asks_for_suits:
            coup = read_coup([self._card(one.rank, shoe, 0x4000 + 8 * number + n) for n, one in enumerate(laid)])
        else:
            coup = self._with_suits(read_coup(laid), shoe, number)
        shoe.position += len(coup.cards)
        shoe.coups.append(coup)
        self._end_or_go_on(shoe)

    def _with_suits(self, coup: Coup, shoe: _Shoe, number: int) -> Coup:
        """The coup with the suits of its pairs drawn; no suit of another hand matters."""
        hands = []
        for side, hand in enumerate((coup.player, coup.banker)):
            pair = Pair.NONE
            if hand.cards[0].rank is hand.cards[1].rank:
                pair = self._pair(hand.cards[0].rank, shoe, 2 * number + side)
            hands.append(Hand(hand.cards, hand.total, hand.natural, pair))
        return msgspec.structs.replace(coup, player=hands[0], banker=hands[1])

    def _card(self, rank: Rank, shoe: _Shoe, place: int) -> Card:
        """One of the unseen cards of the rank, where every card has its suit drawn."""
        of_rank = [one for one in shoe.unseen_suits.elements() if one.rank is rank]
        of_rank.sort(key=lambda one: _SUITS.index(one.suit))
        for attempt in range(100):
            word = _word(self._suits_key, attempt << 32 | shoe.lane << 16 | place)
            index, rest = divmod((word >> 48) * len(of_rank), 65536)
            if rest >= 65536 % len(of_rank):
                shoe.unseen_suits[of_rank[index]] -= 1
                return of_rank[index]
        raise AssertionError("a hundred unfair words in a row")

    def _pair(self, rank: Rank, shoe: _Shoe, place: int) -> Pair:
        of_rank = [one for one in shoe.unseen_suits.elements() if one.rank is rank]
        of_rank.sort(key=lambda one: _SUITS.index(one.suit))
        for attempt in range(100):
            word = _word(self._suits_key, attempt << 32 | shoe.lane << 16 | place)
            first, rest = divmod((word >> 32 & 0xFFFF) * len(of_rank), 65536)
            second, other_rest = divmod((word >> 48) * (len(of_rank) - 1), 65536)
            if rest >= 65536 % len(of_rank) and other_rest >= 65536 % (len(of_rank) - 1):
                one = of_rank.pop(first)
                other = of_rank.pop(second)
                shoe.unseen_suits.subtract((one, other))
                return Pair.of(one, other)
        raise AssertionError("a hundred unfair words in a row")

    def _end_or_go_on(self, shoe: _Shoe) -> None:
        """As in `rules.shoe.deal_shoe`; a test compares the two."""
        dealing = self._dealing
        if dealing.coups_a_shoe is not None:
            shoe.over = len(shoe.coups) == dealing.coups_a_shoe
            return
        if shoe.to_come is not None:
            shoe.to_come -= 1
        elif shoe.position > dealing.cards - dealing.behind_cutting_card:
            shoe.to_come = dealing.coups_after_cutting_card
        shoe.over = shoe.to_come == 0 or dealing.cards - shoe.position < 6
