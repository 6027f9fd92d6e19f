"""The SQL that the journal and the vault send is a small, named part of the language.

A distributed database that speaks PostgreSQL's protocol runs it if it has these words. Every statement in the sources
and every statement that a served floor really sends is taken apart, and each word must be on the list: a lock, a
sequence, a notification or a stricter isolation would not be.
"""

import ast
import asyncio
import re
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest

from sabot.journal import postgres_rotation, postgres_schema
from sabot.journal.journal import Derived
from sabot.journal.postgres import PostgresJournal
from sabot.journal.postgres_schema import known_migrations
from sabot.web.identity import vault_tables
from sabot.web.identity.vault import Guard
from sabot.web.identity.vault_postgres import FORM_TABLE, make_tables, open_vault
from tests.journal.entries import entry
from tests.journal.postgres.conftest import Database
from tests.journal.postgres.server import PostgresServer
from tests.tables import rows

PACKAGE = Path(postgres_schema.__file__).parents[1]
SENDERS = sorted([*PACKAGE.glob("journal/postgres*.py"), *PACKAGE.glob("web/identity/vault*.py")])
VERBS = ("SELECT", "INSERT", "UPDATE", "DELETE", "CREATE", "GRANT", "SET", "ALTER", "WITH", "LOCK", "LISTEN", "NOTIFY")

SAID = {row["word"]: row["said"] for row in rows("sql_words.tsv")}
"""Each word, and when it is said: by a program while it runs, by the owner who defines the tables, or for the second
lock on what is recorded. Where an engine has no triggers for that lock it is left out, and the grants, which give
nobody more than SELECT and INSERT, stand alone."""
WORDS = frozenset(word for word, said in SAID.items() if said == "running")
DEFINING_WORDS = WORDS | frozenset(word for word, said in SAID.items() if said == "defining")
TRIGGER_WORDS = frozenset(word for word, said in SAID.items() if said == "second lock")
ASKED_AT_OPENING = re.compile(r"to_regclass|pg_settings|pg_roles|sqlite_schema", re.IGNORECASE)
"""Catalogue look-ups at the opening and at the migration."""
OF_THE_DRIVER = re.compile(r"current_setting\('jit'\)|set_config|pg_catalog\.|pg_type|typeinfo", re.IGNORECASE)
"""What asyncpg asks about types that it meets for the first time."""
NEVER = re.compile(
    r"advisory|\bLOCK\b|FOR\s+(UPDATE|SHARE)|LISTEN|NOTIFY|SERIALIZABLE|nextval|SERIAL\b|SEQUENCE|IDENTITY|"
    r"CURSOR|COPY\b|\bTEMP|MERGE\b|LATERAL|RECURSIVE|\bctid\b|\bxmin\b",
    re.IGNORECASE,
)


def _literals(path: Path) -> Iterator[str]:
    """Every text of a source file that is a statement; what is filled in stays as it is named."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        text = ""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        elif isinstance(node, ast.JoinedStr):
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else " filled_in " for part in node.values)
        if text.strip().split(" ")[0] in VERBS:
            yield text


def _words(statement: str) -> set[str]:
    plain = re.sub(r"--[^\n]*|'[^']*'|\$\w*\$|\$\d+|\{\w+\}", " ", statement)
    return {word.lower() for word in re.findall(r"[A-Za-z_]\w*(?=\s*\()|[A-Za-z_]\w*", plain)}


def _names() -> set[str]:
    """The tables and columns, and the names that statements give to parts of themselves."""
    first = postgres_schema._FIRST + postgres_rotation.SEALED  # noqa: SLF001
    defined = "\n".join([*(one.sql for one in known_migrations()), *vault_tables.TABLES, FORM_TABLE, first])
    found = set(re.findall(r"(?:TABLE|EXISTS|CONSTRAINT|SCHEMA)\s+(?:IF NOT EXISTS )?([\w.]+)", defined))
    found |= set(re.findall(r"^\s+([a-z_]+)\s+(?:text|bigint|bytea|timestamptz|TEXT|\{whole\})", defined, re.MULTILINE))
    parts = {part for name in found for part in name.split(".")}
    given = {
        "held",
        "mine",
        "clock",
        "now_ms",
        "new",
        "follows",
        "head",
        "earlier",
        "hash_before",
        "always",
        "sabot_app",
        "sabot_vault",
    }
    return {name.lower() for name in parts} | given | {"sabot", "filled_in", "refuse_change"}


def test_the_sources_send_no_statement_outside_the_subset() -> None:
    statements = [(path.name, text) for path in SENDERS for text in _literals(path)]
    assert len(statements) > 40
    for name, text in statements:
        assert not NEVER.search(text), f"{name}: {text}"
        if ASKED_AT_OPENING.search(text):
            continue
        foreign = _words(text) - DEFINING_WORDS - _names()
        assert not foreign, f"{name}: {sorted(foreign)} in {text}"


def test_the_tables_are_defined_within_the_subset_but_for_their_second_lock() -> None:
    for migration in known_migrations():
        assert not NEVER.search(migration.sql)
        foreign = _words(migration.sql) - DEFINING_WORDS - TRIGGER_WORDS - _names() - {
            *("record_is_never_changed", "checkpoint_is_never_changed", "tg_table_schema", "tg_table_name"),
        }  # fmt: skip
        assert not foreign, f"{migration.name}: {sorted(foreign)}"


def test_what_a_server_is_really_sent_is_within_the_subset(own_server: PostgresServer, own_database: Database) -> None:
    """By the server's own log, which also has what is put together at run time."""
    sent = asyncio.run(_sent(own_server, own_database))
    assert len(sent) > 15
    for statement in sent:
        assert OF_THE_DRIVER.search(statement) or not NEVER.search(statement), statement
        if not ASKED_AT_OPENING.search(statement) and not OF_THE_DRIVER.search(statement):
            foreign = _words(statement) - WORDS - _names() - {"begin", "commit", "transaction_read_only", "show"}
            assert not foreign, f"{sorted(foreign)} in {statement}"


