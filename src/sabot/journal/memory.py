"""A journal in memory, for tests and the simulator. It lasts as long as the process."""

from collections.abc import AsyncIterator, Callable, Sequence

import msgspec

from sabot.journal.journal import (
    Appended,
    AppendOutcome,
    Conflict,
    Derived,
    Lease,
    SignedCheckpoint,
    Snapshot,
    newest_of,
)
from sabot.journal.one_part import OnePart
from sabot.journal.record import Head, Record, Stored, check_place, head_after, start_of


class MemoryJournal(OnePart):
    """Keeps streams as lists. The clock, in milliseconds, is a parameter, so that tests decide when leases expire."""

    trouble: str | None = None
    is_lost = False

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self._now_ms = now_ms
        self._streams: dict[str, list[Record]] = {}
        self._keys: dict[tuple[str, str], int] = {}
        self._snapshots: dict[str, Snapshot] = {}
        self._derived: dict[str, dict[str, Derived]] = {}
        self._checkpoints: dict[str, list[SignedCheckpoint]] = {}
        self._leases: dict[str, Lease] = {}

    def shortage(self) -> str | None:
        return None

    async def append(self, stream: str, expected_version: int, records: Sequence[Record]) -> AppendOutcome:
        check_place(stream, expected_version, records)
        written = self._streams.setdefault(stream, [])
        if len(written) != expected_version:
            return Conflict(len(written))
        keys = [record.entry.key for record in records]
        for key in keys:
            if (stream, key) in self._keys:
                return Conflict(len(written), (key, self._keys[stream, key]))
        written.extend(records)
        self._keys.update({(stream, record.entry.key): record.version for record in records})
        return Appended(len(written))

    async def read(self, stream: str, after: int = 0, until: int | None = None) -> AsyncIterator[Record]:
        for record in self._streams.get(stream, [])[after:until]:
            yield record

    async def stored(self, stream: str, after: int, until: int) -> AsyncIterator[Sequence[Stored]]:
        written = self._streams.get(stream, [])[after:until]
        yield [(one.version, one.entry.key, one.body, one.previous, one.hash) for one in written]

    async def head(self, stream: str) -> Head:
        written = self._streams.get(stream)
        return head_after(written[-1]) if written else start_of(stream)

    async def find(self, stream: str, key: str) -> Record | None:
        version = self._keys.get((stream, key))
        return None if version is None else self._streams[stream][version - 1]

    async def streams(self, begin: str = "") -> list[str]:
        return sorted(stream for stream, written in self._streams.items() if written and stream.startswith(begin))

    async def save_snapshot(self, snapshot: Snapshot) -> None:
        self._snapshots[snapshot.stream] = snapshot

    async def newest_snapshot(self, stream: str, form: str) -> Snapshot | None:
        snapshot = self._snapshots.get(stream)
        return snapshot if snapshot is not None and snapshot.form == form else None

    async def drop_snapshots(self, stream: str) -> None:
        self._snapshots.pop(stream, None)

    async def keep(self, values: Sequence[Derived]) -> None:
        for value in newest_of(values):
            kept = self._derived.setdefault(value.stream, {})
            if value.name not in kept or kept[value.name].version <= value.version:
                kept[value.name] = value

    async def derived(self, stream: str, name: str) -> Derived | None:
        return self._derived.get(stream, {}).get(name)

    async def derived_between(self, stream: str, first: str, last: str) -> AsyncIterator[Sequence[Derived]]:
        kept = self._derived.get(stream, {})
        if found := [kept[name] for name in sorted(kept) if first <= name <= last]:
            yield found

    async def drop_derived(self, stream: str) -> None:
        self._derived.pop(stream, None)

    async def save_checkpoint(self, checkpoint: SignedCheckpoint) -> None:
        saved = self._checkpoints.setdefault(checkpoint.head.stream, [])
        if checkpoint not in saved:
            saved.append(checkpoint)
            saved.sort(key=lambda each: (each.head.version, each.at_ms))

    async def checkpoints(self, stream: str, after: int = 0, until: int | None = None) -> list[SignedCheckpoint]:
        saved, last = self._checkpoints.get(stream, []), float("inf") if until is None else until
        return [one for one in saved if after < one.head.version <= last]

    async def newest_checkpoints(self, stream: str) -> AsyncIterator[SignedCheckpoint]:
        for one in reversed(self._checkpoints.get(stream, [])):
            yield one

    async def vouched(self, stream: str) -> tuple[int, int]:
        saved = self._checkpoints.get(stream, [])
        return len(saved), max((one.head.version for one in saved), default=0)

    async def acquire_lease(self, stream: str, owner: str, ttl_ms: int) -> Lease | None:
        now, held = self._now_ms(), self._leases.get(stream)
        if held is not None and not held.has_expired(now):
            return None
        lease = Lease(stream, owner, (held.epoch if held else 0) + 1, now + ttl_ms, now)
        self._leases[stream] = lease
        return lease

    async def renew_leases(self, leases: Sequence[Lease], ttl_ms: int) -> list[Lease]:
        now = self._now_ms()
        renewed = [
            msgspec.structs.replace(lease, expires_ms=now + ttl_ms, renewed_ms=now)
            for lease in leases
            if self._is_held(lease)
        ]
        self._leases.update({lease.stream: lease for lease in renewed})
        return renewed

    async def release_lease(self, lease: Lease) -> None:
        if self._is_held(lease):
            self._leases[lease.stream] = msgspec.structs.replace(lease, expires_ms=self._now_ms())

    async def lease(self, stream: str) -> Lease | None:
        return self._leases.get(stream)

    async def close(self) -> None:
        """Does nothing."""

    def _is_held(self, lease: Lease) -> bool:
        held = self._leases.get(lease.stream)
        return held is not None and (held.owner, held.epoch) == (lease.owner, lease.epoch)
