"""Keeping a snapshot of a shared stream, written in slices, after what the state has put away."""

from collections.abc import Generator
from typing import Any

from sabot.floor.records.house_shelf import keep_papers
from sabot.floor.records.recovery import snapshot_at
from sabot.floor.shared_owner.kinds import SharedKind
from sabot.floor.shared_owner.messages import SaveShared, SharedSaved
from sabot.journal.journal import Journal


def slice_of(writing: Generator[None, None, bytes]) -> bytes | None:
    """Write one slice more; gives the whole when it was the last one."""
    try:
        next(writing)
    except StopIteration as written:
        return bytes(written.value)
    return None


def mark_at_once(writing: Generator[None, None, bytes]) -> bytes:
    while (mark := slice_of(writing)) is None:
        pass
    return mark


async def save_at_once(journal: Journal, kind: SharedKind[Any, Any, Any], effect: SaveShared[Any]) -> SharedSaved:
    mark = mark_at_once(kind.mark(effect.state, effect.at_ms))
    return await keep_shared(journal, kind, effect, mark)


async def keep_shared(
    journal: Journal, kind: SharedKind[Any, Any, Any], effect: SaveShared[Any], mark: bytes
) -> SharedSaved:
    """The shelf first: a process that begins from the snapshot never comes to what was put away before it."""
    if kind.has_shelf(effect.state):
        await keep_papers(journal, effect.head.version, effect.away)
    await journal.save_snapshot(snapshot_at(effect.head, mark))
    return SharedSaved(len(mark), effect.away)
