"""Patterns of cards, as a rule set file writes them: which first two cards, or which third card, a pay line asks for.

A set of cards is written as ranks, then suits; what is left out may be anything, and `*` is any card:

8        an eight              JQK      a face card            8S       the eight of spades
HD       a red card            KSC      a black king           *        any card

A start is two of them for a hand's first two cards, in either order, a word on their suits, or both:

9 JQK           a nine and a face card          suited          two cards of one suit
9 JQK suited    the same of one suit            red, black      two cards of that colour

A third card is one set, `suited` where all three cards of the hand are of one suit, or both: `8`, `suited`, `8 suited`.
"""

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Final, NamedTuple

from sabot.rules.cards import DECK, Card, Colour, Rank, Suit
from sabot.rules.hand import Hand

_ANY: Final = "*"
_SUITED: Final = "suited"
_COLOURS: Final = {str(colour): colour for colour in Colour}
_EVERY_CARD: Final = frozenset(DECK)

Signature = tuple[bool, ...]
"""Which of several patterns hold."""


class FirstTwo(NamedTuple):
    """What is asked of a hand's first two cards."""

    one: frozenset[Card]
    other: frozenset[Card]
    suits: str
    """`suited`, a colour, or nothing."""

    def holds(self, first: Card, second: Card) -> bool:
        if self.suits == _SUITED and first.suit is not second.suit:
            return False
        colour = _COLOURS.get(self.suits)
        if colour is not None and not first.suit.colour is second.suit.colour is colour:
            return False
        return (first in self.one and second in self.other) or (first in self.other and second in self.one)

    @property
    def asks_for_suits(self) -> bool:
        return bool(self.suits) or not (_is_of_ranks(self.one) and _is_of_ranks(self.other))

    def kind(self, card: Card) -> tuple[object, ...]:
        """Cards that agree in this can stand for one another."""
        suits = card.suit if self.suits == _SUITED else card.suit.colour if self.suits else None
        return card in self.one, card in self.other, suits


class ThirdCard(NamedTuple):
    """What is asked of a third card."""

    cards: frozenset[Card]
    suited: bool

    def holds(self, card: Card, suit: Suit | None) -> bool:
        """Given the suit that the first two cards have in common, if any."""
        return card in self.cards and (not self.suited or card.suit is suit)

    @property
    def asks_for_suits(self) -> bool:
        return self.suited or not _is_of_ranks(self.cards)

    def kind(self, card: Card) -> tuple[object, ...]:
        return card in self.cards, card.suit if self.suited else None


@cache
def start(text: str) -> FirstTwo:
    """Read one; a ValueError says what is wrong with it."""
    words = text.split()
    suits = words.pop() if words and words[-1] in (_SUITED, *_COLOURS) else ""
    if not suits and not words:
        raise ValueError("names no cards")
    if len(words) not in (0, 2):
        raise ValueError(f"{text!r} is not two cards: write two sets of cards, such as '9 JQK', or a word on suits")
    one, other = map(_cards, words or (_ANY, _ANY))
    read = FirstTwo(one, other, suits)
    if not any(read.holds(first, second) for first, second in product(DECK, DECK)):
        raise ValueError(f"{text!r} can never hold: no two cards are so")
    return read


@cache
def counts(text: str) -> frozenset[int]:
    """What two cards that are so can count."""
    read = start(text)
    return frozenset((a.points + b.points) % 10 for a, b in product(DECK, DECK) if read.holds(a, b))


@cache
def third(text: str) -> ThirdCard:
    """Read one; a ValueError says what is wrong with it."""
    words = text.split()
    suited = bool(words) and words[-1] == _SUITED
    words = words[: len(words) - suited]
    if len(words) > 1 or not (words or suited):
        raise ValueError(f"{text!r} is not one card: write a set of cards, such as '8', '8S' or '8 suited'")
    return ThirdCard(_cards(words[0]) if words else _EVERY_CARD, suited)


def _cards(word: str) -> frozenset[Card]:
    ranks = word.rstrip("".join(Suit))
    suits = word[len(ranks) :]
    if word != _ANY and (not word or not set(ranks) <= set(Rank)):
        raise ValueError(
            f"{word!r} is no set of cards: write ranks of {''.join(Rank)}, "
            f"then suits of {''.join(Suit)}, such as 8, JQK or 9S"
        )
    if word == _ANY:
        return _EVERY_CARD
    return frozenset(card for card in DECK if (not ranks or card.rank in ranks) and (not suits or card.suit in suits))


def _is_of_ranks(cards: frozenset[Card]) -> bool:
    """Whether it holds every suit of each of its ranks."""
    return len(cards) == 4 * len({card.rank for card in cards})


# What several patterns tell apart.


def suit_in_common(first: Card, second: Card) -> Suit | None:
    return first.suit if first.suit is second.suit else None


def start_signature(starts: Sequence[str], first: Card, second: Card) -> Signature:
    return tuple([start(text).holds(first, second) for text in starts])


def third_signature(thirds: Sequence[str], card: Card | None, suit: Suit | None) -> Signature:
    """All false for a hand that did not draw."""
    return tuple([card is not None and third(text).holds(card, suit) for text in thirds])


def signatures(hand: Hand, starts: Sequence[str], thirds: Sequence[str]) -> tuple[Signature, Signature]:
    first, second = hand.cards[:2]
    suit = suit_in_common(first, second)
    return start_signature(starts, first, second), third_signature(thirds, hand.third, suit)


@cache
def start_classes(starts: tuple[str, ...]) -> tuple[Signature, ...]:
    """Every signature that two cards can have; the one in which no pattern holds is first."""
    found = {start_signature(starts, first, second) for first, second in product(DECK, DECK)} if starts else set()
    return tuple(sorted(found | {(False,) * len(starts)}))


@cache
def third_classes(thirds: tuple[str, ...]) -> tuple[Signature, ...]:
    """Every signature that a third card can have; the one in which no pattern holds is first."""
    found = {third_signature(thirds, card, suit) for card in DECK for suit in (None, *Suit)}
    return tuple(sorted(found | {(False,) * len(thirds)}))
