"""The order of the cards in a shoe against that of a shuffled one: neighbours that are alike, and counts."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from sabot.basics.phrase import Phrase, phrase
from sabot.integrity.budget import threshold
from sabot.integrity.light import Kind
from sabot.integrity.lit import OneKind, Shown
from sabot.integrity.payoffs import Floats
from sabot.integrity.seen import ShoeSeen
from sabot.integrity.shoe_bets import CardsInTurn, ShoeMixture, is_readable
from sabot.integrity.tilts import BOTH_WAYS, CERTAIN, log_products

_CARDS: Final = np.arange(52)
RANKS: Final = _CARDS % 13
SUITS: Final = _CARDS // 13
SIZES: Final = np.where(RANKS > 8, 0, np.where(RANKS < 4, 1, 2))
"""Tens and court cards, ace to four, five to nine."""

RANK_TILTS: Final = (0.5, 0.9, 1.1, 2.0)
CARD_TILTS: Final = (0.5, 2.0)


def clumps(shoe: CardsInTurn) -> list[float]:
    """Neighbours of one suit or of one size, too often or too seldom."""
    return [*_alike(shoe, SUITS, 1), *_alike(shoe, SIZES, 1)]


def repeats(shoe: CardsInTurn) -> list[float]:
    """Equal ranks and equal cards next to each other or with one between them, too often or too seldom."""
    return [*_alike(shoe, RANKS, 1), *_alike(shoe, RANKS, 2), *_alike(shoe, _CARDS, 1)]


def counts(shoe: CardsInTurn) -> list[float]:
    """Ranks and cards that come too often or too seldom. A card beyond what the decks hold is certain."""
    cards: Floats = shoe.left / shoe.unseen[:, None]
    came = shoe.cards[:, None] == _CARDS
    ranks = cards.reshape(-1, 4, 13).sum(axis=1)
    came_ranks = came.reshape(-1, 4, 13).any(axis=1)
    bets = [*_flat(log_products(RANK_TILTS, ranks, came_ranks)), *_flat(log_products(CARD_TILTS, cards, came))]
    return [CERTAIN] * len(bets) if shoe.foreign else bets


def _alike(shoe: CardsInTurn, group: np.ndarray[tuple[int], np.dtype[np.intp]], lag: int) -> list[float]:
    chances, alike = shoe.alike(group, lag)
    return _flat(log_products(BOTH_WAYS, chances, alike))


def _flat(logs: Floats) -> list[float]:
    flat: list[float] = logs.ravel().tolist()
    return flat


class _OfShoes(OneKind):
    """A detector that looks at each shoe when it has ended."""

    form = ShoeMixture
    state: ShoeMixture

    def take_shoe(self, shoe: ShoeSeen) -> None:
        if is_readable(shoe):
            in_turn = CardsInTurn(shoe)
            if not in_turn.foreign or self.kind is Kind.CENSUS:  # Chances are not known with a card too many.
                self.state.multiply(self.bets(in_turn))

    def bets(self, shoe: CardsInTurn) -> list[float]:
        raise NotImplementedError

    def begin_day(self) -> None:
        self.state.begin_day(threshold(self.kind))

    def shown(self) -> Iterator[Shown]:
        evidence = self.state.evidence
        yield Shown("", 0, evidence.highest, evidence.coups, self._told)

    def _told(self) -> Phrase:
        return phrase(f"integrity_{self.kind}", shoes=self.state.evidence.coups)


class Clumps(_OfShoes):
    name = "clumps/1"
    kind = Kind.CLUMPS

    def bets(self, shoe: CardsInTurn) -> list[float]:
        return clumps(shoe)


class Repeats(_OfShoes):
    name = "repeats/1"
    kind = Kind.REPEATS

    def bets(self, shoe: CardsInTurn) -> list[float]:
        return repeats(shoe)


class CensusOfShoes(_OfShoes):
    name = "census/1"
    kind = Kind.CENSUS

    def bets(self, shoe: CardsInTurn) -> list[float]:
        return counts(shoe)
