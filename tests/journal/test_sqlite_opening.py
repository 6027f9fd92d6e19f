"""Opening a SQLite journal: what is refused, in which words, and with no byte changed; and what an auditor may do."""

import asyncio
import shutil
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from sabot.journal.anchor import Anchoring, read_anchor
from sabot.journal.disk_room import DiskRoom
from sabot.journal.journal import Appended, Conflict, Damaged, SignedCheckpoint, Unknown, Unusable
from sabot.journal.record import head_after, start_of
from sabot.journal.sqlite import open_read_only, open_sqlite
from sabot.journal.sqlite_file import check_library
from sabot.journal.sqlite_start_checks import CheckpointTrust, sync_warning
from tests.journal.entries import entries, entry
from tests.journal.samples import read, snapshot
from tests.journal.sqlite_files import bytes_in, continued, tamper, written

UNGUARDED = ("DROP TRIGGER record_no_update", "DROP TRIGGER record_no_delete")
GUARDED = tuple(
    f"CREATE TRIGGER record_no_{verb} BEFORE {verb.upper()} ON record"
    " BEGIN SELECT RAISE(ABORT, 'a record is never changed'); END"
    for verb in ("update", "delete")
)


def refusal(path: Path, anchor: Path | None = None, room: DiskRoom | None = None) -> str:
    """The sentence with which opening is refused; nothing in the folder may have changed."""
    before = bytes_in(path.parent)
    with pytest.raises(Unusable) as refused:
        asyncio.run(open_sqlite(path, anchoring=Anchoring(anchor) if anchor else None, room=room or DiskRoom()))
    assert bytes_in(path.parent) == before
    sentence = str(refused.value)
    assert "\n" not in sentence
    return sentence


@pytest.mark.parametrize("content", [b"", b"dear diary", b"SQLite format 3\0", bytes(8_192)])
def test_a_file_that_is_not_a_journal_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "journal"
    path.write_bytes(content)
    assert refusal(path) == f"{path} is not a journal"
    with pytest.raises(Unusable, match="is not a journal"):
        open_read_only(path)


@pytest.mark.parametrize("mode", ["delete", "wal"])
def test_the_database_of_another_application_is_refused(tmp_path: Path, mode: str) -> None:
    path = tmp_path / "journal"
    tamper(path, f"PRAGMA journal_mode = {mode}", "CREATE TABLE record (stream, version)")
    assert refusal(path) == f"{path} is a database of another application, not a journal"


def test_a_newer_format_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    written(path)
    tamper(path, "PRAGMA user_version = 4")
    assert refusal(path) == f"the journal {path} has format 4, and this program knows format 3"


def test_a_folder_in_the_place_of_a_journal_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    path.mkdir()
    assert refusal(path) == f"there is no journal at {path}"


def test_a_missing_folder_is_refused_and_not_made(tmp_path: Path) -> None:
    path = tmp_path / "nowhere" / "journal"
    with pytest.raises(Unusable, match="there is no folder"):
        asyncio.run(open_sqlite(path))
    assert bytes_in(tmp_path) == {}
    assert not path.parent.exists()


def test_a_nearly_full_disk_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    written(path)
    assert "is full" in refusal(path, room=DiskRoom(to_start=2**60))
    assert "is full" in refusal(tmp_path / "new", room=DiskRoom(to_start=2**60))


def test_below_the_mark_a_journal_says_that_no_coup_should_be_opened(tmp_path: Path) -> None:
    async def test() -> None:
        journal = await open_sqlite(tmp_path / "journal", room=DiskRoom(to_accept=2**60))
        assert journal.report is not None
        assert any("no new coup should be opened" in warning for warning in journal.report.warnings)
        shortage = journal.shortage()
        assert shortage is not None
        assert "nearly full" in shortage
        await journal.close()

    asyncio.run(test())


READ_ONLY = """
import asyncio, concurrent.futures.thread, contextlib, os, sys
from pathlib import Path
from sabot.journal.journal import Unusable
from sabot.journal.sqlite import open_read_only, open_sqlite
if os.geteuid() == 0:  # Nothing is read-only to a superuser, unless it may not even become somebody else.
    with contextlib.suppress(PermissionError):
        os.setuid(65534)
path = Path(sys.argv[1])
try:
    asyncio.run(open_sqlite(path))
except Unusable as refused:
    print(refused)
async def look():
    print((await open_read_only(path).head("t")).version)
asyncio.run(look())
"""


