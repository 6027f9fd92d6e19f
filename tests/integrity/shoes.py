"""Shoes and coups for the tests of detectors: shuffled ones with a given seed, and seen coups from figures."""

import random
from collections.abc import Mapping, Sequence
from functools import cache

from sabot.integrity.seen import CoupSeen, LateWager, ShoeSeen
from sabot.integrity.trial.night import complete
from sabot.odds.composition import Composition
from sabot.rules.shipped import rule_set
from sabot.rules.terms import Terms

DECKS = 8


@cache
def terms() -> Terms:
    return Terms(rule_set("crown-traditional"), DECKS)


def shuffled(chance: random.Random, decks: int = DECKS) -> list[int]:
    cards = list(range(52)) * decks
    chance.shuffle(cards)
    return cards


def coups_of(cards: Sequence[int], most: int = 100) -> list[tuple[int, ...]]:
    """The coups that are dealt from these cards, to the last twenty cards."""
    found: list[tuple[int, ...]] = []
    place = 0
    while place < len(cards) - 20 and len(found) < most:
        found.append(complete(list(cards[place : place + 6])))
        place += len(found[-1])
    return found


def coups_seen(
    coups: Sequence[tuple[int, ...]],
    shoe: int = 1,
    first: int = 1,
    dealer: str = "D1",
    stakes: Sequence[Mapping[str, Mapping[str, int]]] = (),
    late: Sequence[Mapping[str, Mapping[str, LateWager]]] = (),
) -> list[CoupSeen]:
    """The coups of a whole shoe as the records tell them, with nets that are the stakes, won or lost."""
    left = [DECKS] * 52
    found = []
    for number, cards in enumerate(coups):
        laid = stakes[number] if number < len(stakes) else {}
        found.append(
            CoupSeen(
                table="T1",
                coup=first + number,
                shoe=shoe,
                at_ms=number,
                dealer=dealer,
                confirmed_by=dealer,
                terms=terms(),
                unseen=Composition(tuple(left)),
                cards=cards,
                stakes=laid,
                nets=laid,
                late=late[number] if number < len(late) else {},
            )
        )
        for card in cards:
            left[card] -= 1
    return found


def shoe_seen(cards: Sequence[int], shoe: int = 1, decks: int = DECKS, *, virtual: bool = False) -> ShoeSeen:
    return ShoeSeen(
        table="T1", shoe=shoe, at_ms=0, decks=decks, virtual=virtual, whole=True, cards=tuple(cards), shuffled_by=""
    )
