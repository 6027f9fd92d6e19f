"""Disks that fail, fill up or flip bits: what was acknowledged is there, or its loss is said; nothing false is told."""

import asyncio
import random
import resource
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import apsw
import msgspec
import pytest

from sabot.journal.anchor import Anchor, Anchoring
from sabot.journal.journal import (
    Appended,
    AppendOutcome,
    Conflict,
    Damaged,
    Lease,
    SignedCheckpoint,
    Snapshot,
    Unknown,
    Unusable,
)
from sabot.journal.parts import PartSeal
from sabot.journal.record import Head, Record, head_after, start_of
from sabot.journal.sqlite import SqliteJournal, open_sqlite
from sabot.journal.sqlite_file import connect, create, wal_of
from sabot.journal.sqlite_start_checks import CheckpointTrust, trust_nobody, verify
from sabot.journal.sqlite_writer import NotCommitted, Writer
from tests.journal.disks import FailingDisk, connect_on, open_on
from tests.journal.entries import entries, entry, filler
from tests.journal.samples import TTL, read, snapshot
from tests.journal.sqlite_files import bytes_in

RECORDS = start_of("t").then(1, [entry(f"k{number}", f'"{filler(2_000, number)}"') for number in range(1, 25)])


async def append_until_failure(journal: SqliteJournal) -> tuple[int, bool]:
    """Append in twos; returns what was acknowledged, and whether an answer was unknown. After that all is refused."""
    acknowledged = 0
    for first in range(0, len(RECORDS), 2):
        outcome = await append_two(journal, first)
        if isinstance(outcome, Unusable):
            return acknowledged, False
        if isinstance(outcome, Unknown):
            assert journal.trouble is not None
            assert isinstance(await append_two(journal, first), Unusable)
            return acknowledged, True
        assert outcome == Appended(first + 2)
        acknowledged = first + 2
    return acknowledged, False


async def append_two(journal: SqliteJournal, first: int) -> object:
    try:
        return await journal.append("t", first, RECORDS[first : first + 2])
    except Unusable as refused:
        return refused


async def appended_on(disk: FailingDisk, path: Path) -> tuple[int, bool]:
    journal = open_on(disk, path, checkpoint_pages=12)
    outcome = await append_until_failure(journal)
    await journal.close()
    return outcome


def survived(path: Path) -> int:
    """How many records are there after reopening on a disk that works; what is there is what was written."""

    async def reopened() -> int:
        journal = await open_sqlite(path)
        found = await read(journal, "t")
        assert found == RECORDS[: len(found)]
        assert len(found) % 2 == 0
        if len(found) < len(RECORDS):
            assert await append_two(journal, len(found)) == Appended(len(found) + 2)
        await journal.close()
        return len(found)

    return asyncio.run(reopened())


def writes_of_a_night(folder: Path) -> int:
    path = folder / "calm"
    create(path)
    disk = FailingDisk("calm", apsw.IOError, lambda _: False)
    try:
        assert asyncio.run(appended_on(disk, path)) == (len(RECORDS), False)
    finally:
        disk.unregister()
    return disk.count


@pytest.mark.parametrize("error", [apsw.IOError, apsw.FullError])
@pytest.mark.parametrize("for_good", [False, True], ids=["once", "for good"])
@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.whole)])
def test_a_disk_that_fails_at_any_write_loses_nothing_acknowledged(
    quick_folder: Path, error: type[apsw.Error], for_good: bool, every: int
) -> None:
    writes, unknown = writes_of_a_night(quick_folder), 0
    for n in range(1, writes + 1, every):
        path = quick_folder / f"journal-{n}"
        create(path)
        failing = range(n, 10**9) if for_good else range(n, n + 1)
        disk = FailingDisk(f"failing {n}", error, failing.__contains__)
        try:
            acknowledged, was_unknown = asyncio.run(appended_on(disk, path))
        finally:
            disk.unregister()
        unknown += was_unknown
        assert disk.count >= n
        assert survived(path) >= acknowledged
        for file in quick_folder.glob(f"journal-{n}*"):
            file.unlink()
    assert unknown > writes // every // 4


