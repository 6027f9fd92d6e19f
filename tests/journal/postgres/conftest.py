"""The ground that the PostgreSQL tests stand on: a server for each worker, a fresh database for each test."""

import asyncio
import itertools
import os
from collections.abc import Iterator
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import msgspec
import pytest

from sabot.journal.postgres_schema import migrate
from tests.journal.postgres.server import NoServer, PostgresServer

_NUMBERS = itertools.count(1)


class Database(msgspec.Struct, frozen=True):
    """A database, and its address for the server's superuser, for the owner of the tables and for a program."""

    name: str
    admin: str
    owner: str
    application: str


@pytest.fixture(scope="session")
def own_server() -> Iterator[PostgresServer]:
    """A server that a test may kill."""
    try:
        server = PostgresServer()
    except NoServer as reason:
        if "SABOT_TEST_DSN" in os.environ:
            pytest.skip(f"a server that is not ours is not ours to kill, and {reason}")
        raise
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def server_dsn(request: pytest.FixtureRequest) -> str:
    """A server to make databases on: the one that SABOT_TEST_DSN names, as its superuser, or our own."""
    given = os.environ.get("SABOT_TEST_DSN")
    dsn = given or request.getfixturevalue("own_server").dsn()
    asyncio.run(_execute(dsn, _ROLES))
    return dsn


@pytest.fixture(scope="session")
def migrated_template(server_dsn: str) -> Iterator[str]:
    """A database with the tables in it, to copy; made by an owner that is no superuser."""
    name = f"sabot_template_{os.getpid()}"
    asyncio.run(_execute(server_dsn, f"CREATE DATABASE {name} OWNER sabot_owner"))
    asyncio.run(migrate(as_role(server_dsn, "sabot_owner", name)))
    yield name
    asyncio.run(_execute(server_dsn, f"DROP DATABASE {name} WITH (FORCE)"))


@pytest.fixture
def database(server_dsn: str, migrated_template: str) -> Iterator[Database]:
    yield from _made(server_dsn, f"TEMPLATE {migrated_template} OWNER sabot_owner")


@pytest.fixture
def empty_database(server_dsn: str) -> Iterator[Database]:
    yield from _made(server_dsn, "OWNER sabot_owner")


@pytest.fixture
def own_database(own_server: PostgresServer) -> Iterator[Database]:
    """A database on the server that a test may kill."""
    asyncio.run(_execute(own_server.dsn(), _ROLES))
    for made in _made(own_server.dsn(), "OWNER sabot_owner"):
        asyncio.run(migrate(made.owner))
        yield made


def as_role(dsn: str, role: str, database: str) -> str:
    parts = urlsplit(dsn)
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=f"{role}:{role}@{host}", path=f"/{database}"))


def _made(server_dsn: str, options: str) -> Iterator[Database]:
    name = f"sabot_{os.getpid()}_{next(_NUMBERS)}"
    asyncio.run(_execute(server_dsn, f"CREATE DATABASE {name} {options}"))
    admin = urlunsplit(urlsplit(server_dsn)._replace(path=f"/{name}"))
    yield Database(name, admin, as_role(server_dsn, "sabot_owner", name), as_role(server_dsn, "sabot_pit", name))
    asyncio.run(_execute(server_dsn, f"DROP DATABASE {name} WITH (FORCE)"))


_ROLES = """
DO $$ BEGIN
    CREATE ROLE sabot_app NOLOGIN;
    CREATE ROLE sabot_owner LOGIN PASSWORD 'sabot_owner';
    CREATE ROLE sabot_pit LOGIN PASSWORD 'sabot_pit' IN ROLE sabot_app;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$
"""


async def _execute(dsn: str, statement: str) -> None:
    link = await asyncpg.connect(dsn)
    try:
        await link.execute(statement)
    finally:
        await link.close()
