"""The test ground itself: a server starts in every way that this machine allows, and leaves nothing behind."""

import asyncio
import os

import asyncpg
import pytest

from tests.journal.postgres.server import PostgresServer, RunAs, ways


@pytest.mark.parametrize("run_as", ways(), ids=lambda way: way.name.lower())
def test_a_server_starts_answers_and_leaves_nothing_behind(run_as: RunAs) -> None:
    async def answer() -> int:
        link = await asyncpg.connect(server.dsn())
        pid = int(await link.fetchval("SELECT pg_backend_pid()"))
        assert await link.fetchval("SHOW fsync") == "on"
        await link.close()
        return pid

    server = PostgresServer(run_as)
    try:
        server.start()
        main = int((server.folder / "data" / "postmaster.pid").read_text().splitlines()[0])
        asyncio.run(answer())
    finally:
        server.stop()
    assert not server.folder.exists()
    with pytest.raises(ProcessLookupError):
        os.kill(main, 0)
