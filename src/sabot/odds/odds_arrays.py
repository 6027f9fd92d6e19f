"""The exact odds of many compositions at once, as arrays.

Sequences are 64-bit integers: no shoe of up to twelve decks has more than 624·623·…·619, which is below 2**56. The net
of a bet over all sequences, in parts of its unit, is one too as long as its pay table allows it, and a Python integer
otherwise. A house edge is rounded correctly to double precision, and `exact_house_edge` has it as a fraction. The
kernel, NumPy and plain Python give the same arrays.
"""

from fractions import Fraction
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sabot.basics.mistake import Mistake
from sabot.odds import both_pairs
from sabot.odds.bet_odds import RuledPlaces
from sabot.odds.composition import MOST_CARDS, Composition
from sabot.odds.exact_arrays import Integers
from sabot.odds.exact_kernel import CardCounts
from sabot.odds.next_coup import NextCoup
from sabot.odds.study import COUNTED_AT_ONCE, Study, StudyOdds
from sabot.rules.terms import Outcome, Ruling

_BY_CARD, _BY_RANK = 52, 13
_LARGEST: Final = 2**63 - 1


class OddsArrays:
    """The odds of every bet on the next coup of each composition. Each array has an entry for each composition.

    A composition with fewer than six cards has no coup: its sequences are zero and its edges are not a number.
    """

    def __init__(self, study: Study, compositions: ArrayLike) -> None:
        """By card in the order of `DECK`, 52 columns, or by rank from the ace up, 13 columns.

        With ranks alone the bets that depend on suits are left out.
        """
        counts = _checked(np.asarray(compositions))
        self.suits_known = counts.shape[1] == _BY_CARD
        self.bets = tuple(study.bets if self.suits_known else study.of_ranks)
        self._study = study
        self._cards = _as_cards(counts)
        self._sums: Integers = np.ascontiguousarray(study.grouping.count_many(self._cards).T)
        self._counts: dict[str, Integers] = {}

    def __len__(self) -> int:
        return len(self._cards)

    @property
    def total(self) -> Integers:
        """The sequences of six cards."""
        total: Integers = self._sums[-1]
        return total

    def rulings(self, bet: str) -> tuple[Ruling, ...]:
        """In the order of the pay table."""
        return self._ruled(bet).rulings

    def counts(self, bet: str) -> Integers:
        """The sequences that lead to each ruling of a bet: a row for each ruling, a column for each composition."""
        if bet not in self._counts:
            ruled = self._ruled(bet)
            aspect = self._study.bets[bet].aspect
            if (aspect.ending or aspect.asks_for_cards) and aspect not in COUNTED_AT_ONCE:
                self._counts[bet] = self._counted_one_by_one(bet, len(ruled.rulings))
            else:
                sums = self._sums if aspect in COUNTED_AT_ONCE else both_pairs.weights(self._cards, aspect).T
                rows = [sums[list(places)].sum(axis=0) for places in ruled.places]
                self._counts[bet] = np.array(rows, dtype=np.int64).reshape(len(rows), len(self))
        return self._counts[bet]

    def sequences(self, bet: str, outcome: Outcome) -> Integers:
        """The sequences in which a bet has this outcome."""
        mine = [number for number, ruling in enumerate(self.rulings(bet)) if ruling.outcome is outcome]
        total: Integers = self.counts(bet)[mine].sum(axis=0)
        return total

    def house_edge(self, bet: str) -> NDArray[np.float64]:
        """The nearest double to the exact house edge."""
        numerators, denominators = self.house_edge_ratio(bet)
        return _rounded_quotients(numerators, denominators)

    def house_edge_ratio(self, bet: str) -> tuple[NDArray[Any], NDArray[Any]]:
        """The exact house edge as numerators and denominators, not in lowest terms; denominators of no coup are zero.

        They are 64-bit integers where the pay table allows it, and Python integers otherwise.
        """
        ruled, total = self._ruled(bet), self.total
        largest = max(ruled.unit, *map(abs, ruled.whole_nets)) * int(total.max(initial=0))
        kind: Any = np.int64 if largest <= _LARGEST else np.object_
        nets = np.array([-one for one in ruled.whole_nets], dtype=kind)
        numerators = (self.counts(bet).astype(kind, copy=False) * nets[:, None]).sum(axis=0)
        return numerators, total.astype(kind, copy=False) * ruled.unit

    def exact_house_edge(self, bet: str, number: int) -> Fraction:
        """The exact house edge of one composition."""
        self._check_playable(number)
        numerators, denominators = self.house_edge_ratio(bet)
        return Fraction(int(numerators[number]), int(denominators[number]))

    def odds(self, number: int) -> StudyOdds:
        """All odds of one composition in exact fractions, as `Study.odds` has them."""
        self._check_playable(number)
        sums = tuple(self._sums[:, number].tolist())
        return StudyOdds(self._study, NextCoup(self._composition(number)), sums)

    def _ruled(self, bet: str) -> RuledPlaces:
        if bet not in self.bets:
            raise Mistake(f"{bet} is not a bet that these compositions answer; there are {', '.join(self.bets)}")
        return self._study.ruled.get(bet) or self._study.bets[bet].ruled

    def _composition(self, number: int) -> Composition:
        return Composition(tuple(self._cards[number].tolist()), suits_known=self.suits_known)

    def _check_playable(self, number: int) -> None:
        self._composition(number).check_playable()

    def _counted_one_by_one(self, bet: str, rulings: int) -> Integers:
        """For a bet that depends on ending and pairs, or on third cards, which takes milliseconds a composition."""
        counts = np.zeros((rulings, len(self)), dtype=np.int64)
        for number in np.flatnonzero(self.total):
            counts[:, number] = self._study.bets[bet].odds(NextCoup(self._composition(int(number)))).counts
        return counts


