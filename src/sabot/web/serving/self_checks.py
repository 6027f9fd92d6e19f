"""Self-checks that must pass before the first device may connect.

Each writes one sentence: to the log if it passes, to the operator if it fails. They change nothing.
"""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import structlog

from sabot.basics.mistake import Mistake
from sabot.floor.records.record_codec import HOUSE, table_stream
from sabot.floor.records.recovery import linked
from sabot.journal.checkpoint import newest_checkpoint
from sabot.journal.disk_room import DEFAULT_ROOM, MEGABYTE, disk_free
from sabot.journal.journal import ReadableJournal, SignedCheckpoint, record_at
from sabot.journal.keys import ring_path
from sabot.journal.record import Head
from sabot.runtime.draw_key import DrawKey
from sabot.runtime.shoe_files import ShoeKey
from sabot.table.configuration import Configuration, rule_set_digest_of
from sabot.web.serving.floor_file import SHORTEST_TOKEN, Floor, FloorFile, read_secret

log = structlog.get_logger(__name__)

EARLIEST = datetime(2025, 1, 1, tzinfo=UTC)
"""A clock that shows an earlier time is wrong."""
MOST_BEHIND_MS = 60_000
"""How far the clock may be behind the newest record."""


def check_secrets(file: FloorFile) -> None:
    """Check that each secret of the file can be read by this program and by no other user."""
    for path, what in _secrets(file):
        read_secret(path, what)
    if file.monitoring.token_file:
        token = read_secret(file.monitoring.token_file, "the monitoring token")
        if len(token) < SHORTEST_TOKEN:
            raise Mistake(
                f"the monitoring token in {file.monitoring.token_file} has fewer than {SHORTEST_TOKEN} letters"
            )


def check_disk(file: FloorFile) -> None:
    """Check the free space for shoes; a journal in a file checks its own."""
    folder = Path(file.shoes.folder)
    while not folder.exists():
        folder = folder.parent
    free = disk_free(folder)
    if free < DEFAULT_ROOM.to_start:
        raise Mistake(f"the disk of {folder} is full: {free // MEGABYTE} MB are free")
    log.info("there is room on the disk", folder=str(folder), free_mb=free // MEGABYTE)


def check_keys(wanted: Floor) -> None:
    """The keys of draws and of virtual shoes, as far as they are there; a start makes those that are missing.

    A signing key is made with its ring. Where the ring is there without its key, the key is lost.
    """
    part = wanted.file.journal
    ring = ring_path(Path(part.signing_key))
    if not part.unsigned and ring.exists() and not Path(part.signing_key).exists():
        raise Mistake(f"the signing key {part.signing_key} is missing: bring the copy of the key back")
    draws, shoes = Path(wanted.file.tournaments.draws_key), ShoeKey(Path(wanted.file.shoes.key))
    if draws.exists():
        DrawKey(draws)
    if shoes.path.exists() and any(one.part.dealer == "virtual" for one in wanted.tables):
        shoes.check()


async def check_clock(journal: ReadableJournal, tables: list[str], wall_ms: int) -> str | None:
    """Compare the clock with the newest record; returns what is wrong, in one sentence.

    A clock that is behind keeps no floor from starting. The time of a table, and of the house, never precedes its
    newest record, and each table has the difference on record (`ClockJumped`). Only where there is no record yet, a
    clock that cannot be right is refused.
    """
    newest = 0
    for stream in (HOUSE, *map(table_stream, tables)):
        record = await record_at(journal, stream, (await journal.head(stream)).version)
        newest = max(newest, record.entry.at_ms if record else 0)
    if wall_ms < EARLIEST.timestamp() * 1000 and not newest:
        raise Mistake("the clock of this machine is wrong: it shows a time before this program was written")
    if wall_ms < newest - MOST_BEHIND_MS:
        behind = (newest - wall_ms) // 1000
        return f"the clock of this machine is {behind} seconds behind the newest record; tables go on by their records"
    log.info("the clock is not behind the journal")
    return None


async def check_journal(
    journal: ReadableJournal, tables: list[str], is_trusted: Callable[[SignedCheckpoint], bool]
) -> None:
    """Check that the records of the house and of each table follow from the newest checkpoint that is trusted."""
    for stream in (HOUSE, *map(table_stream, tables)):
        signed = await newest_checkpoint(journal, stream, is_trusted)
        records = await _walk(journal, stream, signed)
        log.info(
            "the records follow from one another", stream=stream, records=records, from_a_checkpoint=signed is not None
        )


async def _walk(journal: ReadableJournal, stream: str, start: SignedCheckpoint | None) -> int:
    """Check the links between records and return their number; the journal checks each record's own hash."""
    head: Head | None = None
    walked = 0
    async for record in journal.read(stream, max(0, start.head.version - 1) if start else 0):
        if start is not None and record.version == start.head.version and record.hash != start.head.hash:
            raise Mistake(f"record {record.version} of {stream} is not the one that its checkpoint vouches for")
        head = Head(stream, record.version, record.hash, record.epoch) if head is None else linked(head, record)
        walked += 1
    if start is not None and head is None and start.head.version:
        raise Mistake(f"{stream} ends before record {start.head.version}, which its checkpoint vouches for")
    return walked


def tell_digests(build: str, tables: list[Configuration]) -> None:
    """Log the digests of the program and the rule sets, to be compared with what was approved."""
    log.info("this program runs", build=build)
    for one in tables:
        log.info("this rule set is played", table=one.table, rule_set=one.rule_set, digest=rule_set_digest_of(one))
        if one.approved_builds and build not in one.approved_builds:
            log.warning("this program is not approved for the table, which will not open", table=one.table, build=build)


def _secrets(file: FloorFile) -> Iterator[tuple[str, str]]:
    for path, what in (
        (file.journal.password_file, "the password file"),
        (file.secrets.password_file, "the password file"),
        (file.listen.key, "the key"),
    ):
        if path:
            yield path, what
