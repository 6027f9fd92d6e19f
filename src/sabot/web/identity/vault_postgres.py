"""The vault in PostgreSQL, for a floor of several processes: its own schema beside the journal's, or another database.

Its owner makes the tables (`make_tables`). The processes of the floor connect as members of `sabot_app`, as for the
journal, but may update and delete in the vault.
"""

from typing import Any

import asyncpg

from sabot.journal.journal import Unusable
from sabot.journal.postgres_connection import LOST, connect, create_pool, fetch_from, place_of, reason_of, sentences
from sabot.journal.postgres_hosts import PostgresConnection
from sabot.journal.postgres_schema import APPLICATION_ROLE
from sabot.web.identity.vault import Unavailable, Vault
from sabot.web.identity.vault_tables import FORM, TABLES, check_form

SCHEMA = "sabot_vault"
CONNECTIONS = 4
FORM_TABLE = "CREATE TABLE IF NOT EXISTS vault_form (\n  number bigint NOT NULL\n)"
_FORM = "SELECT max(number) FROM vault_form"
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
            raise Unavailable(f"the vault cannot be used now: {reason_of(error)}") from error

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
                    return await _make_missing(link, place_of(dsn))
                except (asyncpg.UniqueViolationError, asyncpg.DuplicateObjectError, asyncpg.DuplicateTableError):
                    if is_last:
                        raise
    finally:
        await link.close()


async def _make_missing(link: PostgresConnection, place: str) -> None:
    async with link.transaction():
        await link.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}; SET LOCAL search_path TO {SCHEMA}")
        await link.execute(FORM_TABLE)
        check_form(await link.fetchval(_FORM) or 0, f"at {place}")
        for table in TABLES:
            await link.execute(table.format(whole="bigint"))
        await link.execute("DELETE FROM vault_form")
        await link.execute("INSERT INTO vault_form VALUES ($1)", FORM)
        await link.execute(
            f"GRANT USAGE ON SCHEMA {SCHEMA} TO {APPLICATION_ROLE};"
            f"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {SCHEMA} TO {APPLICATION_ROLE}"
        )


async def open_vault(dsn: str) -> Vault:
    """The vault at an address, whose tables must exist."""
    with sentences(dsn):
        pool = await create_pool(dsn, CONNECTIONS, {"application_name": "sabot vault", "search_path": SCHEMA})
        try:
            await _check(pool, place_of(dsn))
        except BaseException:
            await pool.close()
            raise
    return Vault(PostgresStore(pool, dsn))


async def _check(pool: "asyncpg.Pool[asyncpg.Record]", place: str) -> None:
    if await pool.fetchval("SELECT to_regclass('pin')") is None:
        raise Unusable(f"the database at {place} holds no vault: make its tables first")
    named = await pool.fetchval("SELECT to_regclass('vault_form')") is not None
    form = (await pool.fetchval(_FORM) if named else None) or 1
    check_form(form, f"at {place}")
    if form < FORM:
        raise Unusable(
            f"the vault at {place} has form {form} and this program needs {FORM}: make its tables anew with "
            "`sabot staff make-store`; what it holds stays"
        )