def _checked(counts: NDArray[Any]) -> NDArray[Any]:
    if counts.ndim != 2 or counts.shape[1] not in (_BY_CARD, _BY_RANK):
        raise Mistake(f"compositions are rows of {_BY_CARD} cards or {_BY_RANK} ranks, not of the shape {counts.shape}")
    if counts.dtype.kind not in "iu":
        raise Mistake(f"cards are counted in whole numbers, not in {counts.dtype}")
    if counts.size:
        sizes = counts.sum(axis=1, dtype=np.int64)
        wrong = (counts.min(axis=1) < 0) | (counts.max(axis=1) > np.iinfo(np.uint8).max) | (sizes > MOST_CARDS)
        if wrong.any():
            number = int(wrong.argmax())
            raise Mistake(
                f"composition {number} (from 0) is no shoe: it holds 0 to {np.iinfo(np.uint8).max} of each card "
                f"and at most {MOST_CARDS} cards, not {int(sizes[number])}"
            )
    return counts


def _as_cards(counts: NDArray[Any]) -> CardCounts:
    if counts.shape[1] == _BY_CARD:
        return np.ascontiguousarray(counts, dtype=np.uint8)
    cards = np.zeros((len(counts), _BY_CARD), dtype=np.uint8)
    cards[:, :_BY_RANK] = counts
    return cards


def _rounded_quotients(numerators: NDArray[Any], denominators: NDArray[Any]) -> NDArray[np.float64]:
    """Quotients of integers, each rounded once; not a number where the denominator is zero.

    A processor rounds the quotient of two doubles correctly, so it serves where both integers are doubles exactly. That
    is nearly always so: totals have many factors of two. Python rounds the quotients of all others correctly.
    """
    if numerators.dtype == np.object_:
        return np.array(
            [n / d if d else np.nan for n, d in zip(numerators, denominators, strict=True)], dtype=np.float64
        )
    above, below = numerators.astype(np.float64), denominators.astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        quotients: NDArray[np.float64] = above / below
        exactly = (above.astype(np.int64) == numerators) & (below.astype(np.int64) == denominators)
    for number in np.flatnonzero(~exactly):
        quotients[number] = int(numerators[number]) / int(denominators[number])
    return quotients
