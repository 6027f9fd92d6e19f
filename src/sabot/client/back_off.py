"""How long to wait before the next attempt, so that a floor that comes back is not met by everybody at once."""

import random
from collections.abc import Callable

FIRST_S, LONGEST_S = 0.2, 3.0


class BackOff:
    """Twice as long each time, and each time a random part of it."""

    def __init__(self, draw: Callable[[], float] = random.random) -> None:
        self._draw = draw
        self._failures = 0

    def succeeded(self) -> None:
        self._failures = 0

    def next_s(self) -> float:
        most = min(LONGEST_S, FIRST_S * 2.0 ** min(self._failures, 10))
        self._failures += 1
        return most * self._draw()
