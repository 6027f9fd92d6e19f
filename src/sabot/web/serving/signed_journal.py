"""Opens the journal of a process with what vouches for it: the signing key, the ring on record, the anchor."""

from collections.abc import Awaitable, Callable, Iterable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import NamedTuple

import structlog

from sabot.audit.verify import LIVE_TAIL_MS, span_of
from sabot.basics.mistake import Mistake
from sabot.floor.records.record_codec import HOUSE, table_stream
from sabot.journal.adapter import OpenedJournal
from sabot.journal.checkpoint import newest_checkpoint
from sabot.journal.journal import Journal, SignedCheckpoint
from sabot.journal.keys import ring_path
from sabot.journal.opening import open_to_write
from sabot.journal.record import Head
from sabot.journal.signer import Signer
from sabot.runtime.key_file import KeyFile
from sabot.web.http.monitoring import NOT_SIGNED
from sabot.web.serving.floor_file import Floor, JournalPart, address_of
from sabot.web.serving.older_processes import until_older_have_left
from sabot.web.serving.self_checks import check_clock, check_journal

log = structlog.get_logger(__name__)


class SignedJournal(NamedTuple):
    journal: Journal
    key_file: KeyFile | None
    signer: Signer | None
    raise_anchor: Callable[[Head, SignedCheckpoint | None], Awaitable[None]] | None
    """What raises the anchor with every checkpoint, where the journal's adapter leaves that to the owner."""
    alarms: list[str]
    """What the operator should look into, a sentence each."""


async def open_signed(
    wanted: Floor, address: str, wall_ms: Callable[[], int], closing: AsyncExitStack
) -> SignedJournal:
    """Open and check the journal; `closing` closes it."""
    part, tables = wanted.file.journal, [one.configuration.table for one in wanted.tables]
    streams = (HOUSE, *map(table_stream, tables))
    is_anchored = not part.anchor or Path(part.anchor).exists()
    key_file = _key_file(part)
    ring = () if key_file is None else tuple(one.key for one in key_file.key.ring)
    anchor = Path(part.anchor) if part.anchor else None
    kept = await open_to_write(address_of(part), anchor=anchor, keys=ring, read_ms=wall_ms)
    journal, report = kept.journal, kept.report
    closing.push_async_callback(journal.close)
    signer = None if key_file is None else Signer(journal, key_file.key, address, wall_ms)
    if signer is not None:
        await signer.ring.read_on(journal)
    if report.has_proved_records:
        log.info("the journal is whole", **report.figures)
        for sentence in report.warnings:
            log.warning(sentence)
    else:
        await check_journal(journal, tables, signer.knows if signer is not None else lambda _: False)
    behind = await check_clock(journal, tables, wall_ms())
    if wanted.is_shared:
        await until_older_have_left(journal, tables, wall_ms)
    alarms = [] if behind is None else [behind]
    if signer is not None:
        alarms += await _unsigned(journal, streams, signer) if signer.ring.known else []
        await _check_key(wanted, signer)
    if not is_anchored and (await journal.head(HOUSE)).version:
        alarms.append(f"the anchor {part.anchor} is missing, and is made anew from what the journal holds now")
    return SignedJournal(journal, key_file, signer, _raising(kept), alarms)


def _key_file(part: JournalPart) -> KeyFile | None:
    """The key that signs, made at the first start; none where the floor's file says so."""
    if part.unsigned:
        log.warning(NOT_SIGNED)
        return None
    kept = KeyFile(Path(part.signing_key))
    if kept.is_new:
        ring = ring_path(kept.path)
        log.warning(f"a signing key is made: keep a copy of {kept.path} elsewhere, and give {ring} to the auditors")
    return kept


async def _check_key(wanted: Floor, signer: Signer) -> None:
    """A process that shares its journal waits until its key is admitted; any other would wait for ever."""
    why = await signer.look()
    if why is not None and not wanted.is_shared:
        raise Mistake(f"nothing is served: {why}")


async def _unsigned(journal: Journal, streams: Iterable[str], signer: Signer) -> list[str]:
    """Streams whose end is unsigned for longer than a floor leaves it, as if signatures had been removed.

    The next signature covers these records too, so the operator is told that they were not signed before.
    """
    said = []
    for stream in streams:
        newest = await newest_checkpoint(journal, stream, signer.knows)
        records, span_ms = await span_of(journal, stream, newest.head.version if newest else 0)
        if span_ms > LIVE_TAIL_MS:
            said.append(f"the last {records:,} records of {stream}, {span_ms // 1000:,} s of them, were not signed")
    return said


def _raising(opened: OpenedJournal) -> Callable[[Head, SignedCheckpoint | None], Awaitable[None]] | None:
    if opened.anchor is None:
        return None

    async def raise_anchor(head: Head, checkpoint: SignedCheckpoint | None) -> None:
        trouble = await opened.raise_anchor(head, checkpoint)
        if trouble is not None:
            log.error("the anchor could not be raised", why=trouble)

    return raise_anchor