def test_a_read_only_disk_is_refused_and_can_still_be_audited() -> None:
    folder = Path(tempfile.mkdtemp(prefix="sabot-read-only-"))
    try:
        path = folder / "journal"
        written(path)
        path.chmod(0o444)
        folder.chmod(0o555)
        before = bytes_in(folder)
        command = [sys.executable, "-c", READ_ONLY, str(path)]
        run = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  Our own words.
        assert run.stdout.splitlines() == [
            f"the journal {path} lies on a disk or in a folder that cannot be written to",
            "20",
        ], run.stderr
        assert bytes_in(folder) == before
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)


@pytest.mark.parametrize(
    ("version", "good"),
    [
        ("3.40.1", False),
        ("3.44.5", False),
        ("3.44.6", True),
        ("3.45.0", False),
        ("3.50.6", False),
        ("3.50.7", True),
        ("3.51.0", False),
        ("3.51.2", False),
        ("3.51.3", True),
        ("3.54.1", True),
        ("4.0.0", True),
    ],
)
def test_a_library_that_can_lose_commits_is_refused(version: str, good: bool) -> None:
    if good:
        check_library(version)
    else:
        with pytest.raises(Unusable, match=r"can lose committed records; a journal needs 3\.51\.3 or newer"):
            check_library(version)


def test_the_writer_syncs_every_commit(tmp_path: Path) -> None:
    async def test() -> None:
        journal = await open_sqlite(tmp_path / "journal")
        names = ("journal_mode", "synchronous", "locking_mode", "wal_autocheckpoint")
        ask = journal._writer.do  # noqa: SLF001  Only the writer's own connection can tell how it is set.
        settings = await ask(lambda db: [db.pragma(name) for name in names])
        assert settings == ["wal", 2, "normal", 0]
        await journal.close()

    asyncio.run(test())


@pytest.mark.parametrize(("sync_us", "warned"), [(0.5, True), (19.9, True), (20.0, False), (4_000.0, False)])
def test_a_disk_that_syncs_faster_than_any_disk_can_is_warned_of(sync_us: float, warned: bool) -> None:
    assert (sync_warning(sync_us) is not None) == warned


# What was tampered with


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            "UPDATE record SET body = (SELECT body FROM record WHERE version = 8) WHERE version = 7",
            "record 7 of 't' does not carry",
        ),
        (
            "UPDATE record SET body = substr(body, 1, length(body) - 1) WHERE version = 7",
            "record 7 of 't' does not carry",
        ),
        ("UPDATE record SET body = CAST('[3,1,[]]' AS BLOB) WHERE version = 7", "record 7 of 't' does not carry"),
        ("UPDATE record SET body = CAST(x'ff' || body AS BLOB) WHERE version = 7", "record 7 of 't' does not carry"),
        ("UPDATE record SET body = zeroblob(0) WHERE version = 7", "record 7 of 't' does not carry"),
        ("UPDATE record SET hash = zeroblob(32) WHERE version = 20", "record 20 of 't' does not carry"),
        ("UPDATE record SET key = 'other' WHERE version = 7", "record 7 of 't' is filed under another key"),
        ("DELETE FROM record WHERE version = 7", "record 7 of 't' is missing"),
        ("DELETE FROM record WHERE version = 1", "record 1 of 't' is missing"),
        ("UPDATE record SET stream = 'u' WHERE version = 20", "record 1 of 'u' is missing"),
    ],
)
def test_a_changed_record_is_named(tmp_path: Path, change: str, sentence: str) -> None:
    path = tmp_path / "journal"
    written(path)
    tamper(path, *UNGUARDED, change, *GUARDED)
    assert sentence in refusal(path)


def test_a_journal_without_its_guards_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    written(path)
    tamper(path, UNGUARDED[0])
    assert "are not those it was made with" in refusal(path)


