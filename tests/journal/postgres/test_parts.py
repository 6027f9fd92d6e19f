"""A journal in PostgreSQL that is rotated goes on in a new part; nothing of it is lost, changed or read twice."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import asyncpg
import pytest
from msgspec.structs import replace

from sabot.journal.checkpoint import sign
from sabot.journal.journal import Appended, Damaged, Journal, PartAway, Unusable
from sabot.journal.parts import CARRIED_RECORDS, NameRange, is_what_it_says
from sabot.journal.postgres import PostgresJournal
from sabot.journal.postgres_rotation import STEPS
from sabot.journal.record import Record
from tests.journal.contract import DurableJournalContract
from tests.journal.entries import entries
from tests.journal.parted import KEY, check_three_parts, more, opening_at, plan, rotated
from tests.journal.postgres.conftest import Database
from tests.journal.postgres.test_journal import admin_of, journal_in
from tests.journal.samples import derived, names_between, read


class TestJournalOfItsOwner(DurableJournalContract):
    """The contract once more, as the role that may rotate."""

    @pytest.fixture(autouse=True)
    def _database(self, database: Database) -> None:
        self.database = database

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Journal]:
        journal = await PostgresJournal.open(self.database.owner)
        try:
            yield journal
        finally:
            await journal.close()

    async def let_pass(self, journal: Journal, ms: int) -> None:  # noqa: ARG002  Its clock is the database's.
        async with admin_of(self.database) as link:
            await link.execute("UPDATE sabot.lease SET expires_ms = expires_ms - $1, renewed_ms = renewed_ms - $1", ms)


def run(database: Database, test: Callable[[PostgresJournal, PostgresJournal], Awaitable[object]]) -> None:
    """With a journal of a program, and one of the owner, who rotates."""

    async def opened() -> None:
        owner = await PostgresJournal.open(database.owner)
        try:
            async with journal_in(database) as journal:
                await test(journal, owner)
        finally:
            await owner.close()

    asyncio.run(opened())


async def three_parts(journal: Journal, owner: Journal) -> dict[str, list[Record]]:
    """Two streams, the first with states at both rotations; returns all of their records."""
    written: dict[str, list[Record]] = {"t": [], "u": []}
    for count in (700, 900, 50):
        written["t"] += await more(journal, "t", count)
        written["u"] += await more(journal, "u", 3)
        if count != 50:
            await rotated(owner, "t")
    return written


async def drop(database: Database, number: int) -> None:
    async with admin_of(database) as link:
        await link.execute(f"DROP SCHEMA sabot_part{number:04} CASCADE")


def test_records_are_read_over_the_parts_as_they_were_written(database: Database) -> None:
    async def test(journal: PostgresJournal, owner: PostgresJournal) -> None:
        written = await three_parts(journal, owner)
        for stream, records in written.items():
            assert await read(journal, stream) == records
            rows = [row async for page in journal.stored(stream, 0, len(records)) for row in page]
            assert [row[0] for row in rows] == [record.version for record in records]
        for after, until in ((0, 1), (187, 189), (188, 700), (699, 1_089), (1_087, 1_089), (1_600, 1_650)):
            assert await read(journal, "t", after, until) == written["t"][after:until]
        assert await journal.find("t", "k0-1") == written["t"][0]
        assert await journal.find("t", "k1600-1") == written["t"][1_600]
        assert await journal.find("t", "never") is None
        await check_three_parts(journal)
        await drop(database, 1)
        assert await read(journal, "t", 1_600 - CARRIED_RECORDS) == written["t"][1_600 - CARRIED_RECORDS :]
        assert await read(journal, "u") == written["u"]
        assert await read(journal, "t", 188) == written["t"][188:]
        with pytest.raises(PartAway, match=r"part 1 of the journal is not here .* it holds records 1 to 188 of 't'"):
            await read(journal, "t")
        with pytest.raises(PartAway, match="whether it holds the key 'k0-1' of 't' is asked"):
            await journal.find("t", "k0-1")
        assert [one.number for one in await journal.parts()] == [2, 3]

    run(database, test)


def test_what_is_kept_goes_along_or_is_found_in_earlier_parts(database: Database) -> None:
    async def test(journal: PostgresJournal, owner: PostgresJournal) -> None:
        lease = await journal.acquire_lease("t", "one", 60_000)
        await more(journal, "t", 700)
        signed = [sign(await journal.head("t"), 5, KEY)]
        await journal.save_checkpoint(signed[0])
        await journal.keep([derived("t", name, 1) for name in ("day/1", "day/2", "coup/1", "coup/2")])
        await rotated(owner, "t", carried=[NameRange("t", "day/", "day/~")])
        assert await journal.lease("t") == lease
        await more(journal, "t", 900)
        signed.append(sign(await journal.head("t"), 6, KEY))
        await journal.save_checkpoint(signed[1])
        await journal.keep([derived("t", name, 2) for name in ("coup/2", "coup/3", "day/3")])
        assert await journal.derived("t", "coup/1") == derived("t", "coup/1", 1)
        assert await journal.derived("t", "coup/2") == derived("t", "coup/2", 2)
        assert await names_between(journal, "t", "", "z") == ["coup/1", "coup/2", "coup/3", "day/1", "day/2", "day/3"]
        assert await journal.checkpoints("t") == signed
        assert await journal.checkpoints("t", 700) == signed[1:]
        assert [one async for one in journal.newest_checkpoints("t")] == signed[::-1]
        assert await journal.vouched("t") == (2, 1_600)
        await drop(database, 1)
        assert await names_between(journal, "t", "day/1", "day/9") == ["day/1", "day/2", "day/3"]
        with pytest.raises(PartAway, match="part 1 of the journal is not here"):
            await journal.derived("t", "coup/1")
        assert [one async for one in journal.newest_checkpoints("t")] == signed[::-1]
        await journal.drop_derived("t")
        assert await names_between(journal, "t", "", "z") == []

    run(database, test)


def test_tables_play_on_while_it_is_rotated(database: Database) -> None:
    """A process writes and reads without a pause; each of its appends is acknowledged, and none stands twice."""

    async def test(journal: PostgresJournal, owner: PostgresJournal) -> None:
        written = await more(journal, "t", 600)
        done = asyncio.Event()

        async def play() -> None:
            while not done.is_set():
                written.extend(await more(journal, "t", 1))
                assert (await read(journal, "t", len(written) - 2))[-1] == written[-1]

        playing = asyncio.create_task(play())
        for _ in range(4):
            await rotated(owner, "t")
        done.set()
        await playing
        assert await read(journal, "t") == written
        assert [is_what_it_says(one) for one in await journal.parts()] == [None] * 5

    run(database, test)


@pytest.mark.parametrize("step", range(len(STEPS) + 1))
def test_a_kill_behind_any_step_leaves_it_as_it_was_or_rotated(database: Database, step: int) -> None:
    async def test(journal: PostgresJournal, owner: PostgresJournal) -> None:
        before = await more(journal, "t", 700)
        killed = await asyncio.to_thread(
            subprocess.run,
            [sys.executable, "-m", "tests.journal.postgres.rotating_process", database.owner, str(step)],
            check=False,
            timeout=60,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        assert killed.returncode == -signal.SIGKILL
        before += await more(journal, "t", 10)
        assert await read(journal, "t") == before
        assert [one.number for one in await journal.parts()] == ([1, 2] if step == len(STEPS) else [])
        await rotated(owner, "t")
        assert await read(journal, "t") == before

    run(database, test)


def test_it_is_refused_to_a_program_and_while_the_tables_are_in_use(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(journal: PostgresJournal, owner: PostgresJournal) -> None:
        await more(journal, "t", 20)
        with pytest.raises(Unusable, match="only the owner of its tables may"):
            await rotated(journal, "t")
        other = await opening_at(journal, "t", 10)
        with pytest.raises(Unusable, match="the state of 't' is of another record than it says"):
            await owner.rotate(plan([replace(other, version=11)]))
        monkeypatch.setattr("sabot.journal.postgres_rotation.WAIT_MS", 50)
        async with admin_of(database) as link, link.transaction():
            await link.fetch("SELECT * FROM sabot.record")
            with pytest.raises(Unusable, match="in use by others all the time"):
                await rotated(owner, "t")
        assert await journal.parts() == []
        await more(journal, "t", 1)
        await rotated(owner, "t")
        for statement in ("INSERT INTO sabot_part0001.derived VALUES ('t', '', 1, '')", "DROP SCHEMA sabot_part0001"):
            link = await asyncpg.connect(database.application)
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await link.execute(statement)
            await link.close()

    run(database, test)


def test_a_part_that_was_changed_is_noticed(database: Database) -> None:
    async def test(journal: PostgresJournal, owner: PostgresJournal) -> None:
        await three_parts(journal, owner)
        async with admin_of(database) as link:
            await link.execute("ALTER TABLE sabot_part0001.record DISABLE TRIGGER ALL")
            await link.execute("DELETE FROM sabot_part0001.record WHERE stream = 't' AND version = 650")
            await link.execute("UPDATE sabot.opening SET state = '\\x00'::bytea")
        with pytest.raises(Damaged, match="is not the one that was sealed"):
            await journal.opening("t")
        problems = [is_what_it_says(one) for one in await journal.parts()]
        assert problems[1] is None
        assert "record 650 of 't' is missing" in (problems[0] or "")
        assert "opens with other states than the seal of part 2 names" in (problems[2] or "")
        async with admin_of(database) as link:
            await link.execute("UPDATE sabot_part0001.part_seal SET signature = '\\x00'::bytea")
        with pytest.raises(Damaged, match="is not the part 1 that the part behind it names"):
            await read(journal, "t")

    run(database, test)


def test_an_append_behind_a_record_of_an_earlier_part_is_a_conflict(database: Database) -> None:
    async def test(journal: PostgresJournal, owner: PostgresJournal) -> None:
        written = await more(journal, "t", 700)
        await rotated(owner, "t")
        stale = await journal.append("t", 100, written[100:101])
        assert not isinstance(stale, Appended)
        head = await journal.head("t")
        assert await journal.append("t", 700, head.then(1, entries(1, "new"))) == Appended(701)

    run(database, test)


def test_the_open_part_is_as_small_after_thirty_rotations_as_after_one(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sabot.journal.parts.CARRIED_RECORDS", 15)

    async def test(journal: PostgresJournal, owner: PostgresJournal) -> None:
        held = []
        for _ in range(30):
            await more(journal, "t", 20)
            await rotated(owner, "t")
            async with admin_of(database) as link:
                held.append(await link.fetchval("SELECT count(*) FROM sabot.record"))
        assert set(held) == {15}
        assert [one.number for one in await journal.parts(newest=1)] == [31]
        assert len(await read(journal, "t")) == 600

    run(database, test)
