"""The vault in PostgreSQL, for a floor of several processes: its own schema beside the journal's, or another database.

Its owner makes the tables (`make_tables`). The processes of the floor connect as members of `sabot_app`, as for the
journal, but may update and delete in the vault.
"""

from typing import Any

import asyncpg

from sabot.journal.journal import Unusable
from sabot.journal.postgres_connection import LOST, connect, create_pool, fetch_from, place_of, sentences
from sabot.journal.postgres_hosts import PostgresConnection
from sabot.journal.postgres_schema import APPLICATION_ROLE
from sabot.web.identity.vault import TABLES, Unavailable, Vault, table_names

SCHEMA = "sabot_vault"
CONNECTIONS = 4
_UNAVAILABLE = (
    *LOST,
    TimeoutError,
    asyncpg.InsufficientResourcesError,
    asyncpg.ObjectNotInPrerequisiteStateError,  # The server refuses connections for now.
)


class PostgresStore:
    def __init__(self, pool: "asyncpg.Pool[asyncpg.Record]", dsn: str) -> None:
        self._pool, self._dsn = pool, dsn

    async def fetch(self, statement: str, *values: str | int) -> list[tuple[Any, ...]]:
        try:
            return [tuple(row) for row in await fetch_from(self._pool, self._dsn, statement, *values)]
        except _UNAVAILABLE as error:
            raise Unavailable(f"the vault cannot be used now: {str(error) or type(error).__name__}") from error

    async def close(self) -> None:
        await self._pool.close()


async def make_tables(dsn: str) -> None:
    """Create what is missing, as the role that is to own it; safe to run at every deployment.

    Two that make the same table at the same moment get in each other's way; one of them then looks again.
    """
    link = await connect(dsn)
    try:
        with sentences(dsn):
            for is_last in (False, False, True):
                try:
                    return await _make_missing(link)
                except (asyncpg.UniqueViolationError, asyncpg.DuplicateObjectError, asyncpg.DuplicateTableError):
                    if is_last:
                        raise
    finally:
        await link.close()


async def _make_missing(link: PostgresConnection) -> None:
    async with link.transaction():
        await link.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}; SET LOCAL search_path TO {SCHEMA}")
        for table in TABLES:
            await link.execute(table.format(whole="bigint"))
        await link.execute(
            f"GRANT USAGE ON SCHEMA {SCHEMA} TO {APPLICATION_ROLE};"
            f"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {SCHEMA} TO {APPLICATION_ROLE}"
        )


async def open_vault(dsn: str) -> Vault:
    """The vault at an address, whose tables must exist."""
    with sentences(dsn):
        pool = await create_pool(dsn, CONNECTIONS, {"application_name": "sabot vault", "search_path": SCHEMA})
        missing = [name for name in table_names() if await pool.fetchval("SELECT to_regclass($1)", name) is None]
        if missing:
            await pool.close()
            what = "holds no vault" if "pin" in missing else f"holds an older vault, without {', '.join(missing)}"
            raise Unusable(f"the database at {place_of(dsn)} {what}: make its tables first (sabot staff make-store)")
    return Vault(PostgresStore(pool, dsn))