def test_a_full_file_is_answered_unknown_and_refused_until_reopened_by_anybody(tmp_path: Path) -> None:
    async def test() -> tuple[int, bool]:
        db = connect(path)
        db.pragma("max_page_count", db.pragma("page_count") + 5)
        journal = SqliteJournal(path, Writer(db))
        outcome = await append_until_failure(journal)
        assert journal.trouble == "the disk is full"
        with pytest.raises(Unusable, match="until it is opened again: the disk is full"):
            await journal.acquire_lease("t", "one", TTL)
        assert len(await read(journal, "t")) == outcome[0]
        successor = await open_sqlite(path)
        assert await append_two(successor, outcome[0]) == Appended(outcome[0] + 2)
        await successor.close()
        await journal.close()
        return outcome

    path = tmp_path / "journal"
    create(path)
    acknowledged, was_unknown = asyncio.run(test())
    assert was_unknown
    assert survived(path) >= acknowledged > 0


def test_while_another_process_holds_the_file_an_append_is_unknown_and_later_ones_are_not(tmp_path: Path) -> None:
    async def test() -> None:
        db = connect(path)
        db.set_busy_timeout(10)
        journal = SqliteJournal(path, Writer(db))
        other = connect(path)
        other.execute("BEGIN IMMEDIATE")
        assert await append_two(journal, 0) == Unknown("another process is writing to the journal")
        other.execute("ROLLBACK")
        other.close()
        assert await append_two(journal, 0) == Appended(2)
        await journal.close()

    path = tmp_path / "journal"
    create(path)
    asyncio.run(test())


def test_every_append_of_a_batch_that_fails_is_unknown(tmp_path: Path) -> None:
    async def test() -> None:
        journal = open_on(disk, path)
        assert await journal.append("t", 0, RECORDS[:2]) == Appended(2)
        disk.broken = True

        async def append(stream: str) -> AppendOutcome:
            return await journal.append(stream, 0, start_of(stream).then(1, entries(2)))

        outcomes = await asyncio.gather(*map(append, ("a", "b", "c")), return_exceptions=True)
        assert isinstance(outcomes[0], Unknown)
        assert all(isinstance(outcome, Unknown | Unusable) for outcome in outcomes)
        await journal.close()

    class BreakingDisk(FailingDisk):
        broken = False

    path = tmp_path / "journal"
    create(path)
    disk = BreakingDisk("breaking", apsw.IOError, lambda _: disk.broken)
    try:
        asyncio.run(test())
    finally:
        disk.unregister()
    assert verify(path, Anchor(), trust_nobody).heads == {"t": head_after(RECORDS[1])}


# Flipped bits


class Kept(msgspec.Struct, frozen=True):
    """All that a journal can be asked, and what it answered when it was whole."""

    records: Mapping[str, list[Record]]
    found: dict[tuple[str, str], Record]
    snapshot: Snapshot
    checkpoints: list[SignedCheckpoint]
    lease: Lease


def signature(checkpoint: SignedCheckpoint) -> bytes:
    """Stands in for a key: what matters here is that a checkpoint that was changed is not believed."""
    return sha256(msgspec.json.encode((checkpoint.head, checkpoint.at_ms, checkpoint.key_id))).digest()


def trust_signed(one: SignedCheckpoint | PartSeal) -> bool:
    return isinstance(one, SignedCheckpoint) and one.signature == signature(one)


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, bytes], Kept]:
    """A journal as it lies on the disk in the middle of play: half of it in the file, half in the log, all anchored."""
    folder = tmp_path_factory.mktemp("live")
    return asyncio.run(played(folder))


