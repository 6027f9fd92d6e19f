"""The bets against chance have the mean one at an honest table, by exact enumeration, and never more."""

from itertools import product
from math import comb, exp, isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.integrity.overlap import RATIOS, log_factors
from sabot.integrity.tilts import BOTH_WAYS, MORE, Mixture
from sabot.integrity.tilts import log_factors as tilted


@given(st.floats(0, 1), st.sampled_from((MORE, BOTH_WAYS)))
def test_every_tilt_has_the_mean_one_under_the_chance_that_it_is_told(chance: float, tilts: tuple[float, ...]) -> None:
    happened, did_not = tilted(tilts, chance, happened=True), tilted(tilts, chance, happened=False)
    for one, other in zip(happened, did_not, strict=True):
        assert isclose(chance * exp(one) + (1 - chance) * exp(other), 1, rel_tol=1e-12)


def _mean(number: int, first: int, second: int, ratio: float, tolerated: float, bet: int) -> float:
    """The mean factor of a bet, if the first mark multiplies the odds of the second by `ratio`."""
    ways = {
        both: comb(first, both) * comb(number - first, second - both) * ratio**both
        for both in range(max(0, first + second - number), min(first, second) + 1)
    }
    total = sum(ways.values())
    return sum(
        way * exp(log_factors(number, first, second, both, tolerated)[bet]) / total for both, way in ways.items()
    )


@pytest.mark.parametrize("bet", range(len(RATIOS)))
@given(st.data())
def test_an_overlap_has_the_mean_one_at_the_ratio_tolerated_and_less_below_it(bet: int, data: st.DataObject) -> None:
    number = data.draw(st.integers(1, 90))
    first, second = data.draw(st.integers(0, number)), data.draw(st.integers(0, number))
    tolerated = data.draw(st.sampled_from([1.0, 2.0, 4.0]))
    assert isclose(_mean(number, first, second, tolerated, tolerated, bet), 1, rel_tol=1e-9)
    assert _mean(number, first, second, tolerated / 2, tolerated, bet) <= 1 + 1e-9


def test_an_overlap_counts_the_placings_that_there_are() -> None:
    """Of four things two are marked, and two of them by another: all 36 placings are equally likely under chance."""
    placings = [placing for placing in product((0, 1), repeat=4) if sum(placing) == 2]
    factors = [
        exp(log_factors(4, 2, 2, sum(one and other for one, other in zip(first, second, strict=True)))[0])
        for first in placings
        for second in placings
    ]
    assert len(factors) == 36
    assert sum(factors) / 36 == pytest.approx(1)
    with pytest.raises(ValueError, match="cannot carry both"):
        log_factors(4, 2, 2, 3)


def test_a_mixture_is_the_mean_of_its_bets_and_begins_again_after_an_alarm() -> None:
    mixture = Mixture.of(2)
    mixture.multiply([1.0, -1.0])
    assert exp(mixture.evidence.log) == pytest.approx((exp(1) + exp(-1)) / 2)
    mixture.begin_day(threshold=1e6)
    assert exp(mixture.evidence.log) == pytest.approx(1 + (exp(1) + exp(-1)) / 2)
    mixture.multiply([20.0, 20.0])
    mixture.begin_day(threshold=1e6)
    assert [exp(one) for one in mixture.logs] == pytest.approx([1, 1])
    assert exp(mixture.evidence.log) == pytest.approx(1)
