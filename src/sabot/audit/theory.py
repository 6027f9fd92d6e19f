"""What the exact odds expect the house to win by stakes, and how far the win may stray from it.

All wagers of a coup are decided together, so the coups are the independent quantities. The spread of the win follows
from that of every two bets of a coup together. Every coup is taken as the first of a fresh shoe, which is the mean over
whole shoes.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import sqrt
from typing import NamedTuple

from sabot.audit.period_sum import PlayedTerms, PlaySum
from sabot.odds.composition import Composition
from sabot.odds.next_coup import NextCoup
from sabot.odds.study import Study
from sabot.rules.terms import Terms

NINETY_FIVE_OF_A_HUNDRED = 1.959964
"""Standard deviations to either side of the mean that hold 95 of 100 cases."""


class Expected(NamedTuple):
    """An expected win and the bounds for 95 of 100 such periods; nothing where the odds are not known."""

    theoretical_win: float | None = None
    low: float | None = None
    high: float | None = None


NOT_KNOWN = Expected()


class Theory:
    """The odds under the terms of a period's sum."""

    def __init__(self, terms: Sequence[PlayedTerms]) -> None:
        self._terms = [one.terms for one in terms]
        self._edges = [edges(one) for one in self._terms]
        self._covariances: dict[tuple[int, str, str], float] = {}

    def mean(self, play: PlaySum, bet: str | None = None) -> float | None:
        """The expected win of all bets, or of one."""
        mean: float | None = None
        for one in play.stakes:
            if bet is None or one.bet == bet:
                edge = self.edge(one.terms, one.bet)
                if edge is None:
                    return None
                mean = (mean or 0.0) + edge * one.cents
        return mean

    def edge(self, terms: int, bet: str) -> float | None:
        """The house's edge on a bet by the place of its terms."""
        return self._edges[terms].get(bet)

    def expected(self, play: PlaySum, bet: str | None = None) -> Expected:
        mean = self.mean(play, bet)
        if mean is None:
            return NOT_KNOWN
        reach = NINETY_FIVE_OF_A_HUNDRED * sqrt(max(0.0, self.variance(play, bet)))
        return Expected(mean, mean - reach, mean + reach)

    def variance(self, play: PlaySum, bet: str | None = None) -> float:
        """Of the win by all bets, or by one; what a correction took away counts below zero."""
        variance = 0.0
        for one in play.products:
            if bet is None or one.bet == one.other == bet:
                spread = self._covariance(one.terms, one.bet, one.other)
                variance += spread * int(one.products) * (1 if one.bet == one.other else 2)
        return variance

    def _covariance(self, place: int, bet: str, other: str) -> float:
        key = place, bet, other
        found = self._covariances.get(key)
        if found is None:
            found = self._covariances[key] = covariance(self._terms[place], bet, other)
        return found


@lru_cache(maxsize=32)
def edges(terms: Terms) -> dict[str, float]:
    """The house's edge on a unit staked on each bet."""
    study, coming = _studied(terms)
    return {bet: float(odds.house_edge) for bet, odds in study.odds(coming).items()}


@lru_cache(maxsize=2048)
def covariance(terms: Terms, bet: str, other: str) -> float:
    """Of the nets of a unit on each of two bets of a coup, or the variance of one."""
    study, coming = _studied(terms)
    return float(study.covariance(bet, other, coming))


@lru_cache(maxsize=32)
def _studied(terms: Terms) -> tuple[Study, NextCoup]:
    return Study.of(terms), NextCoup(Composition.fresh(terms.decks))