async def played(folder: Path) -> tuple[dict[str, bytes], Kept]:
    path, streams = folder / "journal", ("table-1", "table-2")
    records = {stream: start_of(stream).then(1, entries(60)) for stream in streams}
    for first in (0, 30):
        journal = await open_sqlite(path, anchoring=Anchoring(folder / "anchor", every_ms=0), now_ms=lambda: 1_000)
        for version in range(first, first + 30, 3):
            for stream in streams:
                await journal.append(stream, version, records[stream][version : version + 3])
        unsigned = SignedCheckpoint(await journal.head("table-1"), 1, "key", b"")
        await journal.save_checkpoint(msgspec.structs.replace(unsigned, signature=signature(unsigned)))
        await journal.save_snapshot(snapshot("table-1", first))
        if first == 0:
            await journal.close()
    lease = await journal.acquire_lease("table-1", "one", TTL)
    assert lease is not None
    kept = Kept(
        records,
        {(stream, record.entry.key): record for stream in streams for record in records[stream]},
        snapshot("table-1", 30),
        await journal.checkpoints("table-1"),
        lease,
    )
    files = bytes_in(folder)
    await journal.close()
    return {name: files[name] for name in ("journal", "journal-wal", "anchor")}, kept


def flips(files: dict[str, bytes], count: int) -> list[tuple[str, int, int]]:
    """So many single bits, spread evenly with some chance over the whole of the file and of its log."""
    chance = random.Random(8)
    sizes = {name: len(files[name]) for name in ("journal", "journal-wal")}
    total = sum(sizes.values())
    return [
        (name, chance.randrange(index * size // share, (index + 1) * size // share), chance.randrange(8))
        for name, size in sizes.items()
        for share in [count * size // total + 1]
        for index in range(share)
    ]


async def confession(path: Path, kept: Kept, trusts: CheckpointTrust) -> str | None:
    """What the journal says is wrong with it; whatever it does not complain of must be true."""
    try:
        journal = await open_sqlite(path, anchoring=Anchoring(path.with_name("anchor")), trusts=trusts)
    except Unusable as refused:
        return str(refused)
    try:
        for stream, records in kept.records.items():
            assert await read(journal, stream) == records
        for (stream, key), record in kept.found.items():
            assert await journal.find(stream, key) == record
        assert await journal.newest_snapshot("table-1", "form") in (kept.snapshot, None)  # A lost one costs only time.
        assert await journal.checkpoints("table-1") == kept.checkpoints
        assert await journal.lease("table-1") == kept.lease
    except Damaged as damage:
        return str(damage)
    finally:
        await journal.close()
    return None


@pytest.mark.parametrize("count", [150, pytest.param(400, marks=pytest.mark.whole)])
def test_a_flipped_bit_anywhere_is_said_or_harmless(
    live: tuple[dict[str, bytes], Kept], quick_folder: Path, count: int
) -> None:
    files, kept = live
    said = 0
    chosen = flips(files, count)
    for name, offset, bit in chosen:
        flipped = bytearray(files[name])
        flipped[offset] ^= 1 << bit
        path = lay(files | {name: bytes(flipped)}, quick_folder)
        said += asyncio.run(confession(path, kept, trust_nobody)) is not None
    assert len(chosen) >= count
    assert said > len(chosen) // 3


def test_the_journal_without_a_flipped_bit_confesses_nothing(
    live: tuple[dict[str, bytes], Kept], quick_folder: Path
) -> None:
    files, kept = live
    for trusts in (trust_nobody, trust_signed):
        assert asyncio.run(confession(lay(files, quick_folder), kept, trusts)) is None


def test_behind_a_signed_checkpoint_a_flipped_bit_is_said_by_the_check_of_all_pages(
    live: tuple[dict[str, bytes], Kept], quick_folder: Path
) -> None:
    """Start-up proves only what no checkpoint vouches for; records are proved when they are read, the index later."""
    files, kept = live
    for name, offset, bit in flips(files, 100):
        flipped = bytearray(files[name])
        flipped[offset] ^= 1 << bit
        path = lay(files | {name: bytes(flipped)}, quick_folder)
        with suppress(Unusable, Damaged):
            asyncio.run(all_true_or_pages_damaged(path, kept))


async def all_true_or_pages_damaged(path: Path, kept: Kept) -> None:
    journal = await open_sqlite(path, anchoring=Anchoring(path.with_name("anchor")), trusts=trust_signed)
    try:
        for stream, records in kept.records.items():
            assert await read(journal, stream) == records
        missed = [key for (stream, key), record in kept.found.items() if await journal.find(stream, key) != record]
        if missed:
            with pytest.raises(Damaged):
                await journal.check_pages()
    finally:
        await journal.close()


def lay(files: dict[str, bytes], folder: Path) -> Path:
    for file in folder.iterdir():
        file.unlink()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder / "journal"


# Other resources


def test_without_descriptors_what_is_open_is_written_and_what_must_be_opened_is_refused_until_there_are_some(
    tmp_path: Path,
) -> None:
    async def test() -> None:
        journal = await open_sqlite(tmp_path / "journal", anchoring=Anchoring(tmp_path / "anchor", every_ms=0))
        assert await append_two(journal, 0) == Appended(2)
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (3, hard))
        try:
            assert await append_two(journal, 2) == Appended(4)
            assert "anchor" in str(journal.trouble)  # It is a file of its own.
            with pytest.raises(Unusable, match="cannot be read now"):
                await journal.head("t")
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        assert await append_two(journal, 4) == Appended(6)
        assert not journal.trouble
        assert (await journal.head("t")).version == 6
        await journal.close()

    asyncio.run(test())


@pytest.mark.parametrize("error", [MemoryError(), apsw.NoMemError()])
def test_a_writer_that_runs_out_of_memory_answers_everybody_and_goes_on(tmp_path: Path, error: Exception) -> None:
    async def test() -> None:
        def fail(_: object) -> None:
            raise error

        journal = await open_sqlite(tmp_path / "journal")
        assert await append_two(journal, 0) == Appended(2)
        with pytest.raises(NotCommitted):
            await journal._writer.do(fail)  # noqa: SLF001  No statement of a journal asks for so much memory.
        assert await append_two(journal, 2) == Appended(4)
        await journal.close()

    asyncio.run(asyncio.wait_for(test(), 60))


def test_a_journal_is_opened_anew_after_a_failure_and_answers_conflict_to_what_was_written_after_all(
    tmp_path: Path,
) -> None:
    """What was under way when the sync failed may be on the disk: it is found, whole, and never written twice."""

    class BreakingDisk(FailingDisk):
        broken = False

    async def test() -> None:
        def reopened(acknowledged: Mapping[str, Head]) -> apsw.Connection:
            assert acknowledged["t"].version == 2
            return connect_on(disk, path)

        journal = SqliteJournal(path, Writer(connect_on(disk, path), reopen=reopened))
        assert await append_two(journal, 0) == Appended(2)
        disk.broken = True
        assert isinstance(await append_two(journal, 2), Unknown)
        disk.broken = False
        outcome = await append_two(journal, 2)
        assert outcome in (Appended(4), Conflict(4, None))
        assert await append_two(journal, 4) == Appended(6)
        await journal.close()

    path = tmp_path / "journal"
    create(path)
    disk = BreakingDisk("mended", apsw.IOError, lambda _: disk.broken)
    try:
        asyncio.run(test())
    finally:
        disk.unregister()
    assert survived(path) == 6


def test_a_journal_that_has_lost_what_it_acknowledged_is_not_written_to_again(tmp_path: Path) -> None:
    async def test() -> None:
        journal = await open_sqlite(path)
        assert await append_two(journal, 0) == Appended(2)
        wal_of(path).unlink()
        assert isinstance(await append_two(journal, 2), Unknown)
        assert isinstance(await append_two(journal, 2), Unusable)
        assert journal.is_lost
        await journal.close()

    path = tmp_path / "journal"
    asyncio.run(test())
