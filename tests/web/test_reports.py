"""Reports are made by a process of their own, from sums that the floor keeps as it plays."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Coroutine
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import msgspec
import pytest

from sabot.audit.excerpt import ExcerptFilter
from sabot.audit.kept_sums import ALWAYS_MS, SumReader, kept_sums
from sabot.audit.outbox import MetersTold, meters_of, outbox
from sabot.audit.part_cutter import PARTS
from sabot.audit.stats import stats
from sabot.audit.table_report import table_report
from sabot.floor.records.recovery import recover_table
from sabot.house.state import HouseState
from sabot.journal.journal import Derived, Journal
from sabot.journal.opening import open_journal
from sabot.table.fixtures import fixture
from sabot.table.state import TableState
from sabot.views.console import console_view
from sabot.views.floor import TableLine, floor_view
from sabot.views.public import public_view
from sabot.views.reports import Heading, TableReport
from sabot.views.scorecard import Scorecard
from sabot.web.http.refusal import Refusal
from sabot.web.reports.asks import (
    AddUpFigures,
    AddUpSums,
    LookUpRecords,
    MakeReport,
    Mistaken,
    OutboxTold,
    ReportHello,
    ShowTable,
    TellOutbox,
    framed,
)
from sabot.web.reports.desk import MOST_WAITING, ReportDesk
from sabot.web.reports.keeper import SumKeeper
from tests.audit.sums import play_days
from tests.journal.postgres.conftest import Database
from tests.runtime.floors import PATIENCE_S, running, until

TABLE = "table/T1"
WHOLE = MakeReport("T1", 0, ALWAYS_MS, "a program", 7)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> str:
    address = str(tmp_path_factory.mktemp("reports") / "days.journal")

    async def play() -> None:
        journal = await open_journal(address)
        await play_days(journal, days=2)
        await journal.close()

    asyncio.run(play())
    return address


def at_desk(address: str, work: Callable[[ReportDesk], Coroutine[Any, Any, None]], **limits: Any) -> None:
    async def working() -> None:
        desk = ReportDesk(address, **limits)
        try:
            await work(desk)
        finally:
            await desk.close()

    asyncio.run(working())


async def refused(asking: Coroutine[Any, Any, bytes]) -> tuple[str, int]:
    with pytest.raises(Refusal) as no:
        await asking
    return no.value.code, no.value.status


async def expected(address: str) -> TableReport:
    journal = await open_journal(address)
    period = await SumReader(journal, TABLE, from_records=True).between(0, ALWAYS_MS)
    await journal.close()
    return table_report(Heading("Table T1", "a program", 0, ALWAYS_MS, 7), "T1", period, 0)


def test_another_process_makes_the_report_that_this_one_would(place: str) -> None:
    async def work(desk: ReportDesk) -> None:
        made = await desk.ask(WHOLE)
        assert desk.pid not in (None, os.getpid())
        assert msgspec.json.decode(made, type=TableReport) == await expected(place)

    at_desk(place, work)


def test_records_and_figures_are_read_there_too_and_a_wrong_ask_is_told(place: str) -> None:
    async def work(desk: ReportDesk) -> None:
        told = msgspec.json.decode(await desk.ask(LookUpRecords("T1", ExcerptFilter(coup=2), 3)))
        assert [one["coup"] for one in told] == [2, 2, 2]
        counted = msgspec.json.decode(await desk.ask(AddUpFigures("T1", ExcerptFilter())))
        journal = await open_journal(place)
        assert counted == msgspec.to_builtins(await stats(journal, TABLE, ExcerptFilter()))
        await journal.close()
        assert await refused(desk.ask(AddUpFigures("T1", ExcerptFilter(station="Z9")))) == ("no_such_station", 404)

    at_desk(place, work)


def test_one_that_takes_too_long_is_ended_and_said_so(place: str) -> None:
    async def work(desk: ReportDesk) -> None:
        assert await refused(desk.ask(WHOLE)) == ("report_too_long", 503)
        assert desk.pid is None

    at_desk(place, work, within_s=0.001)


def test_who_finds_too_many_waiting_is_told_so_at_once(place: str) -> None:
    async def work(desk: ReportDesk) -> None:
        waiting = [asyncio.create_task(desk.ask(WHOLE)) for _ in range(MOST_WAITING)]
        await asyncio.sleep(0)
        assert await refused(desk.ask(WHOLE)) == ("reports_busy", 503)
        assert len(set(await asyncio.gather(*waiting))) == 1

    at_desk(place, work)


def test_a_process_that_ended_costs_one_report_and_a_broken_off_ask_none(place: str) -> None:
    async def work(desk: ReportDesk) -> None:
        made = await desk.ask(WHOLE)
        assert desk.pid is not None
        os.kill(desk.pid, signal.SIGKILL)
        (again,) = await asyncio.gather(desk.ask(WHOLE), return_exceptions=True)
        assert again == made or (isinstance(again, Refusal) and again.code == "unavailable")
        asking = asyncio.create_task(desk.ask(WHOLE))
        await asyncio.sleep(0)
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        assert await desk.ask(WHOLE) == made

    at_desk(place, work)


def test_one_that_needs_too_much_memory_fails_and_is_said_so(place: str) -> None:
    async def work(desk: ReportDesk) -> None:
        assert await refused(desk.ask(WHOLE)) == ("unavailable", 503)

    at_desk(place, work, most_memory=1)


async def kept(journal: Journal) -> list[Derived]:
    return [one async for one in kept_sums(journal, TABLE, PARTS)]


def test_a_floor_makes_up_for_sums_that_are_missing_or_damaged(tmp_path: Path) -> None:
    address = str(tmp_path / "floor.journal")

    async def serve() -> None:
        journal, desk = await open_journal(address), ReportDesk(address)
        await play_days(journal, days=3)
        async with running(journal, fixture("crown")) as floor:
            await until(lambda: floor.tables["T1"].term)
            await SumKeeper(floor, desk).keep_due()
            found = await kept(journal)
            assert len(found) > 3
            assert [one async for one in SumReader(journal, TABLE).missing()] == []
            keeper, made = SumKeeper(floor, desk), await desk.ask(WHOLE)
            await keeper.keep_due()
            _damage(address, found[-1])
            assert await desk.ask(WHOLE) == made, "the records are read instead"
            await keeper.keep_due()
            assert await kept(journal) == found
            _damage(address, found[-1])
            keeper = SumKeeper(floor, desk)
            for _ in range(2):  # What is damaged is dropped, and then added up.
                await keeper.keep_due()
            assert await kept(journal) == found
        await desk.close()
        await journal.close()

    asyncio.run(serve())


def _damage(address: str, one: Derived) -> None:
    with closing(apsw.Connection(address)) as db:
        db.set_busy_timeout(PATIENCE_S * 1000)  # The floor renews its leases meanwhile.
        db.execute("UPDATE derived SET value = x'00' WHERE name = ?", (one.name,))


def test_a_table_is_looked_at_again_only_when_it_may_have_a_part_more(tmp_path: Path) -> None:
    address = str(tmp_path / "floor.journal")

    async def serve() -> None:
        journal, desk = await open_journal(address), ReportDesk(address)
        async with running(journal, fixture("crown")) as floor:
            await until(lambda: floor.tables["T1"].term)
            keeper = SumKeeper(floor, desk)
            await keeper.keep_due()
            assert len(await kept(journal)) == 1, "a part ends with the configuration"
            await desk.close()
            await keeper.keep_due()  # A desk that is closed would refuse.
        await journal.close()

    asyncio.run(serve())


def test_sums_are_added_up_in_slices_so_that_a_report_need_not_wait_long(place: str) -> None:
    async def work(desk: ReportDesk) -> None:
        answer = await desk.answer(AddUpSums("T1", 10))
        assert not getattr(answer, "is_all", True)
        answer = await desk.answer(AddUpSums("T1", 10**6))
        assert getattr(answer, "is_all", False)

    at_desk(place, work)


def test_the_lines_of_the_outbox_come_from_the_process_as_the_records_give_them(place: str) -> None:
    async def work(desk: ReportDesk) -> None:
        journal = await open_journal(place)
        *lines, reached = [line async for line in outbox(journal, "", 5)]
        await journal.close()
        told = await desk.answer(TellOutbox("", 5))
        assert isinstance(told, OutboxTold)
        assert [msgspec.json.decode(line) for line in told.lines.splitlines()] == [
            msgspec.json.decode(msgspec.json.encode(line, enc_hook=str)) for line in lines
        ]
        assert told.reached == reached
        assert desk.pid not in (None, os.getpid())
        assert isinstance(await desk.answer(TellOutbox("house:999999", 5)), Mistaken)

    at_desk(place, work)


def test_a_table_that_another_process_serves_is_shown_as_its_records_give_it(place: str) -> None:
    async def work(desk: ReportDesk) -> None:
        journal = await open_journal(place)
        found = await recover_table(journal, TABLE)
        await journal.close()
        state = found.state
        assert isinstance(state, TableState)
        line = msgspec.json.decode(await desk.ask(ShowTable("T1", "line")), type=TableLine)
        assert floor_view(HouseState(), {"T1": line}) == floor_view(HouseState(), {"T1": state})
        meters = msgspec.json.decode(await desk.ask(ShowTable("T1", "meters")), type=MetersTold)
        assert meters == meters_of(TABLE, found.head.version, state)
        console = console_view(public_view(state, Scorecard.of(state), 5))
        assert await desk.ask(ShowTable("T1", "console", 5)) == msgspec.json.encode(console)
        assert await desk.ask(ShowTable("T9", "line")) == b"null"

    at_desk(place, work)


def test_a_floor_on_a_database_keeps_sums_and_reports_from_them(database: Database) -> None:
    async def serve() -> None:
        journal, desk = await open_journal(database.application), ReportDesk(database.application)
        await play_days(journal, days=2)
        async with running(journal, fixture("crown")) as floor:
            await until(lambda: floor.tables["T1"].term)
            await SumKeeper(floor, desk).keep_due()
            assert len(await kept(journal)) > 2
            assert [one async for one in SumReader(journal, TABLE).missing()] == []
            period = await SumReader(journal, TABLE, from_records=True).between(0, ALWAYS_MS)
            expected = table_report(Heading("Table T1", "a program", 0, ALWAYS_MS, 7), "T1", period, 0)
            assert msgspec.json.decode(await desk.ask(WHOLE), type=TableReport) == expected
        await desk.close()
        await journal.close()

    asyncio.run(serve())


@pytest.mark.parametrize("said", ["nothing", "an ask"])
def test_the_process_of_a_floor_that_has_ended_ends_without_a_word(place: str, said: str) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "sabot.web.reports.report_process"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdout.close()
    if said == "an ask":
        process.stdin.write(framed(ReportHello(place, 2**30)) + framed(WHOLE))
    _, error = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, error) == (0, b"")
