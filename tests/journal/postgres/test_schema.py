"""The tables are made by numbered steps, the programs can only add and read, and whatever is wrong is said clearly."""

import asyncio
import re

import asyncpg
import pytest

from sabot.journal.journal import Unusable
from sabot.journal.postgres import PostgresJournal
from sabot.journal.postgres_schema import known_migrations, migrate
from tests.journal.postgres.conftest import Database, as_role
from tests.journal.postgres.server import GUARDED_ROLE, PostgresServer
from tests.journal.postgres.test_journal import admin_of, journal_in
from tests.journal.samples import append, read

NEVER = [
    f"{verb} sabot.{table}{rest}"
    for table in ("record", "checkpoint")
    for verb, rest in (("UPDATE", " SET version = version"), ("DELETE FROM", ""), ("TRUNCATE", ""))
]
FORBIDDEN_TO_PROGRAMS = [
    *NEVER,
    "DELETE FROM sabot.lease",
    "UPDATE sabot.snapshot SET version = 1",
    "INSERT INTO sabot.migration (number, name) VALUES (99, 'x')",
    "ALTER TABLE sabot.record DISABLE TRIGGER ALL",
    "DROP TABLE sabot.record",
    "CREATE TABLE sabot.other (x int)",
    "SET session_replication_role = replica",
]


@pytest.mark.parametrize("statement", FORBIDDEN_TO_PROGRAMS)
def test_a_program_cannot(database: Database, statement: str) -> None:
    async def test() -> None:
        async with journal_in(database) as journal:
            written = await append(journal, "t", 2)
            link = await asyncpg.connect(database.application)
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await link.execute(statement)
            await link.close()
            assert await read(journal, "t") == written

    asyncio.run(test())


@pytest.mark.parametrize("statement", NEVER)
def test_not_even_the_owner_of_the_tables_changes_what_is_recorded(database: Database, statement: str) -> None:
    async def test() -> None:
        for dsn in (database.owner, database.admin):
            link = await asyncpg.connect(dsn)
            with pytest.raises(asyncpg.InsufficientPrivilegeError, match="is never changed"):
                await link.execute(statement)
            await link.close()

    asyncio.run(test())


def test_the_database_keeps_its_own_time_of_writing(database: Database) -> None:
    async def test() -> None:
        async with journal_in(database) as journal, admin_of(database) as admin:
            before = await admin.fetchval("SELECT clock_timestamp()")
            await append(journal, "t", 2)
            times = await admin.fetch("SELECT at FROM sabot.record ORDER BY version")
            assert before <= times[0]["at"] <= times[1]["at"]

    asyncio.run(test())


def test_the_steps_are_numbered_without_a_gap() -> None:
    assert [migration.number for migration in known_migrations()] == list(range(1, len(known_migrations()) + 1))


def test_the_steps_are_taken_once(empty_database: Database) -> None:
    async def test() -> None:
        assert await migrate(empty_database.owner) == [migration.name for migration in known_migrations()]
        async with journal_in(empty_database) as journal:
            written = await append(journal, "t", 2)
        assert await migrate(empty_database.owner) == []
        async with journal_in(empty_database) as journal:
            assert await read(journal, "t") == written

    asyncio.run(test())


def test_a_step_that_fails_leaves_nothing_of_itself(empty_database: Database) -> None:
    async def test() -> None:
        async with admin_of(empty_database) as admin:
            await admin.execute("CREATE SCHEMA sabot AUTHORIZATION sabot_owner; CREATE TABLE sabot.snapshot (x int)")
            with pytest.raises(asyncpg.DuplicateTableError):
                await migrate(empty_database.owner)
            assert await admin.fetchval("SELECT max(number) FROM sabot.migration") == 1
            assert await admin.fetchval("SELECT to_regclass('sabot.lease')") is None
            await admin.execute("DROP TABLE sabot.snapshot")
        assert await migrate(empty_database.owner) == [migration.name for migration in known_migrations()[1:]]

    asyncio.run(test())


