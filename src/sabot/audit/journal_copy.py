"""Copies a journal into an empty one, byte for byte, also while the source is written to.

This serves backup, restore, and moving between a file and a server. After copying, the target is read again from its
start and compared with the source, so that only a complete copy is reported as one.
"""

import msgspec

from sabot.audit.chain import OnProgress, check_chain
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


async def copy(source: ReadableJournal, target: Journal, progress: OnProgress) -> list[Copied]:
    """Copy the records and checkpoints that the source holds now. Snapshots and leases are not copied."""
    there = await target.streams()
    if there:
        raise Mistake(f"the target is not empty: it has records of {', '.join(there)}")
    return [await _copy_stream(source, target, name, progress) for name in await source.streams()]


async def _copy_stream(source: ReadableJournal, target: Journal, name: str, progress: OnProgress) -> Copied:
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


async def _check_copy(target: Journal, end: Head, progress: OnProgress) -> None:
    """Check the chain of the target from its start to the head of the source."""
    found = await check_chain(target, end, (), progress)
    if found.problem is not None:
        raise Mistake(f"the copy is not whole: {found.problem}")
