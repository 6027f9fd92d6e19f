"""Connections to PostgreSQL, checked for durability before use, with errors in one sentence.

Appends have no client-side time limit, because giving up a statement sends a cancel, and a cancelled wait for a standby
looks like success. A dead server is noticed by TCP instead: keep-alives while waiting, and a limit on unacknowledged
data while sending. One that is frozen is noticed by who leads (`postgres_hosts`).
"""

import contextlib
import os
from collections.abc import Iterator, Mapping
from urllib.parse import parse_qs, urlsplit

import asyncpg

from sabot.journal.journal import Unusable
from sabot.journal.postgres_hosts import PostgresConnection, answered, connect_to_leader

LOST = (
    OSError,
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # Raised when the server has closed an idle connection.
)
"""Errors of a broken connection, or of a server that shuts down."""

_SETTINGS = {
    "application_name": "sabot",
    # Every statement of the journal looks rows up by key. A plan made while a table was small must not survive as a
    # scan of the whole table once it has grown.
    "enable_seqscan": "off",
}
_UNSAFE_SETTINGS = {
    "fsync": {"off"},
    "full_page_writes": {"off"},
    "synchronous_commit": {"off", "local", "remote_write"},
}


async def connect(dsn: str) -> PostgresConnection:
    """A connection whose commits are durable."""
    with sentences(dsn):
        try:
            link: PostgresConnection = await connect_to_leader(
                dsn, connection_class=PostgresConnection, server_settings=_SETTINGS
            )
        except ValueError as error:
            raise Unusable(f"{place_of(dsn)} is not the address of a PostgreSQL database: {error}") from error
        try:
            await check_durability(link)
        except BaseException:
            link.terminate()
            raise
        return link


async def create_pool(
    dsn: str, connections: int, settings: Mapping[str, str] = _SETTINGS
) -> "asyncpg.Pool[asyncpg.Record]":
    with sentences(dsn):
        pool: asyncpg.Pool[asyncpg.Record] = await asyncpg.create_pool(  # type: ignore[call-overload]
            dsn,  # The stubs do not know that `connect` may take keywords.
            min_size=0,
            max_size=connections,
            connect=connect_to_leader,
            connection_class=PostgresConnection,
            server_settings=dict(settings),
        )
        return pool


async def fetch_from(
    pool: "asyncpg.Pool[asyncpg.Record]", dsn: str, statement: str, *values: object
) -> list[asyncpg.Record]:
    """Rows from the server that leads. Where another one leads now, no connection to the old one is used again."""
    async with pool.acquire() as link:
        rows = link.fetch(statement, *values)
        try:
            return await answered(dsn, link, rows)
        except LOST:
            await pool.expire_connections()
            raise


async def check_durability(link: PostgresConnection) -> None:
    """Refuse settings of the server or role under which confirmed commits can be lost."""
    rows = await link.fetch(
        "SELECT name, setting FROM pg_settings WHERE name = ANY($1::text[])", list(_UNSAFE_SETTINGS)
    )
    for name, setting in map(tuple, rows):
        if setting in _UNSAFE_SETTINGS[name]:
            raise Unusable(f"the server runs with {name} = {setting}, under which it can lose what it confirmed")


@contextlib.contextmanager
def sentences(dsn: str) -> Iterator[None]:
    """Raise the driver's errors as `Unusable` with one sentence, without the password."""
    try:
        yield
    except (asyncpg.InvalidPasswordError, asyncpg.InvalidAuthorizationSpecificationError) as error:
        raise Unusable(f"the server at {place_of(dsn)} does not let us in: {error}") from error
    except asyncpg.InvalidCatalogNameError as error:
        raise Unusable(f"the server at {place_of(dsn)} has no such database: {error}") from error
    except (asyncpg.InvalidSchemaNameError, asyncpg.UndefinedTableError) as error:
        raise Unusable(
            f"the database at {place_of(dsn)} holds no journal: run `sabot journal prepare` first"
        ) from error
    except asyncpg.InsufficientPrivilegeError as error:
        raise Unusable(
            f"this role may not use the journal at {place_of(dsn)}, which is for members of sabot_app: {error}"
        ) from error
    except LOST as error:
        raise Unusable(f"the server at {place_of(dsn)} cannot be reached: {reason_of(error)}") from error


def reason_of(error: BaseException) -> str:
    """Why a server was lost, in the system's words where it has any; asyncio's have an address in Python's form."""
    if isinstance(error, OSError) and error.errno:
        return os.strerror(error.errno)
    return str(error) or "it does not answer"


def place_of(dsn: str) -> str:
    """Host and database of an address, without the password."""
    parts = urlsplit(dsn)
    hosts = parts.netloc.rpartition("@")[2] or ",".join(parse_qs(parts.query).get("host", ["localhost"]))
    return f"{hosts}{parts.path}"
