"""How long dealers ran the game and patrons had a station, in a period, by the clock of the table's acts."""

from collections import Counter
from collections.abc import Mapping


class Presence:
    """Who is there, and for how long those who are there or were there have been counted.

    A period's time begins with its first act. Where two periods are joined, the time between them counts for those who
    were there then.
    """

    def __init__(self, there: Mapping[str, str]) -> None:
        """By place: the table for its dealer, a station for its patron."""
        self._there = dict(there)
        self._now_ms: int | None = None
        self.counted: Counter[str] = Counter()

    def until(self, now_ms: int) -> None:
        """Count the time until now for all who are there."""
        if self._now_ms is not None and now_ms > self._now_ms:
            for name in set(self._there.values()):
                self.counted[name] += now_ms - self._now_ms
        self._now_ms = now_ms

    def follow(self, now_ms: int, there: Mapping[str, str]) -> None:
        """Somebody came or went now."""
        if there != self._there:
            if self._now_ms is not None:
                self.until(now_ms)
            self._there = dict(there)

    def join(self, begins_ms: int, counted: Mapping[str, int], ends_ms: int, there: Mapping[str, str]) -> None:
        """Add a period that follows, by its first and last moment."""
        self.until(begins_ms)
        self.counted.update(counted)
        self._there, self._now_ms = dict(there), ends_ms
