"""Numbered papers of the house: those that are open, and those that have ended by the day on which they did.

Papers that ended some days ago are put away, a day at a time. They leave the state and lie on the shelf of the house
beside its records. A record recalls one when an act names it. So neither the state nor a look through it grows with the
house's life. A number that is not in the book may have been put away: nothing is decided on its absence alone.
"""

from collections.abc import Iterator, Mapping
from typing import Generic, Literal, TypeVar

import msgspec

from sabot.basics.persistent_map import PersistentMap

T = TypeVar("T")
DAY_MS = 24 * 60 * 60 * 1000
KEPT_DAYS = 7
"""Days for which papers that have ended stay in the state."""


class FiledBook(Mapping[str, T], Generic[T]):
    __slots__ = ("ended", "open")

    def __init__(
        self, open_: PersistentMap[T] | None = None, ended: Mapping[int, PersistentMap[T]] | None = None
    ) -> None:
        self.open: PersistentMap[T] = PersistentMap() if open_ is None else open_
        self.ended: Mapping[int, PersistentMap[T]] = {} if ended is None else ended
        """By day, counted from 1970; no day without papers."""

    @property
    def newest_day(self) -> int:
        return max(self.ended, default=0)

    def put(self, number: str, paper: T) -> "FiledBook[T]":
        """The paper is open."""
        return FiledBook(self.open.put(number, paper), self._ended_without(number))

    def file(self, number: str, paper: T, at_ms: int | None = None) -> "FiledBook[T]":
        """The paper has ended at this time; without a time, on the newest day on which one did."""
        day = self.newest_day if at_ms is None else at_ms // DAY_MS
        ended = self._ended_without(number)
        papers = ended.get(day, PersistentMap[T]()).put(number, paper)
        return FiledBook(self.open.without(number), dict(sorted({**ended, day: papers}.items())))

    def put_away(self, until_day: int) -> "FiledBook[T]":
        """The book without what ended up to this day."""
        return FiledBook(self.open, {day: papers for day, papers in self.ended.items() if day > until_day})

    def ended_by(self, until_day: int) -> dict[str, T]:
        return {number: one for day, papers in self.ended.items() if day <= until_day for number, one in papers.items()}

    def whole(self) -> dict[str, T]:
        entries = self.open.whole()
        for papers in self.ended.values():
            entries.update(papers.whole())
        return entries

    def _ended_without(self, number: str) -> Mapping[int, PersistentMap[T]]:
        if not any(number in papers for papers in self.ended.values()):
            return self.ended
        left = {day: papers.without(number) for day, papers in self.ended.items()}
        return {day: papers for day, papers in left.items() if papers}

    def __getitem__(self, number: str) -> T:
        for papers in (self.open, *self.ended.values()):
            if number in papers:
                return papers[number]
        raise KeyError(number)

    def __iter__(self) -> Iterator[str]:
        yield from self.open
        for papers in self.ended.values():
            yield from papers

    def __len__(self) -> int:
        return len(self.open) + sum(map(len, self.ended.values()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FiledBook) and (self.open, self.ended) == (other.open, other.ended)

    __hash__ = None  # type: ignore[assignment]  # Two books are compared by what they hold.

    def __repr__(self) -> str:
        return f"FiledBook({dict(sorted(self.items()))!r})"


class Sought(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A paper that may have been put away."""

    kind: Literal["ticket", "slip"]
    number: str
    is_sure: bool = False
    """Whether it must have been: where it is not on the shelf, the shelf is derived again from the records."""


class PutAway(Exception):
    """The act cannot be decided before the shelf was asked for this; it is neither accepted nor refused."""

    def __init__(self, sought: Sought) -> None:
        super().__init__(str(sought))
        self.sought = sought
