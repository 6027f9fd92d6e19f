"""A hand: two or three cards, their count, and what the first two make of it."""

import enum

import msgspec

from sabot.rules.cards import Card


class Side(enum.StrEnum):
    """Whose hand it is. Player and Banker are hands, never persons."""

    PLAYER = "player"
    BANKER = "banker"


class Pair(enum.StrEnum):
    """What a hand's first two cards make of their ranks, suits and colours (CROWN 1.1 "Baccarat Perfect Pairs").

    Ranks pair, not points: a ten and a king count the same and are no pair (G-13).
    """

    NONE = "none"
    MIXED = "mixed"
    COLOURED = "coloured"
    PERFECT = "perfect"

    @staticmethod
    def of(first: Card, second: Card) -> "Pair":
        if first.rank is not second.rank:
            return Pair.NONE
        if first is second:
            return Pair.PERFECT
        return Pair.COLOURED if first.suit.colour is second.suit.colour else Pair.MIXED


class Hand(msgspec.Struct, frozen=True, gc=False):
    """The cards of one side and what follows from them."""

    cards: tuple[Card, ...]
    total: int
    """The last digit of the cards' points (CROWN 3.3, MBS 3.4, RWS 3.7)."""
    natural: bool
    """Two cards that count eight or nine (CROWN 1.1 "Natural"); three cards never do."""
    pair: Pair

    @staticmethod
    def of(first: Card, second: Card, third: Card | None = None) -> "Hand":
        pair = Pair.of(first, second)
        if third is not None:
            return Hand((first, second, third), (first.points + second.points + third.points) % 10, False, pair)  # noqa: FBT003
        total = (first.points + second.points) % 10
        return Hand((first, second), total, total >= 8, pair)

    @property
    def title(self) -> str:
        """A count of nought has the game's own name (CROWN 1.1 "Baccarat")."""
        return "Baccarat (0)" if self.total == 0 else str(self.total)
