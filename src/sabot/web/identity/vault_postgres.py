"""The vault in PostgreSQL, for a floor of several processes: its own schema beside the journal's, or another database.

Its owner makes the tables (`make_tables`). The processes of the floor connect as members of `sabot_app`, as for the
journal, but may update and delete in the vault.
"""

from typing import Any

import asyncpg

from sabot.journal.journal import Unusable
from sabot.journal.postgres_connection import CONNECT_SECONDS, LOST, PostgresConnection, connect, place_of, sentences
from sabot.journal.postgres_schema import APPLICATION_ROLE
from sabot.web.identity.vault import TABLES, Unavailable, Vault

SCHEMA = "sabot_vault"
CONNECTIONS = 4
_UNAVAILABLE = (
    *LOST,
    TimeoutError,
    asyncpg.InsufficientResourcesError,
    asyncpg.ObjectNotInPrerequisiteStateError,  # The server refuses connections for now.
)


class PostgresStore:
    def __init__(self, pool: "asyncpg.Pool[asyncpg.Record]") -> None:
        self._pool = pool

    async def fetch(self, statement: str, *values: str | int) -> list[tuple[Any, ...]]:
        try:
            return [tuple(row) for row in await self._pool.fetch(statement, *values)]
        except _UNAVAILABLE as error:
            raise Unavailable(f"the vault cannot be used now: {str(error) or type(error).__name__}") from error

    async def close(self) -> None:
        await self._pool.close()


async def make_tables(dsn: str) -> None:
    """Create what is missing, as the role that is to own it; safe to run at every deployment."""
    link = await connect(dsn)
    try:
        with sentences(dsn):
            async with link.transaction():
                await link.execute("SELECT pg_advisory_xact_lock(hashtext($1))", SCHEMA)
                await link.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}; SET LOCAL search_path TO {SCHEMA}")
                for table in TABLES:
                    await link.execute(table.format(whole="bigint"))
                await link.execute(
                    f"GRANT USAGE ON SCHEMA {SCHEMA} TO {APPLICATION_ROLE};"
                    f"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {SCHEMA} TO {APPLICATION_ROLE}"
                )
    finally:
        await link.close()


async def open_vault(dsn: str) -> Vault:
    """The vault at an address, whose tables must exist."""
    with sentences(dsn):
        pool = await asyncpg.create_pool(
            dsn,
            min_size=0,
            max_size=CONNECTIONS,
            timeout=CONNECT_SECONDS,
            connection_class=PostgresConnection,
            server_settings={"application_name": "sabot vault", "search_path": SCHEMA},
        )
        for newest in ("pin", "unlocking"):
            if await pool.fetchval("SELECT to_regclass($1)", newest) is None:
                await pool.close()
                raise Unusable(f"the database at {place_of(dsn)} holds no vault of this program: make its tables first")
    return Vault(PostgresStore(pool))
