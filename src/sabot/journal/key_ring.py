"""The ring on record: the keys that may sign a journal, in a stream of its own.

The first key founds the ring. Every further one counts only if a key of the ring has signed it. So two processes of one
floor never sign with keys of different rings, and a stranger's key in the stream counts for nothing.
"""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from sabot.journal.journal import AppendOutcome, Damaged, Journal, ReadableJournal
from sabot.journal.keys import PublicKey, RingKey, read_ring_key, vouches
from sabot.journal.record import Entry, Head, Record, head_after, start_of

KEYS = "keys"
"""The name of the stream."""


class _Answer(msgspec.Struct, frozen=True):
    sabot_key: str
    """The key as a line of a ring."""


class RecordedRing:
    def __init__(self) -> None:
        self.head: Head = start_of(KEYS)
        self.keys: list[RingKey] = []
        """Those that count, in their order."""
        self._known: dict[str, PublicKey] = {}

    @property
    def known(self) -> Mapping[str, PublicKey]:
        """The same by id."""
        return self._known

    async def read_on(self, journal: ReadableJournal) -> None:
        """Take in what was entered since."""
        async for record in journal.read(KEYS, self.head.version):
            if record.previous != self.head.hash:
                raise Damaged(f"record {record.version} of {KEYS!r} does not follow from the one before it")
            self.take(record)

    def take(self, record: Record) -> str | None:
        """Take in a record; gives the reason where its key does not count."""
        self.head = head_after(record)
        one = _key_of(record)
        if one is None:
            return "it holds no key"
        if self._known and not vouches(self._known.values(), one):
            return f"no key of the ring vouches for key {one.key.id}"
        self._known[one.key.id] = one.key
        self.keys.append(one)
        return None

    def leads_to(self, ring: Sequence[RingKey]) -> list[RingKey]:
        """The keys of a ring that may be entered: all of them where nothing is entered yet."""
        if not self._known:
            return list(ring)
        known, found = dict(self._known), list[RingKey]()
        for one in ring:
            if one.key.id not in known and vouches(known.values(), one):
                known[one.key.id] = one.key
                found.append(one)
        return found

    async def enter(self, journal: Journal, keys: Iterable[RingKey], owner: str, at_ms: int) -> AppendOutcome:
        """Write keys behind what was read; where another process was first, nothing is written."""
        entries = [Entry(f"key/{one.key.id}", owner, "", at_ms, _written(one)) for one in keys]
        return await journal.append(KEYS, self.head.version, self.head.then(self.head.epoch, entries))


def _written(one: RingKey) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(_Answer(one.line)))


def _key_of(record: Record) -> RingKey | None:
    try:
        return read_ring_key(msgspec.json.decode(record.entry.answer, type=_Answer).sabot_key)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