@pytest.mark.parametrize("table", ["record", "checkpoint"])
@pytest.mark.parametrize("change", ["UPDATE {} SET version = 99", "DELETE FROM {}"])
def test_the_file_itself_refuses_changes(tmp_path: Path, table: str, change: str) -> None:
    async def test() -> None:
        journal = await open_sqlite(path)
        await journal.append("t", 0, start_of("t").then(1, entries(1)))
        await journal.save_checkpoint(SignedCheckpoint(await journal.head("t"), 1, "key", b"signed"))
        await journal.close()

    path = tmp_path / "journal"
    asyncio.run(test())
    with closing(apsw.Connection(str(path))) as db, pytest.raises(apsw.ConstraintError, match="is never changed"):
        db.execute(change.format(table))


# The anchor


def test_a_tail_that_was_cut_is_found_by_the_anchor_alone(tmp_path: Path) -> None:
    path, anchor = tmp_path / "journal", tmp_path / "anchor"
    written(path, anchor=anchor)
    tamper(path, *UNGUARDED, "DELETE FROM record WHERE version > 15", *GUARDED)
    sentence = refusal(path, anchor)
    assert "ends at record 15 of 't', but the anchor knows of record 20: acknowledged records are lost" in sentence
    asyncio.run(opened_and_closed(path))


@pytest.mark.parametrize("every_ms", [0, 1_000])
def test_a_file_put_back_without_the_loss_of_a_record_is_found_by_the_anchor(tmp_path: Path, every_ms: int) -> None:
    """It has lost leases, and with them the signs of life of owners."""
    path, anchor = tmp_path / "journal", tmp_path / "anchor"

    async def lease(owner: str) -> None:
        journal = await open_sqlite(path, anchoring=Anchoring(anchor, every_ms))
        assert await journal.acquire_lease(owner, owner, 1_000) is not None
        await journal.close()

    asyncio.run(lease("one"))
    before = path.read_bytes()
    asyncio.run(lease("two"))
    path.write_bytes(before)
    assert "leases or snapshots that the anchor knows of are lost" in refusal(path, anchor)


def test_another_history_is_found_by_the_anchor(tmp_path: Path) -> None:
    path, anchor = tmp_path / "journal", tmp_path / "anchor"
    written(path, anchor=anchor)
    path.unlink()
    assert "there is no journal at" in refusal(path, anchor)
    other = start_of("t").then(2, entries(25, "other"))
    asyncio.run(opened_and_closed(path))

    async def write() -> None:
        journal = await open_sqlite(path)
        assert await journal.append("t", 0, other) == Appended(25)
        await journal.close()

    asyncio.run(write())
    assert "record 20 of 't' is not the one that the anchor knows" in refusal(path, anchor)


def test_a_missing_wal_file_is_found_by_the_anchor(tmp_path: Path) -> None:
    """SQLite itself finds nothing wrong with a file whose newest commits were in a log that is gone."""

    async def test() -> None:
        journal = await open_sqlite(path, anchoring=Anchoring(anchor, every_ms=0))
        for record in start_of("t").then(1, entries(5)):
            assert await journal.append("t", record.version - 1, [record]) == Appended(record.version)
        shutil.copy(path, copied / "journal")
        await journal.close()

    path, anchor, copied = tmp_path / "journal", tmp_path / "anchor", tmp_path / "copied"
    copied.mkdir()
    asyncio.run(test())
    asyncio.run(opened_and_closed(copied / "journal"))
    assert "ends at record 0 of 't', but the anchor knows of record 5" in refusal(copied / "journal", anchor)


def test_a_wal_file_that_is_deleted_under_a_running_journal_is_noticed_before_the_next_answer(tmp_path: Path) -> None:
    """SQLite goes on writing to the deleted file and finds nothing wrong with that."""

    async def test() -> None:
        journal = await open_sqlite(tmp_path / "journal")
        records = start_of("t").then(1, entries(2))
        assert await journal.append("t", 0, records[:1]) == Appended(1)
        (tmp_path / "journal-wal").unlink()
        with pytest.raises(Damaged, match="its -wal file is gone"):
            await journal.head("t")
        assert isinstance(await journal.append("t", 1, records[1:]), Unknown)
        with pytest.raises(Unusable, match="until it is opened again"):
            await journal.append("t", 1, records[1:])
        await journal.close()

    asyncio.run(test())


