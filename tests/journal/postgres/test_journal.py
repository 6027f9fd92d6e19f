"""The journal in PostgreSQL keeps the contract, as a role that can only add and read."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import asyncpg
import pytest

from sabot.journal.journal import Appended, Conflict, Damaged, Journal
from sabot.journal.postgres import PostgresJournal
from sabot.journal.postgres_connection import connect
from sabot.journal.record import head_after, start_of
from tests.journal.contract import DurableJournalContract
from tests.journal.entries import entries, entry
from tests.journal.postgres.conftest import Database
from tests.journal.postgres.relay import Relay
from tests.journal.postgres.server import PostgresServer
from tests.journal.samples import append, read


class TestPostgresJournal(DurableJournalContract):
    @pytest.fixture(autouse=True)
    def _database(self, database: Database) -> None:
        self.database = database

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Journal]:
        async with journal_in(self.database) as journal:
            yield journal

    async def let_pass(self, journal: Journal, ms: int) -> None:  # noqa: ARG002  Its clock is the database's.
        async with admin_of(self.database) as link:
            await link.execute("UPDATE sabot.lease SET expires_ms = expires_ms - $1, renewed_ms = renewed_ms - $1", ms)


@asynccontextmanager
async def journal_in(database: Database) -> AsyncIterator[PostgresJournal]:
    journal = await PostgresJournal.open(database.application)
    try:
        yield journal
    finally:
        await journal.close()


@asynccontextmanager
async def admin_of(database: Database) -> AsyncIterator["asyncpg.Connection[asyncpg.Record]"]:
    link = await asyncpg.connect(database.admin)
    try:
        yield link
    finally:
        await link.close()


def test_appends_that_wait_together_share_a_commit(database: Database) -> None:
    async def test() -> None:
        async with journal_in(database) as journal, admin_of(database) as admin:
            names = [f"table-{number}" for number in range(50)]
            outcomes = await asyncio.gather(
                *(journal.append(name, 0, start_of(name).then(1, entries(2))) for name in names)
            )
            assert outcomes == [Appended(2)] * 50
            assert await admin.fetchval("SELECT count(DISTINCT xmin::text) FROM sabot.record") == 1

    asyncio.run(test())


def test_more_than_fits_one_statement_is_written_in_several(database: Database) -> None:
    async def test() -> None:
        async with journal_in(database) as journal:
            names = [f"table-{number}" for number in range(8)]
            outcomes = await asyncio.gather(
                *(journal.append(name, 0, start_of(name).then(1, entries(700))) for name in names)
            )
            assert outcomes == [Appended(700)] * 8

    asyncio.run(test())


def test_an_owner_whose_head_is_another_record_of_the_same_version_is_refused(database: Database) -> None:
    """A fail-over that lost a tail lets another owner write other records in its place; the first must not follow."""

    async def test() -> None:
        async with journal_in(database) as journal:
            written = await append(journal, "t", 3)
            lost = start_of("t").then(1, entries(3, "lost"))
            behind_the_lost = head_after(lost[-1]).then(1, [entry("next")])
            assert await journal.append("t", 3, behind_the_lost) == Conflict(3)
            assert await read(journal, "t") == written

    asyncio.run(test())


def test_a_cancelled_caller_does_not_cancel_its_append(database: Database) -> None:
    async def test() -> None:
        async with journal_in(database) as journal, admin_of(database) as admin:
            async with admin.transaction():
                await admin.execute("LOCK TABLE sabot.record IN EXCLUSIVE MODE")
                waiting = asyncio.ensure_future(journal.append("t", 0, start_of("t").then(1, entries(2))))
                await until_one_waits_for(admin, "Lock")
                waiting.cancel()
                assert isinstance((await asyncio.gather(waiting, return_exceptions=True))[0], asyncio.CancelledError)
            more = await journal.append("u", 0, start_of("u").then(1, entries(1)))
            assert more == Appended(1)
            assert (await journal.head("t")).version == 2

    asyncio.run(test())


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ("UPDATE sabot.record SET body = set_byte(body, 20, get_byte(body, 20) # 1) WHERE version = 3", "hash of its"),
        ("UPDATE sabot.record SET key = 'other' WHERE version = 3", "another key"),
        ("UPDATE sabot.record SET previous = hash WHERE version = 3", "hash of its"),
        ("DELETE FROM sabot.record WHERE version = 3", "record 3 of 't' is missing"),
    ],
)
def test_what_a_superuser_changed_is_not_passed_on_as_true(database: Database, change: str, complaint: str) -> None:
    async def test() -> None:
        async with journal_in(database) as journal, admin_of(database) as admin:
            await append(journal, "t", 5)
            await admin.execute(f"SET session_replication_role = replica; {change}")
            with pytest.raises(Damaged, match=complaint):
                await read(journal, "t")

    asyncio.run(test())


def test_a_record_put_in_place_of_another_breaks_the_chain(database: Database) -> None:
    async def test() -> None:
        async with journal_in(database) as journal, admin_of(database) as admin:
            written = await append(journal, "t", 3)
            [other] = head_after(written[0]).then(1, [entry("other")])
            await admin.execute("SET session_replication_role = replica")
            await admin.execute(
                "UPDATE sabot.record SET key = 'other', body = $1, hash = $2 WHERE version = 2", other.body, other.hash
            )
            with pytest.raises(Damaged, match="record 3 of 't' does not carry the hash"):
                await read(journal, "t")
            with pytest.raises(Damaged, match="record 3 of 't' does not carry the hash"):
                await journal.head("t")
            await admin.execute("UPDATE sabot.record SET previous = $1 WHERE version = 3", written[1].hash)
            with pytest.raises(Damaged, match="record 3 of 't' does not follow"):
                await read(journal, "t")

    asyncio.run(test())


def test_records_of_a_release_that_stored_the_hash_before_each_are_read(database: Database) -> None:
    async def test() -> None:
        async with journal_in(database) as journal, admin_of(database) as admin:
            written = await append(journal, "t", 3)
            await admin.execute("SET session_replication_role = replica")
            for record in written:
                statement = "UPDATE sabot.record SET previous = $1, body = $2 WHERE version = $3"
                await admin.execute(statement, record.previous, record.body, record.version)
            more = head_after(written[-1]).then(1, [entry("more")])
            assert await journal.append("t", 3, more) == Appended(4)
            assert await read(journal, "t") == [*written, *more]
            assert await read(journal, "t", 2) == [written[2], *more]
            assert await journal.find("t", written[1].entry.key) == written[1]
            stored = [row async for page in journal.stored("t", 0, 9) for row in page]
            assert [row[3] for row in stored] == [*(record.previous for record in written), None]

    asyncio.run(test())


def test_a_connection_over_a_network_notices_a_dead_server(own_server: PostgresServer, own_database: Database) -> None:
    async def test() -> None:
        async with Relay(own_server.folder) as relay:
            link = await connect(f"postgresql://sabot_pit@127.0.0.1:{relay.port}/{own_database.name}")
            sock = vars(asyncpg.Connection)["_transport"].__get__(link).get_extra_info("socket")
            assert sock.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
            if hasattr(socket, "TCP_USER_TIMEOUT"):
                assert sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 15_000
                assert sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) == 5
            await link.close()

    asyncio.run(test())


def test_the_first_server_of_several_that_answers_is_used(database: Database) -> None:
    async def test() -> None:
        query = urlsplit(database.application).query
        folder = query.removeprefix("host=")
        journal = await PostgresJournal.open(
            f"postgresql://sabot_pit@/{database.name}?host=/nowhere,{folder}&target_session_attrs=read-write"
        )
        assert await journal.streams() == []
        await journal.close()

    asyncio.run(test())


async def until_one_waits_for(admin: "asyncpg.Connection[asyncpg.Record]", event: str) -> int:
    """The server process of an append that waits for this kind of event, or for this event."""
    while True:
        await admin.execute("SELECT pg_stat_clear_snapshot()")  # In a transaction the first look would be the last.
        waiting = await admin.fetchval(
            "SELECT pid FROM pg_stat_activity WHERE application_name = 'sabot' AND state = 'active'"
            " AND datname = current_database() AND $1 IN (wait_event_type, wait_event)",
            event,
        )
        if waiting is not None:
            return int(waiting)
        await asyncio.sleep(0.01)
