"""Dealing a shoe whose order is given: burn, coups, cutting card, last coup."""

from collections.abc import Iterator, Sequence

import msgspec

from sabot.rules.cards import DECK, Card
from sabot.rules.coup import Coup, read_in_shoe_order
from sabot.rules.rule_set import ShoeProcedure


class Burned(msgspec.Struct, frozen=True):
    cards: tuple[Card, ...]
    shown: Card | None
    """The first card, where the procedure shows it."""


class Dealt(msgspec.Struct, frozen=True):
    number: int
    coup: Coup
    cutting_card_seen: bool
    """Whether the cutting card showed during this coup or, for the first time, in place of its first card."""
    last: bool


def full_shoe(decks: int) -> tuple[Card, ...]:
    """The cards of so many decks, in order, not shuffled."""
    return DECK * decks


def burn(cards: Sequence[Card], *, by_face_value: bool) -> Burned:
    """The cards that leave the shoe before play: one (CROWN 3.8.1), or a shown card and its face value in others
    (CROWN 3.8.2); the shown card is burned too (G-23).
    """
    first = cards[0]
    if not by_face_value:
        return Burned((first,), None)
    return Burned(tuple(cards[: 1 + first.rank.burn_value]), first)


def deal_shoe(cards: Sequence[Card], rules: ShoeProcedure, burned: int, behind_cutting_card: int) -> Iterator[Dealt]:
    """Deal coups after the burn until the last coup, which the cutting card determines.

    A cutting card that shows in place of a coup's first card shows during that coup, and one more follows (G-18).
    Coups stop early when fewer than six cards are left, because a coup may need six (G-20).
    """
    cutting_card = len(cards) - behind_cutting_card
    position, number, to_come = burned, 0, None
    while to_come != 0 and len(cards) - position >= 6:
        number += 1
        coup, _ = read_in_shoe_order(cards[position : position + 6])
        position += len(coup.cards)
        seen = to_come is None and position > cutting_card
        to_come = rules.coups_after_cutting_card if seen else to_come if to_come is None else to_come - 1
        last = to_come == 0 or len(cards) - position < 6
        yield Dealt(number, coup, seen, last)
