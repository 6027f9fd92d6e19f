"""Whether two marks fall on the same things more often than chance has it.

A block has `number` things: coups, or seats in coups. Some carry one mark (dealt by this dealer), some another (later
corrected). Given how many carry each, chance has every placing of the second mark equally likely, and the number of
things with both is hypergeometric. Where honest people differ, a first mark may multiply the odds of the second by up
to `tolerated`, which makes it noncentral hypergeometric:

    P(k) = C(a, k) C(n - a, b - k) w^k / Z(w),   Z(w) the sum of the numerators over k.

A bet on the odds ratio t multiplies its capital by (t/w)^k Z(w) / Z(t). Under the odds ratio w that has the mean one.
Under a smaller ratio the mean is smaller, because k is then stochastically smaller and the factor grows with k. So the
capital is a nonnegative supermartingale from block to block as long as the odds ratio is at most the one tolerated.
"""

from functools import lru_cache
from math import comb, exp, lgamma, log
from typing import Final

RATIOS: Final = (2.0, 4.0, 10.0, 50.0)
"""The odds ratios that are bet on, as multiples of the one tolerated."""

_EXACT_UP_TO: Final = 60
"""Binomial coefficients of more things than this are taken from logarithms of the gamma function."""


def log_factors(number: int, first: int, second: int, both: int, tolerated: float = 1.0) -> tuple[float, ...]:
    """The logarithms of what a block multiplies the capital of each of `RATIOS` by."""
    least, most = max(0, first + second - number), min(first, second)
    if not least <= both <= most:
        raise ValueError(f"{both} of {number} cannot carry both marks, of which there are {first} and {second}")
    if least == most:
        return (0.0,) * len(RATIOS)  # Nothing was left to chance.
    under = _log_sum(number, *sorted((first, second)), tolerated)
    return tuple(
        both * log(ratio) + under - _log_sum(number, *sorted((first, second)), tolerated * ratio) for ratio in RATIOS
    )


@lru_cache(maxsize=65536)
def _log_sum(number: int, first: int, second: int, ratio: float) -> float:
    """log Z of the module's docstring."""
    of_ratio = log(ratio)
    terms = [
        _log_comb(first, both) + _log_comb(number - first, second - both) + both * of_ratio
        for both in range(max(0, first + second - number), min(first, second) + 1)
    ]
    highest = max(terms)
    return highest + log(sum(exp(term - highest) for term in terms))


def _log_comb(number: int, chosen: int) -> float:
    if number <= _EXACT_UP_TO:
        return log(comb(number, chosen))
    return lgamma(number + 1) - lgamma(chosen + 1) - lgamma(number - chosen + 1)
