"""Proves that every key of a stream is used once, in memory that does not grow with the stream.

A device numbers its acts within the epoch of an owner, and an owner numbers what it writes itself. A number above all
earlier ones of its series is new for certain, so of each series the last number is kept, and of an epoch that is over
nothing. Other keys are looked up, as all are in a stream without owners. The index of the journal leads from a key to
one record. So of two records with one key at least one is not found under it.

Where the numbers do not rise, or a key leads elsewhere, nothing is known yet: `EveryKey` then goes over the stream once
more, with all keys in memory.
"""

from collections.abc import Mapping, Sequence

import msgspec

from sabot.journal.journal import Damaged, ReadableJournal
from sabot.journal.record import Head, Stored

_LONGEST = 18
"""Digits; a longer one is no number, but a name that happens to have no letters."""


class KeySpan(msgspec.Struct, frozen=True):
    """The keys of a stretch of a stream, as far as those of the next stretch must follow them."""

    first: Mapping[str, int] = {}
    """The first number of every series that may have begun before the stretch."""
    last: Mapping[str, int] = {}
    """The last number of every series that may go on after it."""


class KeyOrder:
    """The keys of a walk along a stream, in order."""

    def __init__(self, before: Head) -> None:
        """`before` is the record before the first."""
        self.is_sure = True
        """Whether every key so far is known to be new."""
        self._looks_up_all = before.version > 0 and before.epoch == 0
        """Whether keys that look numbered may have been looked up instead: in a stream that has no owner."""
        self._first: dict[str, int] = {}
        self._last: dict[str, int] = {}
        self._epoch: int | None = None
        self._in_first_epoch = True
        self._unnumbered: list[tuple[str, int]] = []

    def __contains__(self, key: str) -> bool:
        """Whether it is known that it was used before. Here that is never known."""
        return False

    def new_of(self, rows: Sequence[Stored]) -> int:
        """How many of these rows, from the first, have keys that are not known to be used before."""
        return len(rows)

    def take(self, rows: Sequence[Stored], epoch: int) -> None:
        """The keys of rows that an owner of this epoch wrote."""
        if epoch != self._epoch:
            self._begin(epoch)
        last = self._last
        for row in rows:
            key = row[1]
            series, _, written = key.rpartition("/")
            before = last.get(series)
            if before is None or not written.isdigit() or len(written) > _LONGEST:
                self._look_at(row[0], key, series, written)
            elif (number := int(written)) > before:
                last[series] = number
            else:
                self.is_sure = False

    def _begin(self, epoch: int) -> None:
        if epoch and self._looks_up_all:
            self.is_sure = False
        if self._epoch is not None:
            self._in_first_epoch = False
            self._last = {series: number for series, number in self._last.items() if "/" not in series}
        self._epoch = epoch

    def _look_at(self, version: int, key: str, series: str, written: str) -> None:
        """A key that begins a series of this epoch or of the whole stream, or that has no number."""
        if not series or not written.isdigit() or len(written) > _LONGEST:
            self._unnumbered.append((key, version))
            return
        of_an_epoch = "/" in series
        if of_an_epoch and not self._epoch:
            self._looks_up_all = True
            self._unnumbered.append((key, version))
            return
        if of_an_epoch and series.rpartition("/")[2] != str(self._epoch):
            self.is_sure = False
            return
        self._last[series] = int(written)
        if self._in_first_epoch or not of_an_epoch:
            self._first.setdefault(series, int(written))

    async def look_up(self, journal: ReadableJournal, stream: str) -> None:
        """Ask the journal for the keys since the last time that have no number."""
        for key, version in self._unnumbered:
            try:
                found = await journal.find(stream, key)
            except Damaged:
                found = None
            if found is None or found.version != version:
                self.is_sure = False
                break
        self._unnumbered.clear()

    def span(self) -> KeySpan | None:
        """What the next stretch is joined by; nothing where a key may have been used twice."""
        return KeySpan(self._first, self._last) if self.is_sure else None


class EveryKey:
    """Remembers all keys, so that a key that is used again is found wherever it was used before."""

    is_sure = True

    def __init__(self) -> None:
        self._keys: set[str] = set()

    def __contains__(self, key: str) -> bool:
        return key in self._keys

    def new_of(self, rows: Sequence[Stored]) -> int:
        here = set[str]()
        for place, row in enumerate(rows):
            if row[1] in self._keys or row[1] in here:
                return place
            here.add(row[1])
        return len(rows)

    def take(self, rows: Sequence[Stored], epoch: int) -> None:  # noqa: ARG002
        self._keys.update([row[1] for row in rows])

    async def look_up(self, journal: ReadableJournal, stream: str) -> None:
        """Nothing is looked up."""

    def span(self) -> KeySpan:
        """Of a whole stream, so nothing follows."""
        return KeySpan()


Keys = KeyOrder | EveryKey


def follows(before: KeySpan, span: KeySpan) -> bool:
    """Whether no key of a stretch can be one of the stretches before it."""
    return all(number > before.last.get(series, -1) for series, number in span.first.items())


def both(before: KeySpan, span: KeySpan, *, same_epoch: bool) -> KeySpan:
    """The span of stretches and the one that follows them."""
    kept = before.last if same_epoch else {series: n for series, n in before.last.items() if "/" not in series}
    return KeySpan({}, {**kept, **span.last})
