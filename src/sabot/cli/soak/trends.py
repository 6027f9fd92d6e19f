"""Slopes of figures over time, with a confidence bound: whether something grows that should stay flat.

The slope is the median of the slopes between all pairs of samples (Theil and Sen), which single peaks do not move.
Pairs are taken within one life of a process, since a process that starts anew begins small. The bound follows from the
rank test of the same pairs (Hirsch, Slack and Smith), each life counted apart.
"""

import math
import statistics
from collections.abc import Sequence

import msgspec

SIGMAS = 1.96
"""For a bound that holds with 95 % on both sides together."""
MOST_SAMPLES = 300
"""Of one life; more are thinned out, since the pairs grow with the square."""
LEAST_SAMPLES = 5

Life = Sequence[tuple[float, float]]
"""Samples of one life of a process: when, and the figure."""


class Trend(msgspec.Struct, frozen=True):
    """A slope in units of the figure per second, between its bounds."""

    slope: float
    low: float
    high: float
    samples: int

    def grows_beyond(self, allowed: float) -> bool:
        """Whether it grows faster than is allowed, with confidence."""
        return self.low > allowed


def trend_of(lives: Sequence[Life]) -> Trend | None:
    """The common slope of these lives; nothing where there are too few samples to speak of one."""
    long_enough = [_thinned(life) for life in lives if len(life) >= LEAST_SAMPLES]
    slopes = sorted(slope for life in long_enough for slope in _slopes(life))
    if not slopes:
        return None
    spread = SIGMAS * math.sqrt(sum(_variance(len(life)) for life in long_enough))
    low, high = (len(slopes) - spread) / 2, (len(slopes) + spread) / 2
    return Trend(
        statistics.median(slopes),
        slopes[max(0, math.floor(low))],
        slopes[min(len(slopes) - 1, math.ceil(high))],
        sum(map(len, long_enough)),
    )


def _thinned(life: Life) -> Life:
    step = math.ceil(len(life) / MOST_SAMPLES)
    return life[::step]


def _slopes(life: Life) -> list[float]:
    return [
        (later[1] - one[1]) / (later[0] - one[0])
        for place, one in enumerate(life)
        for later in life[place + 1 :]
        if later[0] > one[0]
    ]


def _variance(samples: int) -> float:
    """Of Kendall's statistic, where there is no trend."""
    return samples * (samples - 1) * (2 * samples + 5) / 18


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which this share lies; 0 of nothing."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0
