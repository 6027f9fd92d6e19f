"""How often is too often: a bucket of tokens for each address and each person, in memory that stays small."""

from collections import OrderedDict
from collections.abc import Hashable

import msgspec

TOKEN = 60_000
"""Buckets are filled by the millisecond, in parts of a token, so that nothing is ever rounded."""
MOST_BUCKETS = 10_000
"""Beyond this the longest unseen are forgotten first, so strangers cannot fill the memory."""


class Rate(msgspec.Struct, frozen=True):
    at_once: int
    a_minute: int


class Rates:
    """Buckets of one rate, by whatever name they are asked for."""

    def __init__(self, rate: Rate) -> None:
        self.rate = rate
        self._full, self._a_minute = rate.at_once * TOKEN, rate.a_minute
        self._buckets: OrderedDict[Hashable, tuple[int, int]] = OrderedDict()
        """What is left in each bucket, and when that was so."""

    def has_one(self, name: Hashable, now_ms: int) -> bool:
        """Whether a token is there; it is not taken."""
        left, since = self._buckets.get(name, (TOKEN, now_ms))
        return left + max(0, now_ms - since) * self.rate.a_minute >= TOKEN

    def wait_ms(self, name: Hashable, now_ms: int, tokens: int = 1) -> int:
        """Take so many tokens, at most a bucketful; 0, or how long to wait for them where they are not there."""
        full, buckets = self._full, self._buckets
        wanted = min(full, tokens * TOKEN)
        left, since = buckets.pop(name, (full, now_ms))
        if now_ms > since:
            left = min(full, left + (now_ms - since) * self._a_minute)
        missing = max(0, wanted - left)
        self._buckets[name] = (left if missing else left - wanted, now_ms)
        if len(buckets) > MOST_BUCKETS:
            buckets.popitem(last=False)
        return -(-missing // self._a_minute) if missing else 0
