"""Copying a journal into another one, record for record, byte for byte, while the first may go on.

It is how a journal is backed up, restored, and moved from a file to a server or back. The target must be empty. When
all is copied the target is read again from its start and held against the source, so that what is reported as copied
is there and whole.
"""

import msgspec

from sabot.audit.chain import Progress, check_chain
from sabot.basics.mistake import Mistake
from sabot.journal.journal import Appended, Journal, ReadableJournal
from sabot.journal.record import Head, Record

BATCH = 1_000


class Copied(msgspec.Struct, frozen=True):
    stream: str
    records: int
    checkpoints: int
    hash: str
    """The hash of the last record, the same in both."""


async def copy(source: ReadableJournal, target: Journal, progress: Progress) -> list[Copied]:
    """Copy what the source holds now; snapshots and leases stay behind, for they are of no account elsewhere."""
    there = await target.streams()
    if there:
        raise Mistake(f"the target is not empty: it has records of {', '.join(there)}")
    return [await _copy_stream(source, target, name, progress) for name in await source.streams()]


async def _copy_stream(source: ReadableJournal, target: Journal, name: str, progress: Progress) -> Copied:
    checkpoints = await source.checkpoints(name)
    end = await source.head(name)
    found = await check_chain(source, end, (), progress)
    if found.problem is not None:
        raise Mistake(f"the source is not whole, and nothing of {name} was copied: {found.problem}")
    batch: list[Record] = []
    async for record in source.read(name, 0, end.version):
        batch.append(record)
        if len(batch) == BATCH:
            await _append(target, batch)
            batch = []
    await _append(target, batch)
    for checkpoint in checkpoints:
        await target.save_checkpoint(checkpoint)
    await _check_copy(target, end, progress)
    if await target.checkpoints(name) != checkpoints:
        raise Mistake(f"the copy of {name} has other checkpoints than its source")
    return Copied(name, end.version, len(checkpoints), end.hash.hex())


async def _append(target: Journal, batch: list[Record]) -> None:
    if batch:
        outcome = await target.append(batch[0].stream, batch[0].version - 1, batch)
        if not isinstance(outcome, Appended):
            raise Mistake(f"the target did not take record {batch[0].version} of {batch[0].stream}: {outcome}")


async def _check_copy(target: Journal, end: Head, progress: Progress) -> None:
    """The chain that the target has comes, from its own start, to the very hash that the source has."""
    found = await check_chain(target, end, (), progress)
    if found.problem is not None:
        raise Mistake(f"the copy is not whole: {found.problem}")
