"""A hand: two or three cards, their count, and whether the first two are a natural or a pair."""

import enum

import msgspec

from sabot.rules.cards import Card


class Side(enum.StrEnum):
    """Which of the two hands. Player and Banker are hands, never persons."""

    PLAYER = "player"
    BANKER = "banker"


class Pair(enum.StrEnum):
    """The kind of pair that a hand's first two cards are (CROWN 1.1 "Baccarat Perfect Pairs").

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
    """The cards of one side, with their count, natural and pair."""

    cards: tuple[Card, ...]
    total: int
    """The last digit of the cards' points (CROWN 3.3, MBS 3.4, RWS 3.7)."""
    natural: bool
    """Two cards that count eight or nine (CROWN 1.1 "Natural"); three cards are never a natural."""
    pair: Pair

    @staticmethod
    def of(first: Card, second: Card, third: Card | None = None) -> "Hand":
        pair = Pair.of(first, second)
        if third is not None:
            return Hand((first, second, third), (first.points + second.points + third.points) % 10, False, pair)  # noqa: FBT003
        total = (first.points + second.points) % 10
        return Hand((first, second), total, total >= 8, pair)

    @property
    def third(self) -> Card | None:
        return self.cards[2] if len(self.cards) == 3 else None

    @property
    def title(self) -> str:
        """The count as announced; a count of zero is called Baccarat (CROWN 1.1 "Baccarat")."""
        return "Baccarat (0)" if self.total == 0 else str(self.total)
