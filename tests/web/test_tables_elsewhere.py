"""A station whose two tables are owned by two processes of one floor: each connection is sent to its table's owner."""

import asyncio
import socket
from contextlib import AsyncExitStack
from functools import partial

from sabot.client.connection import Settings
from sabot.client.station import Station
from sabot.journal.postgres import PostgresJournal
from sabot.web.identity.vault_postgres import make_tables, open_vault
from sabot.web.serving.process import Premises
from tests.journal.postgres.conftest import (  # noqa: F401  Fixtures.
    Database,
    database,
    migrated_template,
    own_server,
    server_dsn,
)
from tests.runtime.floors import PATIENCE_S, table_for, until
from tests.served.server import Served, listening, opened
from tests.served.staff import CREW, give_pins

TABLES = [table_for(period_ms=60_000, name=name) for name in ("T1", "T2")]
OWNS = ("T1", "T2")
"""What east and west own."""


async def _two_processes(stack: AsyncExitStack, at: Database) -> list[Served]:
    """East owns T1 and west T2; each knows of the other by its address."""
    await make_tables(at.owner)
    both = list[Served]()
    for table in OWNS:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        journal = await PostgresJournal.open(at.application)
        stack.push_async_callback(journal.close)
        vault = await stack.enter_async_context(await open_vault(at.application))
        await give_pins(vault, CREW)
        own = f"http://127.0.0.1:{port}"
        premises = await stack.enter_async_context(opened(vault, journal, *TABLES, owner=own, alone=False))
        await until(partial(_is_served, premises, table))
        if not both:  # It is the first, and has taken everything.
            await until(partial(_is_served, premises, "T2"))
            await premises.floor.tables["T2"].stop()
        both.append(Served(premises, await stack.enter_async_context(listening(premises, port=port))))
    both[0].floor.tables["T2"].start()
    for one, table in zip(both, reversed(OWNS), strict=True):
        await until(partial(_is_known, one, table))
    return both


def _is_served(premises: Premises, table: str) -> bool:
    return premises.floor.tables[table].term is not None


def _is_known(one: Served, table: str) -> bool:
    return bool(one.floor.tables[table].holder)


def test_each_connection_is_sent_to_the_process_that_owns_its_table_and_all_end_with_a_revocation(
    database: Database,  # noqa: F811
) -> None:
    async def play() -> None:
        async with AsyncExitStack() as stack:
            east, west = await _two_processes(stack, database)
            await east.allow_several_tables()
            identity = await east.enrol("S-17", station="A1", places={"T2": "A3"})
            async with east.connected("S-17", "T2") as lost:
                await lost.send(type="hello", feed="views")
                assert (await lost.frame("bye"))["owner"] == west.url
            settings = [Settings(feed="events", table=table, open_within_s=PATIENCE_S) for table in OWNS]
            links = [await stack.enter_async_context(Station(east.url, identity, one)) for one in settings]
            assert [link.name for link in links] == ["A1", "A3"]
            for one, table in zip((east, west), OWNS, strict=True):
                assert [*one.floor.tables[table].links] == ["S-17"]
            await east.revoke("S-17")
            await until(lambda: not any(link.in_touch for link in links))

    asyncio.run(play())