async def _sent(server: PostgresServer, database: Database) -> list[str]:
    await make_tables(database.owner)
    admin = await asyncpg.connect(database.admin)
    await admin.execute("ALTER ROLE sabot_pit SET log_statement = 'all'")
    await admin.close()
    before = (server.folder / "log").stat().st_size
    try:
        await _use_all(database)
    finally:
        admin = await asyncpg.connect(database.admin)
        await admin.execute("ALTER ROLE sabot_pit RESET log_statement")
        await admin.close()
    with (server.folder / "log").open("rb") as log:
        log.seek(before)
        said = log.read().decode()
    lines = re.sub(r"\n\t", " ", said).splitlines()
    found = (re.search(r"LOG:\s+(?:execute [^:]+|statement): (.*)", line) for line in lines)
    return [match[1] for match in found if match]


async def _use_all(database: Database) -> None:
    journal = await PostgresJournal.open(database.application)
    try:
        lease = await journal.acquire_lease("table/T1", "east", 1_000)
        assert lease is not None
        head = await journal.head("table/T1")
        records = head.then(1, [entry("a"), entry("b")])
        await journal.append("table/T1", 0, records)
        await journal.append("table/T1", 0, records)
        assert [record async for record in journal.read("table/T1")]
        assert [rows async for rows in journal.stored("table/T1", 0, 9)]
        await journal.find("table/T1", "a")
        await journal.streams()
        await journal.newest_snapshot("table/T1", "form")
        await journal.drop_snapshots("table/T1")
        await journal.keep([Derived("table/T1", "coup/1", 1, b"value")])
        await journal.derived("table/T1", "coup/1")
        assert [page async for page in journal.derived_between("table/T1", "coup/1", "coup/2")]
        await journal.drop_derived("table/T1")
        await journal.checkpoints("table/T1")
        assert [one async for one in journal.newest_checkpoints("table/T1")] == []
        await journal.renew_leases([lease], 1_000)
        await journal.lease("table/T1")
        await journal.release_lease(lease)
    finally:
        await journal.close()
    async with await open_vault(database.application) as secrets:
        await secrets.set_pin("CS1", "hash")
        await secrets.count_guess(Guard("CS1", "console", 0, 5), 0)
        await secrets.ask_to_unlock("CS1", "a test")
        await secrets.take_unlockings(1)
        await secrets.keep_invitation("code", "words", 1)
        await secrets.shoe_key("digest")
        await secrets.keep_shoe("T1", 1, "commitment", "locked")
        await secrets.shoe("T1", 1, "commitment")
        await secrets.forget_shoes("T1", 1)
        await secrets.sweep(2)


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT pg_advisory_xact_lock(1)",
        "SELECT 1 FROM pin FOR UPDATE",
        "INSERT INTO pin VALUES (nextval('x'), $1)",
        "CREATE TABLE x (id SERIAL PRIMARY KEY)",
    ],
)
def test_a_feature_outside_is_noticed(statement: str) -> None:
    assert NEVER.search(statement)
