"""How the exact house edges of a study vary over simulated shoes: what a patron who counts every card could find.

The odds before every coup are exact; the shoes are a sample. All sums are of whole numbers. So the figures depend
neither on the processor nor on how many shoes are dealt at a time, and memory does not grow with their number.
"""

from collections.abc import Callable
from math import sqrt
from typing import Final

import msgspec
import numpy as np
import numpy.typing as npt

from sabot.basics.mistake import Mistake
from sabot.odds.dealing import Dealing
from sabot.odds.odds_arrays import OddsArrays
from sabot.odds.shoes_ahead import deal
from sabot.odds.simulation import SEEDS
from sabot.odds.study import Study

MOST_SHOES: Final = 10**9
BLOCK: Final = 256
"""Shoes dealt at a time: some megabytes, a tenth of a second's work."""
PERCENTILES: Final = (1, 5, 25, 50, 75, 95, 99)
TENTHS: Final = 10

_STEPS: Final = 10_000
"""Percentiles are to a hundredth of a per cent of the stake."""
_FINE: Final = 2.0**40
"""Edges and their squares are summed in these parts."""


class Tenth(msgspec.Struct, frozen=True):
    """Coups before which between this part and the next tenth of the shoe had been shown."""

    shown: float
    coups: int
    favourable: int
    house_edge_sd: float


class BetEdges(msgspec.Struct, frozen=True):
    """The exact house edges of a bet before each coup, per unit staked; below zero they favour the patron."""

    mean: float
    sd: float
    least: float
    greatest: float
    percentiles: dict[str, float]
    favourable: int
    """Coups before which the edge favoured the patron."""
    gain_when_favourable: float | None
    """The mean gain of a unit staked on those coups alone; null where there were none."""
    gain_a_shoe: float
    """The expected gain over a whole shoe of a unit staked on each of those coups."""
    by_tenth: list[Tenth]
    """By the part of the shoe that had been shown."""


class EdgesAnswer(msgspec.Struct, frozen=True):
    rule_set: str
    decks: int
    seed: int
    shoes: int
    coups: int
    coups_a_shoe: int | None
    burns_by_face_value: bool
    behind_cutting_card: int
    bets: dict[str, BetEdges]


class _ByTenth:
    """Sums over the coups of each tenth of the shoe."""

    def __init__(self, tenths: npt.NDArray[np.intp]) -> None:
        self._order = np.argsort(tenths, kind="stable")
        self.coups = np.bincount(tenths, minlength=TENTHS).tolist()
        self._starts = np.cumsum([0, *self.coups[:-1]])[np.array(self.coups) > 0]

    def sums(self, whole: npt.NDArray[np.int64]) -> list[int]:
        """In two halves, so that no sum outgrows 64 bits."""
        ordered = whole[self._order]
        high = np.add.reduceat(ordered >> 32, self._starts).tolist()
        low = np.add.reduceat(ordered & 0xFFFFFFFF, self._starts).tolist()
        found = iter([(above << 32) + below for above, below in zip(high, low, strict=True)])
        return [next(found) if here else 0 for here in self.coups]


def _add(sums: list[int], more: list[int]) -> None:
    sums[:] = [one + other for one, other in zip(sums, more, strict=True)]


class _BetTally:
    """What is kept of a bet's edges."""

    def __init__(self) -> None:
        self.least, self.greatest = float("inf"), float("-inf")
        self.gain = 0
        self.sums, self.squares, self.favourable = ([0] * TENTHS for _ in range(3))
        self.steps = np.zeros(2 * _STEPS + 1, dtype=np.int64)

    def add(self, edges: npt.NDArray[np.float64], tenths: "_ByTenth") -> None:
        self.least, self.greatest = min(self.least, float(edges.min())), max(self.greatest, float(edges.max()))
        good = edges < 0
        fine = np.rint(edges * _FINE).astype(np.int64)
        self.gain -= sum(tenths.sums(np.where(good, fine, 0)))
        _add(self.sums, tenths.sums(fine))
        _add(self.squares, tenths.sums(np.rint(edges * edges * _FINE).astype(np.int64)))
        _add(self.favourable, tenths.sums(good.astype(np.int64)))
        steps = np.clip(np.floor(edges * _STEPS).astype(np.int64), -_STEPS, _STEPS)
        self.steps += np.bincount(steps + _STEPS, minlength=len(self.steps))

    def answer(self, coups: list[int], shoes: int) -> BetEdges:
        number, favourable = sum(coups), sum(self.favourable)
        running = np.cumsum(self.steps)
        ranks = {percent: int(np.searchsorted(running, percent * number / 100)) for percent in PERCENTILES}
        return BetEdges(
            mean=sum(self.sums) / _FINE / number,
            sd=_sd(sum(self.sums), sum(self.squares), number),
            least=self.least,
            greatest=self.greatest,
            percentiles={str(percent): (step - _STEPS) / _STEPS for percent, step in ranks.items()},
            favourable=favourable,
            gain_when_favourable=self.gain / _FINE / favourable if favourable else None,
            gain_a_shoe=self.gain / _FINE / shoes,
            by_tenth=[
                Tenth(tenth / TENTHS, here, self.favourable[tenth], _sd(self.sums[tenth], self.squares[tenth], here))
                for tenth, here in enumerate(coups)
                if here
            ],
        )


def _sd(total: int, squares: int, number: int) -> float:
    mean = total / _FINE / number
    return sqrt(max(squares / _FINE / number - mean * mean, 0.0))


def edges_over_shoes(
    study: Study, dealing: Dealing, seed: int, shoes: int, watch: Callable[[int], object] = lambda _: None
) -> EdgesAnswer:
    """Deal so many shoes, with the exact odds before every coup. `watch` is told the coups so far."""
    if not 0 <= seed < SEEDS:
        raise Mistake(f"a seed is a whole number from 0 to {SEEDS - 1}, not {seed}")
    if not 1 <= shoes <= MOST_SHOES:
        raise Mistake(f"edges are worked out over 1 to {MOST_SHOES:,} shoes, not {shoes:,}")
    tallies = {bet: _BetTally() for bet in study.bets}
    coups = [0] * TENTHS
    for start in range(0, shoes, BLOCK):
        ahead = deal(dealing, seed, range(start, min(start + BLOCK, shoes)))
        arrays = OddsArrays(study, ahead.unseen)
        shown = dealing.cards - ahead.unseen.sum(axis=1, dtype=np.intp)
        tenths = _ByTenth(shown * TENTHS // dealing.cards)
        _add(coups, tenths.coups)
        for bet, tally in tallies.items():
            tally.add(arrays.house_edge(bet), tenths)
        watch(sum(coups))
    return EdgesAnswer(
        rule_set=study.terms.rule_set.id,
        decks=dealing.decks,
        seed=seed,
        shoes=shoes,
        coups=sum(coups),
        coups_a_shoe=dealing.coups_a_shoe,
        burns_by_face_value=dealing.burns_by_face_value,
        behind_cutting_card=dealing.behind_cutting_card,
        bets={bet: tally.answer(coups, shoes) for bet, tally in tallies.items()},
    )