def test_with_every_answer_anchored_the_anchor_is_never_behind(tmp_path: Path) -> None:
    async def test() -> None:
        journal = await open_sqlite(tmp_path / "journal", anchoring=Anchoring(anchor, every_ms=0))
        for record in start_of("t").then(1, entries(5)):
            await journal.append("t", record.version - 1, [record])
            raised = read_anchor(anchor)
            assert raised is not None
            assert raised.heads == {"t": head_after(record)}
        checkpoint = SignedCheckpoint(await journal.head("t"), 1, "key", b"signed")
        await journal.save_checkpoint(checkpoint)
        raised = read_anchor(anchor)
        assert raised is not None
        assert raised.checkpoints == {"t": checkpoint}
        await journal.close()

    anchor = tmp_path / "anchor"
    asyncio.run(test())


def test_closing_raises_the_anchor(tmp_path: Path) -> None:
    async def test() -> None:
        journal = await open_sqlite(tmp_path / "journal", anchoring=Anchoring(anchor, every_ms=10**9))
        await journal.append("t", 0, start_of("t").then(1, entries(5)))
        await journal.close()

    anchor = tmp_path / "anchor"
    asyncio.run(test())
    raised = read_anchor(anchor)
    assert raised is not None
    assert raised.heads["t"].version == 5


def test_an_anchor_that_cannot_be_written_is_refused_at_start_and_told_later(tmp_path: Path) -> None:
    async def test() -> None:
        journal = await open_sqlite(path, anchoring=Anchoring(elsewhere / "anchor", every_ms=0))
        troubles = [journal.trouble]
        shutil.rmtree(elsewhere)
        assert await journal.append("t", 0, start_of("t").then(1, entries(1))) == Appended(1)
        troubles.append(journal.trouble)
        elsewhere.mkdir()
        assert await journal.append("u", 0, start_of("u").then(1, entries(1))) == Appended(1)
        assert [troubles[0], journal.trouble] == [None, None]
        assert "anchor cannot be written" in str(troubles[1])
        raised = read_anchor(elsewhere / "anchor")
        assert raised is not None
        assert set(raised.heads) == {"t", "u"}
        await journal.close()

    path, elsewhere = tmp_path / "journal", tmp_path / "other disk"
    written(path, 0)
    assert "the anchor" in refusal(path, elsewhere / "anchor")
    elsewhere.mkdir()
    asyncio.run(test())


# Checkpoints


@pytest.mark.parametrize(
    ("trusts", "verified", "opens"),
    [
        pytest.param(lambda checkpoint: checkpoint.key_id == "good", 5, True, id="from the last trusted one"),
        pytest.param(lambda _: False, 20, False, id="from the start where none is trusted"),
    ],
)
def test_the_chain_is_verified_from_the_last_trusted_checkpoint(
    tmp_path: Path, trusts: CheckpointTrust, verified: int, opens: bool
) -> None:
    async def sign() -> None:
        journal = await open_sqlite(path)
        for version, key in ((10, "good"), (15, "good"), (18, "bad")):
            await journal.save_checkpoint(SignedCheckpoint(head_after(records[version - 1]), version, key, b"signed"))
        await journal.close()

    async def reopened() -> int:
        journal = await open_sqlite(path, trusts=trusts)
        assert journal.report is not None
        await journal.close()
        return journal.report.records_verified

    path = tmp_path / "journal"
    records = written(path)
    asyncio.run(sign())
    assert asyncio.run(reopened()) == verified
    tamper(path, *UNGUARDED, "UPDATE record SET body = zeroblob(9) WHERE version = 3", *GUARDED)
    if opens:
        asyncio.run(reopened())
    else:
        assert "record 3 of 't'" in refusal(path)
    with pytest.raises(Damaged, match="record 3 of 't'"):
        asyncio.run(read(open_read_only(path), "t"))


