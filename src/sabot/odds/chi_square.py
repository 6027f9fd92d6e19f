"""How well simulated coups fit the exact distribution: Pearson's chi-square over all cells."""

from collections.abc import Sequence
from math import erfc, exp, fsum, lgamma, log, sqrt

import msgspec

FEWEST_EXPECTED = 5
"""Cells with fewer expected coups than this are too rare for the statistic and are pooled into one."""


class Fit(msgspec.Struct, frozen=True):
    statistic: float
    degrees_of_freedom: int
    p: float
    """The probability that chance alone fits no better."""


def fit(counts: Sequence[int], weights: Sequence[int]) -> Fit | None:
    """Test counts against the weights that they should be in proportion to; None where there are too few counts.

    A count in a cell of weight zero is a bug, whatever the statistic.
    """
    coups, total = sum(counts), sum(weights)
    terms, rare_count, rare_expected = [], 0, 0.0
    for count, weight in zip(counts, weights, strict=True):
        assert weight or not count
        expected = coups * weight / total
        if expected >= FEWEST_EXPECTED:
            terms.append((count - expected) ** 2 / expected)
        else:
            rare_count += count
            rare_expected += expected
    if rare_expected >= FEWEST_EXPECTED:
        terms.append((rare_count - rare_expected) ** 2 / rare_expected)
    degrees = len(terms) - 1
    if degrees < 1:
        return None
    statistic = fsum(terms)
    return Fit(statistic, degrees, chance_of_more(statistic, degrees))


def chance_of_more(statistic: float, degrees: int) -> float:
    """The upper tail of the chi-square distribution: a finite series for whole degrees of freedom."""
    half = statistic / 2
    if half <= 0:
        return 1.0
    odd = degrees % 2
    series = (exp(-half + (n + odd / 2) * log(half) - lgamma(n + 1 + odd / 2)) for n in range(degrees // 2))
    return min(1.0, fsum(series) + (erfc(sqrt(half)) if odd else 0.0))
