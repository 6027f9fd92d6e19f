"""The watch of a served table goes on as records come, and is kept with the sums."""

import asyncio
import os
import signal
from pathlib import Path

import msgspec

from sabot.audit.kept_sums import SumReader
from sabot.audit.outbox import OutboxLine, outbox
from sabot.audit.part_cutter import WATCH
from sabot.audit.under_way import under_way
from sabot.floor.records.record_codec import table_stream
from sabot.house.events import LightRaised
from sabot.integrity.light import Kind, Light
from sabot.journal.journal import Derived, Journal
from sabot.journal.opening import open_journal
from sabot.table.fixtures import fixture
from sabot.web.reports.asks import AddedUp, AddUpSums, ShowIntegrity
from sabot.web.reports.desk import ReportDesk
from sabot.web.reports.keeper import AT_ONCE, SumKeeper
from tests.audit.sums import play_days
from tests.cli.test_integrity import stacked_evening
from tests.runtime.floors import running, until

TABLE = table_stream("T1")


async def _kept_by_one_pass(journal: Journal) -> Derived:
    reader = SumReader(journal, TABLE, from_records=True)
    found = [one async for one in reader.missing(going_on=await under_way(reader, "T1"))]
    assert found[-1].name == WATCH
    return found[-1]


def test_the_watch_of_a_served_table_is_kept_and_shown_and_survives_its_process(tmp_path: Path) -> None:
    address = str(tmp_path / "floor.journal")

    async def serve() -> None:
        journal, desk = await open_journal(address), ReportDesk(address)
        await play_days(journal, days=2)
        async with running(journal, fixture("crown")) as floor:
            await until(lambda: floor.tables["T1"].term)
            await SumKeeper(floor, desk).keep_due()
            assert desk.raised["T1"] == ()
            from_records = await _kept_by_one_pass(journal)
            assert await journal.derived(TABLE, WATCH) == from_records
            shown = await _lights(desk)
            assert {light.kind for light in shown} >= {Kind.RETURN_OF_TABLE, Kind.RETURN_OF_SEAT, Kind.RETURN_OF_BET}
            assert desk.pid is not None
            os.kill(desk.pid, signal.SIGKILL)
            await asyncio.gather(desk.answer(AddUpSums("T1", AT_ONCE)), return_exceptions=True)
            assert await _lights(desk) == shown, "the next process goes on from what is kept"
            await SumKeeper(floor, desk).keep_due()
            assert await journal.derived(TABLE, WATCH) == from_records
        await desk.close()
        await journal.close()

    asyncio.run(serve())


def test_what_was_handed_over_and_not_kept_is_handed_over_again(tmp_path: Path) -> None:
    address = str(tmp_path / "floor.journal")

    async def hand_over() -> None:
        journal, desk = await open_journal(address), ReportDesk(address)
        await play_days(journal, days=2)
        first = await desk.answer(AddUpSums("T1", AT_ONCE))
        assert isinstance(first, AddedUp)
        again = await desk.answer(AddUpSums("T1", AT_ONCE, kept=0))
        assert again == first
        await journal.keep(first.values)
        kept = max(one.version for one in first.values)
        nothing_new = await desk.answer(AddUpSums("T1", AT_ONCE, kept))
        assert nothing_new == msgspec.structs.replace(first, values=())
        await desk.close()
        await journal.close()

    asyncio.run(hand_over())


def test_an_alarm_is_sent_to_the_monitor_once(tmp_path: Path) -> None:
    address = stacked_evening(tmp_path)

    async def serve() -> None:
        journal, desk = await open_journal(address), ReportDesk(address)
        async with running(journal, fixture("crown")) as floor:
            await until(lambda: floor.tables["T1"].term)
            for keeper in (SumKeeper(floor, desk), SumKeeper(floor, desk)):
                await keeper.keep_due()
            told = [line async for line in outbox(journal, "", 10_000) if isinstance(line, OutboxLine)]
            raised = [event for line in told for event in line.events if isinstance(event, LightRaised)]
            subjects = [(one.kind, one.subject) for one in raised]
            assert (Kind.RETURN_OF_BET, "player") in subjects
            assert len(subjects) == len(set(subjects)), "each is told once"
            assert {heading for line in told if line.events == (raised[0],) for heading in line.headings} == {
                "integrity"
            }
            assert {key.split("/")[0] for key in floor.house.state.lights} == {"T1"}
        await desk.close()
        await journal.close()

    asyncio.run(serve())


async def _lights(desk: ReportDesk) -> tuple[Light, ...]:
    return msgspec.json.decode(await desk.ask(ShowIntegrity("T1")), type=tuple[Light, ...])
