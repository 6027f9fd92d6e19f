"""Counters of a process: plain counts of what passes through it.

A count on the way of a wager must cost next to nothing, so these are whole numbers that are added to and nothing else.
They are read when Prometheus asks.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
RECORDS = (1, 2, 4, 8, 16, 32, 64, 128, 256)


class Spread:
    """How often a figure fell below each of its bounds."""

    def __init__(self, bounds: Sequence[float]) -> None:
        self.bounds = tuple(bounds)
        self.counts = [0] * (len(self.bounds) + 1)
        """Between each bound and the one before it, and above the last."""
        self.sum = 0.0

    def add(self, figure: float) -> None:
        self.counts[bisect_left(self.bounds, figure)] += 1
        self.sum += figure


class Counters:
    def __init__(self) -> None:
        self.connections: Counter[str] = Counter()
        """Open ones, by the kind of device; of those who have not proved themselves, as `unproved`."""
        self.turned_away = 0
        self.frames_in = 0
        self.frames_out = 0
        self.frames_refused: Counter[str] = Counter()
        self.slow_readers = 0
        self.cut_off: Counter[str] = Counter()
        """Connections that were refused or cut off, by reason."""
        self.accepted = 0
        self.refused: Counter[str] = Counter()
        """Asks by their answer; refusals by cause."""
        self.records = Spread(RECORDS)
        """Of one append."""
        self.append_s = Spread(SECONDS)
        self.unsure_appends = 0
        """Whose outcome was unknown, or which met another owner's."""
        self.settling_s = Spread(SECONDS)
        """From the close of wagering to the settled coup."""
        self.alarms: Counter[str] = Counter()
        """By table."""
