"""An append whose outcome is not known is answered so, and taking the stream anew settles it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg
import pytest

from sabot.journal.journal import Appended, AppendOutcome, Conflict, Journal, Unknown, Unusable
from sabot.journal.ownership import Ownership, take
from sabot.journal.postgres import PostgresJournal
from sabot.journal.record import Head, Record, head_after
from tests.journal.entries import entry
from tests.journal.postgres.conftest import Database
from tests.journal.postgres.relay import Cut, Relay
from tests.journal.postgres.server import PostgresServer
from tests.journal.postgres.test_journal import admin_of, journal_in, until_one_waits_for
from tests.journal.samples import append, read

PATIENCE_SECONDS = 300


def test_a_server_process_that_is_ended_in_the_middle_of_an_append(database: Database) -> None:
    async def test() -> None:
        async with journal_in(database) as journal, admin_of(database) as admin, admin_of(database) as other:
            written = await append(journal, "t", 2)
            async with _version_held(admin, "t", 3):
                records = head_after(written[-1]).then(1, [entry("next")])
                appending = asyncio.ensure_future(journal.append("t", 2, records))
                pid = await until_one_waits_for(other, "Lock")
                await other.execute("SELECT pg_terminate_backend($1)", pid)
                assert isinstance(await appending, Unknown)
            assert await read(journal, "t") == written
            assert await journal.append("t", 2, records) == Appended(3)

    asyncio.run(test())


def test_an_append_that_waits_for_another_owner_gets_its_conflict(database: Database) -> None:
    async def test() -> None:
        async with journal_in(database) as journal, journal_in(database) as winner, admin_of(database) as admin:
            written = await append(journal, "t", 2)
            async with admin.transaction():
                await admin.execute("LOCK TABLE sabot.record IN EXCLUSIVE MODE")
                head = head_after(written[-1])
                racing = [
                    asyncio.ensure_future(each.append("t", 2, head.then(epoch, [entry(f"of {epoch}")])))
                    for epoch, each in ((1, journal), (2, winner))
                ]
                await until_one_waits_for(admin, "Lock")
            outcomes = sorted(await asyncio.gather(*racing), key=lambda outcome: type(outcome).__name__)
            assert outcomes == [Appended(3), Conflict(3)]

    asyncio.run(test())


@pytest.mark.parametrize(("cut", "is_written"), [(Cut.BEFORE_SENDING, False), (Cut.BEFORE_THE_REPLY, True)])
def test_a_wire_that_is_cut(own_server: PostgresServer, own_database: Database, cut: Cut, is_written: bool) -> None:
    async def test() -> None:
        async with Relay(own_server.folder) as relay:
            journal = await PostgresJournal.open(f"postgresql://sabot_pit@127.0.0.1:{relay.port}/{own_database.name}")
            written = await append(journal, "t", 2)
            records = head_after(written[-1]).then(1, [entry("the watched key")])
            relay.watch(b"the watched key", cut)
            assert isinstance(await journal.append("t", 2, records), Unknown)
            assert await read(journal, "t") == (written + records if is_written else written)
            await journal.close()

    asyncio.run(test())


def test_a_wait_for_the_standby_that_is_cancelled_is_no_success(own_database: Database) -> None:
    """The server confirms such a commit, with nothing but a warning that no standby has it."""

    async def test() -> None:
        async with journal_in(own_database) as journal, _local_admin(own_database) as admin:
            owner = await _taken(journal, "one")
            await _require_standby(admin, "a_standby_that_does_not_exist")
            try:
                appending, records, pid = await _append_that_waits(journal, admin, owner.head)
                await admin.execute("SELECT pg_cancel_backend($1)", pid)
                outcome = await appending
            finally:
                await _require_standby(admin, "")
            assert isinstance(outcome, Unknown)
            assert "canceling wait for synchronous replication" in outcome.why
            assert (await read(journal, "t"))[-1] == records[-1], "it is written here, and on no standby"
            await journal.release_lease(owner.lease)
            again = await _taken(journal, "one")
            assert again.head.version == records[-1].version + 1

    asyncio.run(test())


def test_a_standby_that_is_away_keeps_appends_waiting(own_database: Database) -> None:
    async def test() -> None:
        async with journal_in(own_database) as journal, _local_admin(own_database) as admin:
            owner = await _taken(journal, "one")
            await _require_standby(admin, "a_standby_that_does_not_exist")
            try:
                appending, records, _ = await _append_that_waits(journal, admin, owner.head)
                assert not appending.done()
            finally:
                await _require_standby(admin, "")
            assert await appending == Appended(records[-1].version)

    asyncio.run(test())


def test_nothing_acknowledged_is_lost_when_the_server_is_killed(
    own_server: PostgresServer, own_database: Database
) -> None:
    """Twenty tables append while the server is killed and started again, three times."""

    async def table(journal: Journal, stream: str, acknowledged: dict[str, Head], stop: asyncio.Event) -> list[Unknown]:
        unknown: list[Unknown] = []
        while not stop.is_set():
            try:
                head = await journal.head(stream)
            except Unusable:
                await asyncio.sleep(0.05)
                continue
            outcome: AppendOutcome = Appended(head.version)
            while isinstance(outcome, Appended) and not stop.is_set():
                records = head.then(1, [entry(f"{head.version}/{len(unknown)}")])
                outcome = await journal.append(stream, head.version, records)
                if isinstance(outcome, Appended):
                    head = head_after(records[-1])
                    acknowledged[stream] = head
            if isinstance(outcome, Unknown):
                unknown.append(outcome)
                await asyncio.sleep(0.02)
        return unknown

    async def test() -> None:
        stop, acknowledged = asyncio.Event(), dict[str, Head]()
        async with journal_in(own_database) as journal:
            names = [f"table-{number:02}" for number in range(20)]
            tables = [asyncio.create_task(table(journal, name, acknowledged, stop)) for name in names]
            for _ in range(3):
                await _grown(acknowledged, by=500)
                own_server.kill()
                await asyncio.sleep(0.1)
                own_server.start()
            await _grown(acknowledged, by=100)
            stop.set()
            unknown = await asyncio.gather(*tables)
            assert sum(map(len, unknown)) >= 3
            for name in names:
                records = await read(journal, name)
                assert [record.version for record in records] == list(range(1, len(records) + 1))
                assert head_after(records[acknowledged[name].version - 1]) == acknowledged[name]

    asyncio.run(asyncio.wait_for(test(), PATIENCE_SECONDS))


async def _taken(journal: Journal, owner: str) -> Ownership:
    ownership = await take(journal, "t", owner, 60_000)
    assert isinstance(ownership, Ownership), ownership
    return ownership


async def _grown(acknowledged: dict[str, Head], by: int) -> None:
    def count() -> int:
        return sum(head.version for head in acknowledged.values())

    before = count()
    while count() < before + by:
        await asyncio.sleep(0.01)


@asynccontextmanager
async def _version_held(admin: "asyncpg.Connection[asyncpg.Record]", stream: str, version: int) -> AsyncIterator[None]:
    """Somebody is writing this version and has not committed; in the end it is rolled back."""
    transaction = admin.transaction()
    await transaction.start()
    await admin.execute(
        "INSERT INTO sabot.record (stream, version, key, body, previous, hash) VALUES ($1, $2, 'held', '', '', '')",
        *(stream, version),
    )
    yield
    await transaction.rollback()


@asynccontextmanager
async def _local_admin(database: Database) -> AsyncIterator["asyncpg.Connection[asyncpg.Record]"]:
    """One who waits for no standby."""
    link = await asyncpg.connect(database.admin, server_settings={"synchronous_commit": "local"})
    try:
        yield link
    finally:
        await link.close()


async def _require_standby(admin: "asyncpg.Connection[asyncpg.Record]", name: str) -> None:
    await admin.execute(f"ALTER SYSTEM SET synchronous_standby_names = '{name}'")
    await admin.execute("SELECT pg_reload_conf()")


async def _append_that_waits(
    journal: Journal, admin: "asyncpg.Connection[asyncpg.Record]", head: Head
) -> tuple["asyncio.Future[AppendOutcome]", list[Record], int]:
    """Append until the server has taken up its new setting, and an append is found waiting for the standby."""
    while True:
        records = head.then(head.epoch, [entry(f"after {head.version}")])
        appending = asyncio.ensure_future(journal.append("t", head.version, records))
        waiting = asyncio.create_task(until_one_waits_for(admin, "SyncRep"))
        await asyncio.wait([appending, waiting], return_when=asyncio.FIRST_COMPLETED)
        if waiting.done():
            return appending, records, waiting.result()
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        assert appending.result() == Appended(records[-1].version)
        head = head_after(records[-1])
