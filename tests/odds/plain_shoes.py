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


def _generator(a: int, b: int, c: int, d: int) -> Iterator[list[int]]:
    """xoshiro256++: 16 bits for each of four shoes at a time."""

    def rotated(word: int, by: int) -> int:
        return word << by & _ALL_BITS | word >> 64 - by

    while True:
        word = rotated(a + d & _ALL_BITS, 23) + a & _ALL_BITS
        yield [word >> 16 * lane & 0xFFFF for lane in range(4)]
        shifted = b << 17 & _ALL_BITS
        c, d = c ^ a, d ^ b
        a, b, c, d = a ^ d, b ^ c, c ^ shifted, rotated(d, 45)


class _Shoe(msgspec.Struct):
    unseen: Counter[Rank]
    unseen_suits: Counter[Card]
    position: int
    to_come: int | None = None
    over: bool = False
    laid: list[Card] = []
    coups: list[Coup] = []


class _Four:
    """Four shoes that share a generator and so are dealt together, card by card."""

    def __init__(self, dealing: Dealing, seed: int, number: int, shoes: int) -> None:
        key = _mixed(seed)
        words = [_word(key, 8 * number + n) for n in range(5)]
        self._dealing = dealing
        self._generator, self._suits_key = _generator(*words[:4]), words[4]
        self._shoes = [
            _Shoe(
                Counter(dict.fromkeys(_RANKS, 4 * dealing.decks)),
                Counter({card(rank + suit): dealing.decks for rank in _RANKS for suit in _SUITS}),
                position=1,
                over=lane >= shoes,
            )
            for lane in range(4)
        ]

    def deal(self) -> list[PlainShoe]:
        if self._dealing.burns_by_face_value:
            for lane, rank in self._draw([shoe.over for shoe in self._shoes]).items():
                self._shoes[lane].position += rank.burn_value
        burned = [shoe.position for shoe in self._shoes]
        number = 0
        while not all(shoe.over for shoe in self._shoes):
            self._coup(number)
            number += 1
        return [PlainShoe(cards, shoe.coups) for cards, shoe in zip(burned, self._shoes, strict=True) if shoe.coups]

    def _coup(self, number: int) -> None:
        for shoe in self._shoes:
            shoe.laid = []
        for _ in range(4):
            self._lay("player banker")
        self._lay("player")
        self._lay("banker")
        for lane, shoe in enumerate(self._shoes):
            if not shoe.over:
                coup = self._with_suits(read_coup(shoe.laid), lane, number)
                shoe.position += len(coup.cards)
                shoe.coups.append(coup)
                self._end_or_go_on(shoe)

    def _lay(self, sides: str) -> None:
        """Deal a card to every shoe where one of these hands is due one; its suit does not matter yet."""
        due = [None if shoe.over else next_card(shoe.laid) for shoe in self._shoes]
        for lane, rank in self._draw([one is None or one.side not in sides for one in due]).items():
            self._shoes[lane].laid.append(card(rank + "S"))

    def _draw(self, idle: list[bool]) -> dict[int, Rank]:
        drawn: dict[int, Rank] = {}
        waiting = [lane for lane in range(4) if not idle[lane]]
        bits = next(self._generator)
        while waiting:
            for lane in waiting:
                unseen = self._shoes[lane].unseen
                index, rest = divmod(bits[lane] * unseen.total(), 65536)
                if rest >= 65536 % unseen.total():
                    drawn[lane] = list(unseen.elements())[index]
                    unseen[drawn[lane]] -= 1
            waiting = [lane for lane in waiting if lane not in drawn]
            if waiting:
                bits = next(self._generator)
        return drawn

    def _with_suits(self, coup: Coup, lane: int, number: int) -> Coup:
        """The coup with the suits of its pairs drawn; no suit of another hand matters."""
        hands = []
        for side, hand in enumerate((coup.player, coup.banker)):
            pair = Pair.NONE
            if hand.cards[0].rank is hand.cards[1].rank:
                pair = self._pair(hand.cards[0].rank, lane, (number * 4 + lane) * 2 + side)
            hands.append(Hand(hand.cards, hand.total, hand.natural, pair))
        return msgspec.structs.replace(coup, player=hands[0], banker=hands[1])

    def _pair(self, rank: Rank, lane: int, place: int) -> Pair:
        unseen = self._shoes[lane].unseen_suits
        of_rank = [one for one in unseen.elements() if one.rank is rank]
        of_rank.sort(key=lambda one: _SUITS.index(one.suit))
        for attempt in range(100):
            word = _word(self._suits_key, attempt << 32 | place)
            first, rest = divmod((word >> 32) * len(of_rank), 2**32)
            second, other_rest = divmod((word & 0xFFFFFFFF) * (len(of_rank) - 1), 2**32)
            if rest >= 2**32 % len(of_rank) and other_rest >= 2**32 % (len(of_rank) - 1):
                one = of_rank.pop(first)
                other = of_rank.pop(second)
                unseen.subtract((one, other))
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
