"""The clock by which a journal in a file dates its leases."""

import time
from collections.abc import Callable


def wall_ms() -> int:
    """Milliseconds since 1970 by the clock of the system."""
    return time.time_ns() // 1_000_000


def steady(read_ms: Callable[[], int] = wall_ms) -> Callable[[], int]:
    """The time of day as it is now, carried on by a clock that only counts on.

    A lease is the sign of life by which a failure is dated (CROWN 11.15). A clock that is put forward or back meanwhile
    must not date it.
    """
    begun_ms, since = read_ms(), time.monotonic_ns()
    return lambda: begun_ms + (time.monotonic_ns() - since) // 1_000_000
