"""Manipulated journals: records changed, swapped, dropped, added, chained anew."""

from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from sabot.journal.checkpoint import sign
from sabot.journal.journal import SignedCheckpoint
from sabot.journal.keys import SigningKey
from sabot.journal.memory import MemoryJournal
from sabot.journal.record import Entry, Head, Record, start_of

TABLE = "table/T1"


class Forged(MemoryJournal):
    """A journal in memory whose records can be changed."""

    def __init__(self, records: dict[str, list[Record]], checkpoints: dict[str, list[SignedCheckpoint]]) -> None:
        super().__init__(lambda: 0)
        self._streams, self._checkpoints = records, checkpoints

    def records(self, stream: str = TABLE) -> list[Record]:
        return self._streams[stream]

    def chain_anew(self, stream: str = TABLE) -> None:
        """Give every record the version and the hash of its place, as a skilled forger would."""
        written = self._streams[stream]
        head, chained = start_of(stream), list[Record]()
        for record in written:
            chained += head.then(record.epoch, [record.entry])
            head = Head(stream, chained[-1].version, chained[-1].hash, record.epoch)
        self._streams[stream] = chained

    def sign_anew(self, key: SigningKey, stream: str = TABLE) -> None:
        """Vouch for what is there now, at the versions that were vouched for."""
        hashes = {record.version: record for record in self._streams[stream]}
        self._checkpoints[stream] = [
            sign(replace(one.head, hash=hashes[one.head.version].hash), one.at_ms, key)
            for one in self._checkpoints[stream]
            if one.head.version in hashes
        ]

    def sign_head(self, key: SigningKey, stream: str = TABLE) -> None:
        """Vouch for the last record that is there now."""
        last = self._streams[stream][-1]
        head = Head(stream, last.version, last.hash, last.epoch)
        self._checkpoints[stream].append(sign(head, self._checkpoints[stream][-1].at_ms + 1, key))

    def lose(self, stream: str) -> None:
        """Remove a stream with everything that vouches for it."""
        del self._streams[stream], self._checkpoints[stream]

    def unsign(self, stream: str = TABLE) -> None:
        self._checkpoints[stream] = []

    def place_of(self, sign_: bytes, stream: str = TABLE) -> int:
        """The version of the first record that says this."""
        return next(one.version for one in self.records(stream) if sign_ in bytes(one.entry.answer))


async def forged(journal: MemoryJournal) -> Forged:
    names = await journal.streams()
    records = {name: [record async for record in journal.read(name)] for name in names}
    return Forged(records, {name: await journal.checkpoints(name) for name in names})


def reworded(record: Record, change: Callable[[bytes], bytes]) -> Record:
    answer = change(bytes(record.entry.answer))
    assert answer != bytes(record.entry.answer), "the forgery changes something"
    return replace(record, entry=replace(record.entry, answer=msgspec.Raw(answer)))


def again(record: Record, key: str) -> Record:
    """The same command and answer under another key."""
    entry: Entry = replace(record.entry, key=key)
    return replace(record, entry=entry)
