"""The 52 cards and their notation: rank then suit, `AS TD 9H KC`, T for ten, lower case accepted.

Each card is one object, made here once, so that comparing two cards is comparing identities. A shoe holds several
copies of a card; `check_copies` checks how many, given the number of decks.
"""

import enum
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from sabot.basics.mistake import Mistake


class Colour(enum.StrEnum):
    RED = "red"
    BLACK = "black"


class Suit(enum.StrEnum):
    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"

    @property
    def colour(self) -> Colour:
        return Colour.RED if self in (Suit.HEARTS, Suit.DIAMONDS) else Colour.BLACK

    @property
    def symbol(self) -> str:
        return "♠♥♦♣"["SHDC".index(self)]


class Rank(enum.StrEnum):
    ACE = "A"
    TWO = "2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    SIX = "6"
    SEVEN = "7"
    EIGHT = "8"
    NINE = "9"
    TEN = "T"
    JACK = "J"
    QUEEN = "Q"
    KING = "K"

    @property
    def points(self) -> int:
        """Ace one, two to nine their face, ten and court cards nothing (CROWN 3.2, MBS 3.3, RWS 3.7)."""
        return 1 if self is Rank.ACE else int(self) if self.isdigit() else 0

    @property
    def burn_value(self) -> int:
        """How many cards a shown first card burns: its face, ten for ten and court cards (CROWN 3.8.2)."""
        return self.points or 10


class Card:
    """One of the 52. `card` and `read_cards` give a card by its notation; no other is ever made."""

    __slots__ = ("notation", "points", "rank", "suit")

    rank: Rank
    suit: Suit
    points: int
    notation: str

    def __init__(self, rank: Rank, suit: Suit) -> None:
        for name, value in (("rank", rank), ("suit", suit), ("points", rank.points), ("notation", f"{rank}{suit}")):
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{self.notation} does not change")

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return card, (self.notation,)  # A copy or an unpickled card is the same object again.

    def __str__(self) -> str:
        return self.notation

    def __repr__(self) -> str:
        return self.notation


DECK: Final[tuple[Card, ...]] = tuple(Card(rank, suit) for suit in Suit for rank in Rank)
"""One deck in order. A shoe is several of these, without jokers (CROWN 3.1, MBS 2.1, RWS 2.2.1)."""

CARDS: Final[dict[str, Card]] = {
    written: card
    for card in DECK
    for written in (card.notation, card.notation.lower(), card.rank + card.suit.lower(), card.rank.lower() + card.suit)
}
"""Every accepted notation of every card; `card` explains what is wrong with any other."""

_WHAT_A_CARD_IS = "a card is a rank A 2 3 4 5 6 7 8 9 T J Q K and then a suit S H D C, such as AS or TD"


def card(token: str) -> Card:
    """The card that `token` names."""
    try:
        return CARDS[token]
    except KeyError:
        raise Mistake(f"{token!r} is not a card{_hint(token)}: {_WHAT_A_CARD_IS}") from None


def read_cards(tokens: Sequence[str]) -> tuple[Card, ...]:
    """The cards that `tokens` name, in order. The refusal of a token that is no card gives its place."""
    try:
        return tuple([CARDS[token] for token in tokens])
    except KeyError:
        place, token = next((n, token) for n, token in enumerate(tokens, 1) if token not in CARDS)
        raise Mistake(
            f"card {place} of {len(tokens)}, {token!r}, is not a card{_hint(token)}: {_WHAT_A_CARD_IS}"
        ) from None


_NEAR_MISSES = str.maketrans({"♠": "S", "♥": "H", "♡": "H", "♦": "D", "♢": "D", "♣": "C", "\ufe0f": ""})
"""Suits as they are printed, without the mark that makes a picture of them."""


_RANKS_WRITTEN_OUT = {"10": "T", "0": "T", "1": "A"}


def _hint(token: str) -> str:
    """The card that a near miss means: 10S, 1S, S9, 9♠; or what is missing: AX, 10, S."""
    plain = token.translate(_NEAR_MISSES).upper()
    for written in (plain, plain[1:] + plain[:1]):
        rank, suit = written[:-1], written[-1:]
        meant = CARDS.get(_RANKS_WRITTEN_OUT.get(rank, rank) + suit)
        if meant is not None:
            return f" (did you mean {meant}?)"
    if plain in tuple(Suit):
        return " (its rank is missing)"
    for rank, wrong in ((plain, ""), (plain[:-1], plain[-1:])):
        known = _RANKS_WRITTEN_OUT.get(rank, rank)
        if known in tuple(Rank):
            which = "its suit is missing" if not wrong else f"{wrong} is no suit"
            return f" ({which}: {', '.join(known + suit for suit in Suit)})"
    return " (no joker is in the shoe)" if plain.startswith("JOKER") else ""


def write_cards(cards: Iterable[Card]) -> str:
    return " ".join(card.notation for card in cards)


def check_copies(cards: Sequence[Card], decks: int) -> None:
    """Refuse a card that appears more often than the decks can hold: it is foreign or entered wrongly (G-30)."""
    if len(cards) <= decks:
        return
    card, copies = Counter(cards).most_common(1)[0]
    if copies > decks:
        raise Mistake(f"{card} appears {copies} times, but {decks} decks hold only {decks} of it")