def test_a_database_without_a_journal_is_refused(empty_database: Database) -> None:
    refused(empty_database.application, "holds no journal: run `sabot journal prepare` first")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ("INSERT INTO sabot.migration (number, name) VALUES (99, 'later')", r"has schema 99 .* use a newer program"),
        (
            "DELETE FROM sabot.migration WHERE number > 1",
            r"has schema 1 and this program needs \d+: run `sabot jo",
        ),
        ("REVOKE SELECT ON sabot.migration FROM sabot_app", r"this role may not use the journal .* sabot_app"),
        ("ALTER ROLE sabot_pit SET synchronous_commit = off", r"synchronous_commit = off, under which it can lose"),
        ("ALTER ROLE sabot_pit SET synchronous_commit = local", r"synchronous_commit = local, under which"),
    ],
)
def test_a_journal_that_is_not_fit_is_refused(database: Database, change: str, sentence: str) -> None:
    async def changed(statement: str) -> None:
        async with admin_of(database) as admin:
            await admin.execute(statement)

    asyncio.run(changed(change))
    try:
        refused(database.application, sentence)
    finally:
        asyncio.run(changed("ALTER ROLE sabot_pit RESET ALL"))


def test_a_newer_schema_is_not_migrated(database: Database) -> None:
    async def test() -> None:
        async with admin_of(database) as admin:
            await admin.execute("INSERT INTO sabot.migration (number, name) VALUES (99, 'later')")
        with pytest.raises(Unusable, match="use a newer program"):
            await migrate(database.owner)

    asyncio.run(test())


def test_a_database_that_does_not_exist_is_refused(database: Database) -> None:
    refused(
        database.application.replace(database.name, "nowhere"), 'no such database: database "nowhere" does not exist'
    )


def test_a_wrong_password_is_refused_and_not_repeated(own_server: PostgresServer, own_database: Database) -> None:
    async def guarded() -> None:
        async with admin_of(own_database) as admin:
            await admin.execute(f"CREATE ROLE {GUARDED_ROLE} LOGIN PASSWORD 'right' IN ROLE sabot_app")

    asyncio.run(guarded())
    dsn = as_role(own_server.dsn(), GUARDED_ROLE, own_database.name)
    sentence = refused(dsn.replace(f":{GUARDED_ROLE}@", ":wrong@"), f'does not let us in: .* user "{GUARDED_ROLE}"')
    assert "wrong" not in sentence

    async def test() -> None:
        journal = await PostgresJournal.open(dsn.replace(f":{GUARDED_ROLE}@", ":right@"))
        await journal.close()
        async with admin_of(own_database) as admin:
            await admin.execute(f"DROP ROLE {GUARDED_ROLE}")

    asyncio.run(test())


@pytest.mark.parametrize(
    ("dsn", "sentence"),
    [
        ("postgresql://one:secret@127.0.0.1:1/floor", r"the server at 127\.0\.0\.1:1/floor cannot be reached"),
        ("postgresql://one@/floor?host=/nowhere", r"the server at /nowhere/floor cannot be reached"),
        ("postgresql://one:secret@127.0.0.1:port/floor", r"is not the address of a PostgreSQL database"),
        ("mysql://one:secret@127.0.0.1/floor", r"is not the address of a PostgreSQL database"),
    ],
)
def test_an_address_without_a_server_is_refused(dsn: str, sentence: str) -> None:
    assert "secret" not in refused(dsn, sentence)


@pytest.mark.usefixtures("own_database")  # Its roles are there from then on.
def test_a_server_without_the_role_of_the_programs_is_told_apart(own_server: PostgresServer) -> None:
    """On the server's own database, which has no journal; the role is taken away from the cluster for a moment."""

    async def test() -> None:
        link = await asyncpg.connect(own_server.dsn())
        await link.execute("ALTER ROLE sabot_app RENAME TO sabot_app_away")
        try:
            with pytest.raises(Unusable, match="has no role sabot_app: create it first"):
                await migrate(own_server.dsn())
        finally:
            await link.execute("ALTER ROLE sabot_app_away RENAME TO sabot_app")
            await link.close()

    asyncio.run(test())


def refused(dsn: str, sentence: str) -> str:
    """Opening is refused in one sentence, and so is reaching for the tables as their owner would."""
    with pytest.raises(Unusable) as refusal:
        asyncio.run(PostgresJournal.open(dsn))
    said = str(refusal.value)
    assert re.search(sentence, said), said
    assert "\n" not in said
    return said
