"""An address that names several hosts: the one that leads is found, and a silent one is not waited for in vain."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path

import pytest

from sabot.journal.journal import Appended, Unknown, Unusable
from sabot.journal.postgres import PostgresJournal
from sabot.journal.postgres_connection import connect
from sabot.journal.postgres_hosts import CONNECT_SECONDS, addresses_of
from sabot.journal.postgres_schema import migrate
from sabot.journal.record import head_after, start_of
from tests.journal.entries import entry
from tests.journal.postgres.server import PostgresServer

WITHIN_S = 60
DATABASE = "of_two_hosts"


@pytest.mark.parametrize(
    ("address", "each"),
    [
        ("postgresql://pit@db1/floor", ["postgresql://pit@db1/floor"]),
        (
            "postgresql://pit:x@db1:1,db2/floor",
            [
                "postgresql://pit:x@db1:1/floor?target_session_attrs=read-write",
                "postgresql://pit:x@db2/floor?target_session_attrs=read-write",
            ],
        ),
        (
            "postgresql://pit@db1,db2/floor?target_session_attrs=any",
            [
                "postgresql://pit@db1/floor?target_session_attrs=any",
                "postgresql://pit@db2/floor?target_session_attrs=any",
            ],
        ),
        (
            "postgresql:///floor?host=/run/a,/run/b&port=1,2",
            [
                "postgresql:///floor?host=%2Frun%2Fa&target_session_attrs=read-write&port=1",
                "postgresql:///floor?host=%2Frun%2Fb&target_session_attrs=read-write&port=2",
            ],
        ),
    ],
)
def test_an_address_is_taken_apart_into_one_for_each_host(address: str, each: list[str]) -> None:
    assert addresses_of(address) == each


@pytest.fixture(scope="module")
def rival() -> Iterator[PostgresServer]:
    """A second server, which may be frozen."""
    server = PostgresServer()
    server.start()
    yield server
    server.stop()


def _both(first: PostgresServer, second: PostgresServer, database: str) -> str:
    return f"postgresql://postgres@/{database}?host={first.folder},{second.folder}&target_session_attrs=read-write"


async def _read_only(server: PostgresServer, *, is_so: bool) -> None:
    link = await connect(server.dsn())
    await link.execute(f"ALTER SYSTEM SET default_transaction_read_only = {'on' if is_so else 'off'}")
    await link.execute("SELECT pg_reload_conf()")
    await link.close()


def _signal(server: PostgresServer, number: int) -> None:
    """To every process of a server; the first of them starts no other meanwhile, and others may end."""
    process = server._process  # noqa: SLF001  There is no other way to it.
    assert process is not None
    os.kill(process.pid, number)
    for child in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split():
        with suppress(ProcessLookupError):
            os.kill(int(child), number)


@contextmanager
def _frozen(server: PostgresServer) -> Iterator[None]:
    _signal(server, signal.SIGSTOP)
    try:
        yield
    finally:
        _signal(server, signal.SIGCONT)


@asynccontextmanager
async def _standing_by(server: PostgresServer) -> AsyncIterator[None]:
    """It takes no writes, as a standby takes none."""
    await _read_only(server, is_so=True)
    try:
        yield
    finally:
        await _read_only(server, is_so=False)


def test_a_host_that_does_not_lead_is_passed_over(rival: PostgresServer, own_server: PostgresServer) -> None:
    async def test() -> None:
        async with _standing_by(rival):
            for pair in ((rival, own_server), (own_server, rival)):
                assert await _leader(_both(*pair, "postgres")) == str(own_server.folder)

    asyncio.run(asyncio.wait_for(test(), WITHIN_S))


def test_a_frozen_host_delays_nobody(rival: PostgresServer, own_server: PostgresServer) -> None:
    """Its kernel takes the connection, so that nothing but the other's answer ends the wait."""

    async def test() -> None:
        with _frozen(rival):
            leader = await asyncio.wait_for(_leader(_both(rival, own_server, "postgres")), CONNECT_SECONDS - 1)
            assert leader == str(own_server.folder)

    asyncio.run(asyncio.wait_for(test(), WITHIN_S))


def test_where_no_host_leads_it_is_said_in_one_sentence(rival: PostgresServer, own_server: PostgresServer) -> None:
    async def test() -> None:
        async with _standing_by(rival), _standing_by(own_server):
            with pytest.raises(Unusable, match="cannot be reached"):
                await connect(_both(rival, own_server, "postgres"))

    asyncio.run(asyncio.wait_for(test(), WITHIN_S))


def test_an_append_at_a_frozen_primary_is_unknown_as_soon_as_another_leads(
    rival: PostgresServer, own_server: PostgresServer
) -> None:
    """Its connections stay open and nothing answers: only asking who leads helps."""

    async def test() -> None:
        for server in (rival, own_server):
            await _prepared(server)
        address = _both(rival, own_server, DATABASE)
        async with _standing_by(own_server):
            journal = await PostgresJournal.open(address)
            records = start_of("table/T1").then(1, [entry("a")])
            assert await journal.append("table/T1", 0, records) == Appended(1)
        try:
            with _frozen(rival):
                assert isinstance(
                    await journal.append("table/T1", 1, head_after(records[0]).then(1, [entry("b")])), Unknown
                )
                assert (await journal.head("table/T1")).version == 0, "it is the other server now, which has none of it"
                assert await journal.append("table/T1", 0, records) == Appended(1)
        finally:
            await journal.close()

    asyncio.run(asyncio.wait_for(test(), WITHIN_S))


async def _leader(address: str) -> str:
    """The folder of the server that was found."""
    link = await connect(address)
    try:
        return str(Path(str(link.peer)).parent)
    finally:
        await link.close()


async def _prepared(server: PostgresServer) -> None:
    link = await connect(server.dsn())
    try:
        if not await link.fetchval("SELECT count(*) FROM pg_roles WHERE rolname = 'sabot_app'"):
            await link.execute("CREATE ROLE sabot_app NOLOGIN")
        await link.execute(f"CREATE DATABASE {DATABASE}")
    finally:
        await link.close()
    await migrate(server.dsn(DATABASE))
