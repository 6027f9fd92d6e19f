"""Copies a journal into an empty one, byte for byte, also while the source is written to.

This serves backup, restore, and moving between a file and a server. After copying, the target is read again from its
start and compared with the source, so that only a complete copy is reported as one.
"""

import msgspec

from sabot.audit.chain import OnProgress, check_chain
from sabot.audit.checkpoint_check import AT_ONCE
from sabot.basics.mistake import Mistake
from sabot.journal.checkpoint import newest_checkpoint
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
    """Copy the records and checkpoints that the source holds now, behind what the target begins with.

    Snapshots and leases are not copied.
    """
    there = await target.streams()
    if there:
        raise Mistake(f"the target is not empty: it has records of {', '.join(there)}")
    return [await _copy_stream(source, target, name, progress) for name in await source.streams()]


async def _copy_stream(source: ReadableJournal, target: Journal, name: str, progress: OnProgress) -> Copied:
    newest = await newest_checkpoint(source, name)
    begin, end = await target.head(name), await source.head(name)
    problem = await check_chain(source, end, progress, begin)
    if problem is not None:
        raise Mistake(f"the source is not whole, and nothing of {name} was copied: {problem}")
    batch: list[Record] = []
    async for record in source.read(name, begin.version, end.version):
        batch.append(record)
        if len(batch) == BATCH:
            await _append(target, batch)
            batch = []
    await _append(target, batch)
    checkpoints = await _copy_checkpoints(source, target, begin, newest.head.version if newest else 0)
    await _check_copy(target, begin, end, progress)
    return Copied(name, end.version, checkpoints, end.hash.hex())


async def _copy_checkpoints(source: ReadableJournal, target: Journal, begin: Head, newest: int) -> int:
    """Copy the checkpoints up to the newest that counts, and compare them; returns how many there are."""
    count, name = 0, begin.stream
    for after in range(begin.version, newest, AT_ONCE):
        until = min(after + AT_ONCE, newest)
        some = await source.checkpoints(name, after, until)
        for checkpoint in some:
            await target.save_checkpoint(checkpoint)
        if await target.checkpoints(name, after, until) != some:
            raise Mistake(f"the copy of {name} has other checkpoints than its source")
        count += len(some)
    return count


async def _append(target: Journal, batch: list[Record]) -> None:
    if batch:
        outcome = await target.append(batch[0].stream, batch[0].version - 1, batch)
        if not isinstance(outcome, Appended):
            raise Mistake(f"the target did not take record {batch[0].version} of {batch[0].stream}: {outcome}")


async def _check_copy(target: Journal, begin: Head, end: Head, progress: OnProgress) -> None:
    """Check the chain of the target from its start to the head of the source."""
    problem = await check_chain(target, end, progress, begin)
    if problem is not None:
        raise Mistake(f"the copy is not whole: {problem}")
