"""How often is too often: a bucket of tokens for each address and each person, in memory that stays small."""

from collections import OrderedDict
from collections.abc import Hashable

import msgspec

MOST_BUCKETS = 10_000
"""Whoever would fill the memory with strangers only pushes out strangers: the longest unseen go first."""


class Rate(msgspec.Struct, frozen=True):
    at_once: int
    a_minute: int


class Rates:
    """Buckets of one rate, by whatever name they are asked for."""

    def __init__(self, rate: Rate) -> None:
        self.rate = rate
        self._buckets: OrderedDict[Hashable, tuple[float, int]] = OrderedDict()
        """What is left in each bucket, and when that was so."""

    def wait_ms(self, name: Hashable, now_ms: int) -> int:
        """Take one token; 0, or how long to wait for the next where there is none."""
        left, since = self._buckets.pop(name, (float(self.rate.at_once), now_ms))
        per_ms = self.rate.a_minute / 60_000
        left = min(float(self.rate.at_once), left + max(0, now_ms - since) * per_ms)
        allowed = left >= 1
        self._buckets[name] = (left - 1 if allowed else left, now_ms)
        if len(self._buckets) > MOST_BUCKETS:
            self._buckets.popitem(last=False)
        return 0 if allowed else int((1 - left) / per_ms) + 1
