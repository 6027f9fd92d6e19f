"""A composition: how many copies of each card a shoe still holds."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from sabot.basics.mistake import Mistake
from sabot.rules.cards import DECK, Card, Rank, card

NEEDED: Final = 6
"""A coup may need six cards, so no coup is played from fewer (G-20)."""

MOST_DECKS: Final = 12
"""The most that a rule set file may permit; the sequences of six cards from so many fit in a 64-bit integer."""

MOST_CARDS: Final = MOST_DECKS * len(DECK)

_PLACES: Final = {one: place for place, one in enumerate(DECK)}
_RANKS: Final = tuple(Rank)


class Composition(msgspec.Struct, frozen=True):
    """How many copies of each card are left, in the order of `DECK`: suit by suit, from the ace up.

    Where only ranks were counted, all cards of a rank are recorded as spades and `suits_known` is false; results that
    do not depend on suits are the same.
    """

    cards: tuple[int, ...]
    suits_known: bool = True

    @staticmethod
    def fresh(decks: int) -> "Composition":
        if not 1 <= decks <= MOST_DECKS:
            raise Mistake(f"a shoe holds 1 to {MOST_DECKS} decks, not {decks}")
        return Composition((decks,) * len(DECK))

    @staticmethod
    def of(cards: Iterable[Card]) -> "Composition":
        """The composition of exactly these cards."""
        held = Counter(cards)
        return Composition(tuple(held[one] for one in DECK))

    @staticmethod
    def read(counts: Mapping[str, int], decks: int) -> "Composition":
        """Read counts by card (`{"AS": 8}`) or by rank (`{"A": 32}`), never both, out of so many decks.

        A card or rank that is not named counts zero.
        """
        if not counts:
            raise Mistake('no card is named: write counts by card, such as {"AS":8}, or by rank, such as {"A":32}')
        by_rank = all(name.upper() in _RANKS for name in counts)
        read = _read_ranks(counts) if by_rank else _read_suited(counts)
        most = 4 * decks if by_rank else decks
        for name, count in zip((*_RANKS,) if by_rank else DECK, read, strict=False):
            if not 0 <= count <= most:
                raise Mistake(f"{count} of {name} cannot be left: {decks} decks hold 0 to {most} of it")
        return Composition(read, suits_known=not by_rank)

    def without(self, gone: Iterable[Card]) -> "Composition":
        """The same composition with these cards removed."""
        left = list(self.cards)
        for one in gone:
            place = _PLACES[one]
            if not left[place]:
                raise Mistake(f"{one} is not there to be taken out: no copy of it is left")
            left[place] -= 1
        return Composition(tuple(left), self.suits_known)

    def check_playable(self) -> None:
        size = sum(self.cards)
        if size < NEEDED:
            there_is = "1 card is" if size == 1 else f"{size} cards are"
            raise Mistake(f"only {there_is} left, and a coup may need {NEEDED}")
        if size > MOST_CARDS:
            raise Mistake(f"{size} cards are too many: a shoe of {MOST_DECKS} decks holds {MOST_CARDS}")

    @property
    def size(self) -> int:
        return sum(self.cards)

    @property
    def ranks(self) -> tuple[int, ...]:
        """How many cards of each rank, from the ace up."""
        spades, hearts, diamonds, clubs = (self.cards[suit : suit + 13] for suit in range(0, 52, 13))
        return tuple(map(sum, zip(spades, hearts, diamonds, clubs, strict=True)))

    @property
    def points(self) -> tuple[int, ...]:
        """How many cards there are of each point value, zero to nine."""
        ranks = self.ranks
        return (sum(ranks[9:]), *ranks[:9])


def _read_ranks(counts: Mapping[str, int]) -> tuple[int, ...]:
    by_rank: dict[str, int] = {}
    for name, count in counts.items():
        _say_once(by_rank, name.upper(), count)
    return tuple(by_rank.get(rank, 0) for rank in _RANKS) + (0,) * 39


def _read_suited(counts: Mapping[str, int]) -> tuple[int, ...]:
    by_card: dict[str, int] = {}
    for name, count in counts.items():
        if name.upper() in _RANKS:
            raise Mistake(f"{name} is a rank among cards: count all by card or all by rank")
        _say_once(by_card, card(name).notation, count)
    return tuple(by_card.get(one.notation, 0) for one in DECK)


def _say_once(said: dict[str, int], name: str, count: int) -> None:
    if name in said:
        raise Mistake(f"{name} is said twice")
    said[name] = count
