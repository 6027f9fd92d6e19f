"""The delay before the next attempt to connect, so that devices do not all reconnect at the same moment."""

import random
from collections.abc import Callable

FIRST_S, LONGEST_S = 0.2, 3.0


class BackOff:
    """Doubles the longest delay after each failure, and draws a random part of it."""

    def __init__(self, draw: Callable[[], float] = random.random) -> None:
        self._draw = draw
        self._failures = 0

    def succeeded(self) -> None:
        self._failures = 0

    def next_s(self) -> float:
        most = min(LONGEST_S, FIRST_S * 2.0 ** min(self._failures, 10))
        self._failures += 1
        return most * self._draw()

    def spread_s(self, most_s: float) -> float:
        """Between half of this delay and all of it."""
        return most_s * (1 + self._draw()) / 2
