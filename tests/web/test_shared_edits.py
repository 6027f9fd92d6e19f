"""Where two processes share a floor in PostgreSQL, an edit of a table's file is applied once, and only by order."""

import asyncio
from contextlib import ExitStack
from pathlib import Path

from sabot.floor.records.recovery import recover_table
from sabot.journal.postgres import PostgresJournal
from sabot.table.state import TableState
from tests.cli.sabot import Ran, sabot
from tests.journal.postgres.conftest import (  # noqa: F401  Fixtures.
    Database,
    database,
    migrated_template,
    own_server,
    server_dsn,
)
from tests.runtime.floors import table_for
from tests.served.process import serving, until_ready
from tests.web.test_file_edits import _edit, _events
from tests.web.test_two_processes import admit_both, floor_files


def test_two_orders_at_once_apply_an_edit_once_at_the_process_that_has_the_table(
    database: Database,  # noqa: F811
    tmp_path: Path,
) -> None:
    configs = floor_files(tmp_path, database, table_for(), dealer="live")
    admit_both(tmp_path)
    with ExitStack() as stack:
        east = stack.enter_context(serving(configs[0]))
        west = stack.enter_context(serving(configs[1]))
        assert until_ready(west.url)["T1"]["owner"] == east.url
        before = len(_events(east, "Configured"))
        _edit(tmp_path, r'"wagering_period_ms" = \d+', '"wagering_period_ms" = 41000')
        _edit(tmp_path, r'"D1" = \["dealer"\]', '"D1" = ["dealer"], "D9" = ["dealer"]')
        said = asyncio.run(_at_once(*configs, *configs))
        for ran in said:
            assert ran.code in (0, 2), ran.error
            assert "Traceback" not in ran.error
        assert any("wagering_period_ms is 41000" in ran.out for ran in said)
        assert len(_events(west, "Configured")) - before == 1
        assert [one["person"] for one in _events(west, "PersonAppointed")].count("D9") == 1
        assert sabot("serve", "apply", str(configs[0])).out == "the tables' files say what is on record\n"
        assert (east.stop(), west.stop()) == (0, 0)
        assert "Traceback" not in east.log + west.log
    state = asyncio.run(_recorded(database))
    assert (state.configuration.wagering_period_ms, "D9" in state.configuration.staff) == (41_000, True)


async def _at_once(*configs: Path) -> list[Ran]:
    return await asyncio.gather(*(asyncio.to_thread(sabot, "serve", "apply", str(one)) for one in configs))


async def _recorded(database: Database) -> TableState:  # noqa: F811
    journal = await PostgresJournal.open(database.application)
    try:
        state = (await recover_table(journal, "table/T1")).state
        assert isinstance(state, TableState)
        return state
    finally:
        await journal.close()