def test_a_journal_that_ends_before_its_own_checkpoint_is_refused(tmp_path: Path) -> None:
    async def sign() -> None:
        journal = await open_sqlite(path)
        await journal.save_checkpoint(SignedCheckpoint(head_after(records[-1]), 1, "key", b"signed"))
        await journal.close()

    path = tmp_path / "journal"
    records = written(path)
    asyncio.run(sign())
    tamper(path, *UNGUARDED, "DELETE FROM record WHERE version = 20", *GUARDED)
    with pytest.raises(Unusable, match="ends at record 19 of 't', but its last signed checkpoint knows of record 20"):
        asyncio.run(open_sqlite(path, trusts=lambda _: True))


# Reading and writing


def test_an_auditor_changes_nothing_on_a_live_table_or_at_rest(tmp_path: Path) -> None:
    async def test() -> None:
        journal = await open_sqlite(path)
        records = start_of("t").then(1, entries(5))
        assert await journal.append("t", 0, records[:3]) == Appended(3)
        auditor = open_read_only(path)
        before = {name: content for name, content in bytes_in(tmp_path).items() if name != "journal-shm"}
        assert await read(auditor, "t") == records[:3]
        await auditor.check_pages()
        after = {name: content for name, content in bytes_in(tmp_path).items() if name != "journal-shm"}
        assert after == before
        assert await journal.append("t", 3, records[3:]) == Appended(5)
        assert await read(auditor, "t") == records
        await journal.close()
        at_rest = bytes_in(tmp_path)
        assert list(at_rest) == ["journal"]
        assert await read(auditor, "t") == records
        assert bytes_in(tmp_path) == at_rest

    path = tmp_path / "journal"
    asyncio.run(test())


def test_another_history_at_the_same_version_is_a_conflict(tmp_path: Path) -> None:
    async def test() -> None:
        journal = await open_sqlite(path)
        forked = start_of("t").then(2, [*entries(19), entry("fork")])
        outcome = await journal.append("t", 20, continued(forked, 1))
        assert outcome == Conflict(20)
        await journal.close()

    path = tmp_path / "journal"
    written(path)
    asyncio.run(test())


def test_a_damaged_snapshot_is_passed_over(tmp_path: Path) -> None:
    async def save() -> None:
        journal = await open_sqlite(path)
        await journal.save_snapshot(snapshot("t", 3))
        await journal.close()

    path = tmp_path / "journal"
    asyncio.run(save())
    assert asyncio.run(open_read_only(path).newest_snapshot("t", "form")) == snapshot("t", 3)
    tamper(path, "UPDATE snapshot SET version = 4")
    assert asyncio.run(open_read_only(path).newest_snapshot("t", "form")) is None


def test_a_closed_journal_writes_nothing(tmp_path: Path) -> None:
    async def test() -> None:
        journal = await open_sqlite(path)
        await journal.close()
        with pytest.raises(Unusable, match="until it is opened again: it is closed"):
            await journal.append("t", 0, start_of("t").then(1, entries(1)))

    path = tmp_path / "journal"
    asyncio.run(test())
    assert asyncio.run(open_read_only(path).streams()) == []


def test_a_caller_that_gave_up_waiting_hinders_nobody(tmp_path: Path) -> None:
    async def test() -> None:
        journal = await open_sqlite(tmp_path / "journal")
        records = start_of("t").then(1, entries(2))
        impatient = asyncio.ensure_future(journal.append("t", 0, records[:1]))
        await asyncio.sleep(0)
        impatient.cancel()
        assert await journal.append("u", 0, start_of("u").then(1, entries(1))) == Appended(1)
        assert (await journal.head("t")).version == 1
        assert await journal.append("t", 1, records[1:]) == Appended(2)
        await journal.close()

    asyncio.run(test())


def test_two_programs_that_make_the_same_journal_end_up_with_one(tmp_path: Path) -> None:
    async def test() -> None:
        journals = await asyncio.gather(*(open_sqlite(path) for _ in range(4)), return_exceptions=True)
        opened = [journal for journal in journals if not isinstance(journal, BaseException)]
        assert opened
        assert all(isinstance(each, Unusable) for each in journals if isinstance(each, BaseException))
        for journal in opened:
            await journal.close()

    path = tmp_path / "journal"
    asyncio.run(test())
    assert list(bytes_in(tmp_path)) == ["journal"]


async def opened_and_closed(path: Path) -> None:
    await (await open_sqlite(path)).close()
