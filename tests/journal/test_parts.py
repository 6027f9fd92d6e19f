"""A journal that is rotated goes on in a new part; nothing of what it held before is lost, changed or read twice."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from sabot.journal import sqlite_rows as rows
from sabot.journal.anchor import Anchoring
from sabot.journal.checkpoint import is_signed_by, sign
from sabot.journal.journal import Appended, Damaged, Derived, PartAway, SignedCheckpoint, Unusable
from sabot.journal.parts import CARRIED_RECORDS, NameRange, PartSeal
from sabot.journal.record import Record
from sabot.journal.sqlite import SqliteJournal, open_read_only, open_sqlite
from sabot.journal.sqlite_file import reading
from sabot.journal.sqlite_rotation import STEPS
from tests.journal.entries import entries
from tests.journal.parted import KEY, check_three_parts, more, opening_at, part, plan, rotated
from tests.journal.samples import derived, names_between, read
from tests.journal.sqlite_files import bytes_in, tamper


def trusts_key(one: SignedCheckpoint | PartSeal) -> bool:
    return is_signed_by(one, KEY.public)


def run(path: Path, test: Callable[[SqliteJournal], Awaitable[object]]) -> None:
    async def opened() -> None:
        journal = await open_sqlite(path, anchoring=Anchoring(path.with_name("anchor"), every_ms=0), trusts=trusts_key)
        try:
            await test(journal)
        finally:
            await journal.close()

    asyncio.run(opened())


async def three_parts(journal: SqliteJournal) -> dict[str, list[Record]]:
    """Two streams, the first with states at both rotations; returns all of their records."""
    written: dict[str, list[Record]] = {"t": [], "u": []}
    for count in (700, 900, 50):
        written["t"] += await more(journal, "t", count)
        written["u"] += await more(journal, "u", 3)
        if count != 50:
            await rotated(journal, "t")
    return written


def test_records_are_read_over_the_parts_as_they_were_written(tmp_path: Path) -> None:
    async def test(journal: SqliteJournal) -> None:
        written = await three_parts(journal)
        for reader in (journal, open_read_only(path)):
            for stream, records in written.items():
                assert await read(reader, stream) == records
                assert await reader.head(stream) == await journal.head(stream)
                rows = [row async for page in reader.stored(stream, 0, len(records)) for row in page]
                assert [row[0] for row in rows] == [record.version for record in records]
            for after, until in ((0, 1), (187, 189), (188, 700), (699, 1_089), (1_087, 1_089), (1_600, 1_650)):
                assert await read(reader, "t", after, until) == written["t"][after:until]
            assert await reader.find("t", "k0-1") == written["t"][0]
            assert await reader.find("t", "k1600-1") == written["t"][1_600]
            assert await reader.find("t", "never") is None

    path = tmp_path / "journal"
    run(path, test)
    assert {one.name for one in tmp_path.iterdir()} == {"anchor", "journal", "journal.part0001", "journal.part0002"}


def test_the_open_part_holds_what_an_owner_looks_at_and_no_more(tmp_path: Path) -> None:
    async def test(journal: SqliteJournal) -> None:
        written = await three_parts(journal)
        for number in (1, 2):
            part(path, number).rename(away / part(path, number).name)
        assert await read(journal, "t", 1_600 - CARRIED_RECORDS) == written["t"][1_600 - CARRIED_RECORDS :]
        assert await read(journal, "u") == written["u"]
        with pytest.raises(PartAway, match=r"part 2 .* is not here .* it holds records 188 to 1,088 of 't'"):
            await read(journal, "t", 187)
        with pytest.raises(PartAway, match="whether it holds the key 'k0-1' of 't' is asked"):
            await journal.find("t", "k0-1")
        part2 = away / part(path, 2).name
        part2.rename(part(path, 2))
        assert await read(journal, "t", 188) == written["t"][188:]
        with pytest.raises(PartAway, match=r"part 1 of the journal is not here .* it holds records 1 to 188 of 't'"):
            await read(journal, "t")

    path, away = tmp_path / "journal", tmp_path / "away"
    away.mkdir()
    run(path, test)
    run(path, lambda journal: journal.opening("t"))


def test_a_part_says_what_it_opens_with_and_its_seal_is_signed(tmp_path: Path) -> None:
    async def test(journal: SqliteJournal) -> None:
        await three_parts(journal)
        parts = await check_three_parts(journal)
        alone = open_read_only(part(path, 2))
        assert [one.number for one in await alone.parts()] == [2]
        with pytest.raises(PartAway, match="is read alone"):
            await read(alone, "t")
        assert (await alone.opening("t")) == parts[1].openings["t"]

    path = tmp_path / "journal"
    run(path, test)


def test_a_stream_without_a_new_state_goes_on_from_the_one_before(tmp_path: Path) -> None:
    async def test(journal: SqliteJournal) -> None:
        await more(journal, "t", 700)
        await rotated(journal, "t")
        await more(journal, "t", 700)
        await journal.rotate(plan())
        opening = await journal.opening("t")
        assert opening is not None
        assert opening.version == 700
        part(path, 1).unlink()
        part(path, 2).unlink()
        assert len(await read(journal, "t", 699)) == 701

    path = tmp_path / "journal"
    run(path, test)


def test_a_state_of_another_record_is_refused(tmp_path: Path) -> None:
    async def test(journal: SqliteJournal) -> None:
        await more(journal, "t", 20)
        other = await opening_at(journal, "t", 10)
        with pytest.raises(Unusable, match="the state of 't' is of another record than it says"):
            await journal.rotate(plan([replace(other, version=11)]))
        assert await journal.parts() != []
        await more(journal, "t", 1)

    run(tmp_path / "journal", test)
    assert not part(tmp_path / "journal", 1).exists()


def test_leases_checkpoints_snapshots_and_commits_go_along(tmp_path: Path) -> None:
    async def test(journal: SqliteJournal) -> None:
        lease = await journal.acquire_lease("t", "one", 60_000)
        await more(journal, "t", 700)
        signed = [sign(await journal.head("t"), 5, KEY)]
        await journal.save_checkpoint(signed[0])
        await rotated(journal, "t")
        assert await journal.lease("t") == lease
        await more(journal, "t", 900)
        signed.append(sign(await journal.head("t"), 6, KEY))
        await journal.save_checkpoint(signed[1])
        await rotated(journal, "t")
        assert await journal.checkpoints("t") == signed
        assert await journal.checkpoints("t", 700) == signed[1:]
        assert [one async for one in journal.newest_checkpoints("t")] == signed[::-1]
        assert await journal.vouched("t") == (2, 1_600)
        part(path, 1).unlink()
        assert await anext(journal.newest_checkpoints("t")) == signed[1]

    path = tmp_path / "journal"
    run(path, test)
    run(path, lambda journal: more(journal, "t", 1))


def test_derived_values_are_found_in_earlier_parts_and_carried_ones_without_them(tmp_path: Path) -> None:
    async def test(journal: SqliteJournal) -> None:
        await more(journal, "t", 700)
        await journal.keep([derived("t", name, 1) for name in ("day/1", "day/2", "coup/1", "coup/2")])
        await rotated(journal, "t", carried=[NameRange("t", "day/", "day/~")])
        await journal.keep([derived("t", name, 2) for name in ("coup/2", "coup/3", "day/3")])
        assert await journal.derived("t", "coup/1") == derived("t", "coup/1", 1)
        assert await journal.derived("t", "coup/2") == derived("t", "coup/2", 2)
        assert await names_between(journal, "t", "", "z") == ["coup/1", "coup/2", "coup/3", "day/1", "day/2", "day/3"]
        found = [one async for page in journal.derived_between("t", "coup/1", "coup/3") for one in page]
        assert [one.version for one in found] == [1, 2, 2]
        part(path, 1).rename(tmp_path / "away")
        assert await names_between(journal, "t", "day/1", "day/9") == ["day/1", "day/2", "day/3"]
        assert await journal.derived("t", "coup/3") == derived("t", "coup/3", 2)
        with pytest.raises(PartAway, match="part 1 of the journal is not here"):
            await journal.derived("t", "coup/1")
        with pytest.raises(PartAway):
            await names_between(journal, "t", "coup/1", "coup/3")
        await journal.drop_derived("t")
        assert await journal.derived("t", "coup/1") is None
        assert await names_between(journal, "t", "", "z") == []

    path = tmp_path / "journal"
    run(path, test)


def test_many_pages_of_derived_values_are_merged(tmp_path: Path) -> None:
    async def test(journal: SqliteJournal) -> None:
        await more(journal, "t", 600)
        names = [f"{number:05}" for number in range(5_000)]
        await journal.keep([Derived("t", name, 1, b"old") for name in names[::2]])
        await rotated(journal, "t")
        await journal.keep([Derived("t", name, 2, b"new") for name in names[::3]])
        found = {one.name: one.value async for page in journal.derived_between("t", "", "z") for one in page}
        assert list(found) == sorted({*names[::2], *names[::3]})
        assert all(found[name] == (b"new" if int(name) % 3 == 0 else b"old") for name in found)

    run(tmp_path / "journal", test)


def test_what_is_appended_while_it_is_rotated_is_written_behind_it(tmp_path: Path) -> None:
    async def test(journal: SqliteJournal) -> None:
        await more(journal, "t", 600)
        opening = await opening_at(journal, "t", 600)
        records = (await journal.head("t")).then(1, entries(3, "meanwhile"))
        begun = [journal.append("t", 600 + place, [one]) for place, one in enumerate(records[:1])]
        rotating = asyncio.create_task(journal.rotate(plan([opening])))
        await asyncio.sleep(0)
        begun += [journal.append("t", 600 + place, [one]) for place, one in enumerate(records[1:], 1)]
        reading = asyncio.gather(*(read(journal, "t", 500) for _ in range(20)))
        await rotating
        assert [await one for one in begun] == [Appended(601), Appended(602), Appended(603)]
        assert (await read(journal, "t"))[600:] == records
        assert all(len(one) >= 100 for one in await reading)

    run(tmp_path / "journal", test)


@pytest.mark.parametrize("step", range(len(STEPS) + 1))
def test_a_kill_behind_any_step_loses_nothing_and_the_next_start_ends_or_undoes_it(tmp_path: Path, step: int) -> None:
    path = tmp_path / "journal"
    run(path, lambda journal: more(journal, "t", 700))
    before = asyncio.run(read(open_read_only(path), "t"))
    killed = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "tests.journal.rotating_process", str(path), str(step)],
        check=False,
        timeout=60,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert killed.returncode == -signal.SIGKILL

    async def test(journal: SqliteJournal) -> None:
        assert await read(journal, "t") == before
        is_rotated = step >= [one.__name__ for one in STEPS].index("mark") + 1
        assert [one.number for one in await journal.parts()] == ([1, 2] if is_rotated else [1])
        assert (await journal.opening("t") is not None) is is_rotated
        await more(journal, "t", 10)
        await rotated(journal, "t")
        assert (await read(journal, "t"))[:700] == before

    assert asyncio.run(read(open_read_only(path), "t")) == before
    run(path, test)
    assert not path.with_name("journal.next").exists()


@pytest.mark.parametrize("step", range(len(STEPS)))
def test_a_step_that_fails_leaves_a_journal_that_goes_on(
    tmp_path: Path, step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> None:
        raise OSError("no room")

    async def test(journal: SqliteJournal) -> None:
        await more(journal, "t", 600)
        with monkeypatch.context() as patch:
            patch.setattr("sabot.journal.sqlite_rotation.STEPS", (*STEPS[:step], fail, *STEPS[step + 1 :]))
            with pytest.raises(OSError, match="no room"):
                await rotated(journal, "t")
        await more(journal, "t", 5)
        assert len(await read(journal, "t")) == 605
        await rotated(journal, "t")
        assert len(await read(journal, "t")) == 605

    run(tmp_path / "journal", test)


def test_a_journal_that_is_read_all_the_time_is_not_rotated_and_goes_on(tmp_path: Path) -> None:
    """By another process, whose connection must never meet the write-ahead log of the next part."""

    async def test(journal: SqliteJournal) -> None:
        await more(journal, "t", 600)
        with reading(path) as db:
            assert rows.last_version(db, "t") == 600
            with pytest.raises(Unusable, match="is not rotated: it is being read all the time"):
                await rotated(journal, "t")
        await more(journal, "t", 5)
        await rotated(journal, "t")
        assert len(await read(journal, "t")) == 605

    path = tmp_path / "journal"
    run(path, test)


def test_a_sealed_part_is_not_written_to(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    run(path, three_parts)
    with pytest.raises(Unusable, match="is a sealed part of a journal"):
        asyncio.run(open_sqlite(part(path, 1)))
    assert part(path, 1).stat().st_mode & 0o777 == 0o400


def test_a_sealed_part_in_the_place_of_the_open_one_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    run(path, three_parts)
    path.write_bytes(part(path, 1).read_bytes())
    before = bytes_in(tmp_path)
    with pytest.raises(Unusable, match="but the anchor knows of record"):
        run(path, three_parts)
    with pytest.raises(Unusable, match="part0001 is there already"):
        asyncio.run(open_sqlite(path))
    part(path, 1).unlink()
    with pytest.raises(Unusable, match=r"goes on in .*part0002: it is an old copy"):
        asyncio.run(open_sqlite(path))
    assert bytes_in(tmp_path).keys() == before.keys() - {"journal.part0001"}
    assert bytes_in(tmp_path)["journal"] == before["journal"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("UPDATE opening SET state = x'0041'", "opens with other states than the seal of part 2 names"),
        ("UPDATE base SET hash = zeroblob(32)", "does not begin behind the records that the seal of part 2 names"),
        ("DELETE FROM opening", "opens with other states than the seal of part 2 names"),
        ("DELETE FROM part_before", "begins with a state, and no seal says which"),
        ("UPDATE part_before SET text = CAST(text || x'0a' AS BLOB)", "the seal of the part before journal is not one"),
        ("UPDATE part_before SET signature = zeroblob(64)", "is not signed by a trusted key"),
    ],
)
def test_a_forged_beginning_is_refused_at_the_start(tmp_path: Path, change: str, says: str) -> None:
    path = tmp_path / "journal"
    run(path, three_parts)
    tamper(path, change)
    with pytest.raises(Unusable, match=says):
        run(path, three_parts)


def test_a_part_exchanged_for_another_is_not_read(tmp_path: Path) -> None:
    async def test(journal: SqliteJournal) -> None:
        with pytest.raises(Damaged, match="is not the part 2 that the part behind it names"):
            await read(journal, "t")

    path = tmp_path / "journal"
    run(path, three_parts)
    part(path, 2).unlink()
    part(path, 2).write_bytes(part(path, 1).read_bytes())
    run(path, test)
