"""The numbered migrations of a PostgreSQL journal, and the check that a database has them all.

`migrate` is run by the owner of the tables; the programs of the floor connect as members of `sabot_app` and only check
(`check_schema`).
"""

from collections.abc import Sequence
from importlib.resources import files
from typing import NamedTuple

from sabot.journal.journal import Unusable
from sabot.journal.postgres_connection import connect, place_of, sentences
from sabot.journal.postgres_hosts import PostgresConnection

APPLICATION_ROLE = "sabot_app"
_FIRST = """
CREATE SCHEMA IF NOT EXISTS sabot;
CREATE TABLE sabot.migration (
    number bigint      PRIMARY KEY,
    name   text        NOT NULL,
    at     timestamptz NOT NULL DEFAULT clock_timestamp()
)
"""


class Migration(NamedTuple):
    number: int
    name: str
    sql: str


def known_migrations() -> Sequence[Migration]:
    """The migrations of this program, in order."""
    scripts = {entry.name: entry for entry in (files("sabot.journal") / "migrations").iterdir()}
    return [
        Migration(int(name.partition("_")[0]), name.removesuffix(".sql"), script.read_text("utf-8"))
        for name, script in sorted(scripts.items())
    ]


async def migrate(dsn: str) -> list[str]:
    """Apply the missing migrations, each in a transaction; returns their names.

    Connect as the role that is to own the tables. This may run at every deployment.
    """
    link = await connect(dsn)
    try:
        with sentences(dsn):
            await _require_application_role(link, dsn)
            if await link.fetchval("SELECT to_regclass('sabot.migration')") is None:
                await link.execute(_FIRST)
            applied = await _applied(link)
            _refuse_newer(applied, dsn)
            missing = [migration for migration in known_migrations() if migration.number > applied]
            for migration in missing:
                async with link.transaction():
                    await link.execute(
                        "INSERT INTO sabot.migration (number, name) VALUES ($1, $2)", migration.number, migration.name
                    )
                    await link.execute(migration.sql)
            return [migration.name for migration in missing]
    finally:
        await link.close()


async def check_schema(link: PostgresConnection, dsn: str) -> None:
    """Refuse a database whose migrations are not those of this program."""
    applied = await _applied(link)
    _refuse_newer(applied, dsn)
    known = known_migrations()[-1].number
    if applied < known:
        raise Unusable(
            f"the journal at {place_of(dsn)} has schema {applied} and this program needs {known}: "
            "run `sabot journal prepare` first"
        )


async def _applied(link: PostgresConnection) -> int:
    return int(await link.fetchval("SELECT coalesce(max(number), 0) FROM sabot.migration"))


def _refuse_newer(applied: int, dsn: str) -> None:
    known = known_migrations()[-1].number
    if applied > known:
        raise Unusable(
            f"the journal at {place_of(dsn)} has schema {applied} and this program knows none above {known}: "
            "use a newer program"
        )


async def _require_application_role(link: PostgresConnection, dsn: str) -> None:
    if not await link.fetchval("SELECT count(*) FROM pg_roles WHERE rolname = $1", APPLICATION_ROLE):
        raise Unusable(
            f"the server at {place_of(dsn)} has no role {APPLICATION_ROLE}: create it first (CREATE ROLE "
            f"{APPLICATION_ROLE} NOLOGIN)"
        )
