"""Evidence against an honest table that may be looked at after every coup.

An e-process is a product of factors whose expectation, given all that happened before, is at most one at an honest
table. By Ville's inequality it ever reaches 1/a in at most the fraction a of honest cases, however often one looks and
whenever one stops (Ville 1939; Ramdas, Grünwald, Vovk and Shafer 2023, "Game-theoretic statistics and safe
anytime-valid inference").

To find a cheat who begins on a later day, each gaming day begins a further e-process. The evidence is the sum of them
all, as the recursion `(evidence + 1) * factor` of Shiryaev and Roberts gives it (Shin, Ramdas and Rinaldo 2023,
"E-detectors"). Its expectation grows by one a day at most. After an alarm it begins again from zero. So an honest
subject raises at most one alarm in `threshold` days on average.
"""

from math import exp, inf, log, log1p

import msgspec

from sabot.integrity.budget import WATCHES_FOR_AN_ALARM
from sabot.integrity.light import LightState

_LARGEST = 690.0
"""The logarithm of what a double still holds."""


class Evidence(msgspec.Struct, array_like=True, gc=False):
    """The evidence about one subject, as logarithms."""

    log: float = 0.0
    """A fresh one has begun its first day."""
    highest: float = 0.0
    """The most that it came to in the gaming day."""
    coups: int = 0

    def multiply(self, log_factor: float) -> None:
        """Take one more observation, whose factor has an honest expectation of at most one."""
        self.coups += 1
        self.stand_at(self.log + log_factor)

    def stand_at(self, log_value: float) -> None:
        """For a mixture of e-processes, whose logarithm is worked out elsewhere."""
        self.log = log_value
        self.highest = max(self.highest, log_value)

    def begin_day(self, threshold: float) -> None:
        """A further e-process begins. After an alarm the evidence begins again from zero."""
        if self.highest >= log(threshold):
            self.log = -inf
        self.log = self.highest = log_plus_one(self.log)


def log_plus_one(one: float) -> float:
    """The logarithm of one more than what has this logarithm."""
    return one + log1p(exp(-one)) if one > 0 else log1p(exp(one))


def value(log_value: float) -> float:
    """The number that has this logarithm, or the largest that can be shown."""
    return exp(min(log_value, _LARGEST))


def state_of(highest: float, threshold: float) -> LightState:
    """The state of a light whose evidence came to this logarithm."""
    if highest >= log(threshold):
        return LightState.ALARM
    return LightState.WATCH if highest >= log(threshold / WATCHES_FOR_AN_ALARM) else LightState.QUIET
