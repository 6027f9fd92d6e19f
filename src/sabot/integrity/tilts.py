"""Bets against chance on events whose chance is known exactly before each of them.

A *tilt* t says that the odds of an event are t times those of chance. With the chance p its capital is multiplied by

    t / (1 - p + t p)   if the event happens, and by   1 / (1 - p + t p)   if not,

whose mean is one under chance. Equal shares of capital on several tilts are a mixture: their mean is an e-process too.
"""

from collections.abc import Iterable, Sequence
from math import exp, inf, log, log1p
from typing import Final

import msgspec
import numpy as np
import numpy.typing as npt

from sabot.integrity.evidence import Evidence, log_plus_one
from sabot.integrity.payoffs import Floats

MORE: Final = (1.25, 1.5, 2.0, 3.0, 6.0, 20.0)
"""Tilts for something that may happen too often, from slightly to nearly always."""
BOTH_WAYS: Final = (0.25, 0.5, 0.8, 1.25, 2.0, 4.0)
"""Tilts for something that may happen too seldom or too often."""
CERTAIN: Final = 600.0
"""The logarithm that stands for evidence without limit: what was seen cannot happen at an honest table."""


class Mixture(msgspec.Struct, array_like=True, gc=False):
    """Several bets against the same chance with equal shares of the capital."""

    logs: list[float]
    """The logarithm of each one's capital, as if it had the whole."""
    evidence: Evidence

    @staticmethod
    def of(bets: int) -> "Mixture":
        return Mixture([0.0] * bets, Evidence())

    def multiply(self, log_factors: Iterable[float]) -> None:
        """Take one more observation: what it multiplies the capital of each bet by."""
        self.logs = [one + by for one, by in zip(self.logs, log_factors, strict=True)]
        self.evidence.coups += 1
        self.evidence.stand_at(log_mean_exp(self.logs))

    def begin_day(self, threshold: float) -> None:
        if self.evidence.highest >= log(threshold):
            self.logs = [-inf] * len(self.logs)
        self.logs = [log_plus_one(one) for one in self.logs]
        self.evidence.begin_day(threshold)


def log_factors(tilts: Sequence[float], chance: float, *, happened: bool) -> list[float]:
    """The logarithms of what an event multiplies the capital of each tilt by."""
    if chance >= 1.0:
        return [0.0] * len(tilts)
    return [(log(tilt) if happened else 0.0) - log1p((tilt - 1.0) * chance) for tilt in tilts]


def log_products(tilts: Sequence[float], chances: Floats, happened: npt.NDArray[np.bool_]) -> Floats:
    """The same for many events at once, multiplied: events along the first axis, the tilts are a new last axis."""
    each = np.array(tilts)
    logs: Floats = happened.sum(axis=0)[..., None] * np.log(each) - np.log1p(
        np.multiply.outer(chances, each - 1.0)
    ).sum(axis=0)
    return logs


def log_mean_exp(logs: Sequence[float]) -> float:
    """The logarithm of the mean of what has these logarithms."""
    highest = max(logs)
    if highest == -inf:
        return highest
    return highest + log(sum([exp(one - highest) for one in logs]) / len(logs))
