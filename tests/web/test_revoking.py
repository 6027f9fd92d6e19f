"""Two processes of one floor on PostgreSQL: what one revokes the other serves no longer."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path

import asyncpg
import pytest
from websockets.exceptions import ConnectionClosed

from sabot.basics.role import Role
from sabot.basics.stamp import Stamp
from sabot.client.desk import Desk
from sabot.house.acts import Revoke
from sabot.house.refusal import HouseRefused
from sabot.journal.postgres import PostgresJournal
from sabot.runtime import floor as running_floor
from sabot.runtime.floor import HOUSE_UNKNOWN, REVOKED
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
from tests.served.device import proved
from tests.served.process import Process, serving
from tests.served.server import Served, listening, opened
from tests.served.staff import CREW, PINS, Staff, give_pins
from tests.web.test_two_processes import configs  # noqa: F401  A fixture.

TABLE = table_for(period_ms=60_000)


@asynccontextmanager
async def two_processes(database: Database) -> AsyncIterator[tuple[Served, Served]]:  # noqa: F811
    """East owns the table; both admit devices and ask one house in one database."""
    await make_tables(database.owner)
    async with AsyncExitStack() as stack:
        both = []
        for owner in ("east", "west"):
            journal = await PostgresJournal.open(database.application)
            stack.push_async_callback(journal.close)
            vault = await stack.enter_async_context(await open_vault(database.application))
            await give_pins(vault, CREW)
            premises = await stack.enter_async_context(opened(vault, journal, TABLE, owner=owner, alone=False))
            if owner == "east":
                premises.floor.tables["T1"].start()
                await until(partial(_is_served, premises))
            both.append(Served(premises, await stack.enter_async_context(listening(premises))))
        yield both[0], both[1]


def _is_served(premises: Premises) -> bool:
    return premises.floor.tables["T1"].term is not None


async def revoke(at: Served, device: str) -> None:
    stamp = Stamp(by="CS1", role=Role.CASINO_SUPERVISOR)
    assert not isinstance(await at.floor.house.ask(Revoke(device=device, reason="a test"), stamp), HouseRefused)


def test_what_one_process_revokes_the_other_ends_soon_and_never_admits(database: Database) -> None:  # noqa: F811
    async def play() -> None:
        async with two_processes(database) as (east, west):
            identity = await west.enrol("A1")
            async with proved(east.socket, identity) as wire:  # Enrolled elsewhere this very moment.
                await wire.hello()
                await revoke(west, "A1")
                assert (await wire.frame("bye"))["why"] == REVOKED
            again = await west.enrol("A1")
            await revoke(west, "A1")
            for one in (identity, again):
                with pytest.raises(ConnectionClosed):
                    async with proved(east.socket, one):
                        pass

    asyncio.run(play())


def test_a_process_that_cannot_read_the_house_serves_no_device_until_it_can(
    database: Database,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(running_floor, "HOUSE_TRUSTED_S", 0.5)

    async def play() -> None:
        async with two_processes(database) as (east, _):
            identity = await east.enrol("A1")
            async with proved(east.socket, identity) as wire:
                await wire.hello()
                owner = await asyncpg.connect(database.owner)
                try:
                    async with owner.transaction():
                        await owner.execute("LOCK TABLE sabot.record IN ACCESS EXCLUSIVE MODE")
                        assert (await wire.frame("bye"))["why"] == HOUSE_UNKNOWN
                        assert not east.floor.trusts_house
                        assert not east.floor.is_ready
                        assert ("", HOUSE_UNKNOWN) in [(table, text) for _, table, text in east.floor.alarms]
                finally:
                    await owner.close()
            await until(lambda: east.floor.trusts_house)
            async with asyncio.timeout(PATIENCE_S), proved(east.socket, identity):
                pass

    asyncio.run(play())


def test_what_is_revoked_at_one_process_is_told_goodbye_by_the_other(
    configs: tuple[Path, Path],  # noqa: F811
) -> None:
    """Two processes as in a casino: a station and a console at the owner, and their revocation asked of the other."""

    async def play(east: Process, west: Process) -> None:
        staff, there = Staff(east.url), Desk(west.url)
        token = (await there.sign_on("CS1", PINS["CS1"])).token
        for device, kind in (("A1", "station"), ("C1", "console"), ("A1", "station")):
            identity = await staff.enrol(device, kind)
            async with proved(f"{east.url.replace('http', 'ws', 1)}/ws", identity) as wire:
                await wire.hello()
                await there.house({"do": "revoke", "device": device, "reason": "a test"}, token)
                assert (await wire.frame("bye"))["why"] == REVOKED

    west_file = configs[1]
    west_file.write_text(west_file.read_text(encoding="utf-8").replace("west.key", "east.key"))
    with serving(configs[0]) as east, serving(west_file) as west:
        asyncio.run(play(east, west))
        assert "Traceback" not in east.log + west.log
