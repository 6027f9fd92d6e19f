"""The clock of the machine that serves a floor is put forward and back: what is decided follows from the records."""

import asyncio
from pathlib import Path

import msgspec
import pytest

from sabot.client.station import Station
from sabot.floor.records.record_codec import read_answer, read_events
from sabot.journal.sqlite import open_read_only
from sabot.rules.rule_set import Bet
from sabot.table import events as e
from tests.runtime.floors import PATIENCE_S, table_for, until
from tests.served.device import VIEWS
from tests.served.floor_file import staffed_floor
from tests.served.process import Process, until_ready, until_said
from tests.served.staff import Staff
from tests.served.turned_clock import TurnedClock
from tests.web.wagered import buy_in, wager_in_the_next_coup

HOUR_MS = 3_600_000
TABLE = table_for(period_ms=300_000)
MINIMUM = TABLE.limits[Bet("player")].minimum


async def events_of(path: Path) -> list[e.Event]:
    answers = [read_answer(record.entry).accepted async for record in open_read_only(path).read("table/T1")]
    return [event for accepted in answers if accepted is not msgspec.UNSET for event in read_events(accepted)]


async def _wager_and_turn(process: Process, clock: TurnedClock) -> None:
    """In the middle of the wagering the clock is put forward by an hour; the floor says so."""
    staff = Staff(process.url)
    async with staff.console(await staff.enrol("C", "console")) as console:
        await buy_in(console, "A1")
    async with Station(process.url, await staff.enrol("A1", "station", station="A1"), VIEWS) as station:
        await wager_in_the_next_coup(station, MINIMUM)
        clock.turn_on(HOUR_MS)
        await until(lambda: "was put forward by 3600" in process.log)


@pytest.mark.clause("CROWN 11.15(a)")
def test_a_floor_that_is_killed_after_its_clock_was_put_forward_voids_the_coup_that_was_open(tmp_path: Path) -> None:
    clock = TurnedClock(tmp_path / "clock")
    process = Process(staffed_floor(tmp_path, TABLE), clock.path)
    try:
        process.start()
        asyncio.run(asyncio.wait_for(_wager_and_turn(process, clock), PATIENCE_S))
        process.kill()
        process.start()
    finally:
        process.kill()
    happened = asyncio.run(events_of(tmp_path / "floor.journal"))
    [jumped] = [one for one in happened if isinstance(one, e.ClockJumped)]
    assert abs(jumped.by_ms - HOUR_MS) < 3_000
    restarted = [one for one in happened if isinstance(one, e.SystemRestarted)][-1]
    assert restarted.clause == "CROWN 11.15(a)"
    [voided] = [one for one in happened if isinstance(one, e.CoupVoided)]
    assert voided.refunds == {"A1": {"player": MINIMUM}}


def test_a_clock_that_was_ahead_once_keeps_no_floor_from_starting(tmp_path: Path) -> None:
    clock = TurnedClock(tmp_path / "clock")
    clock.turn_on(2 * HOUR_MS)
    process = Process(staffed_floor(tmp_path, TABLE), clock.path)
    try:
        process.start()
        assert process.stop() == 0
        clock.turn_back(2 * HOUR_MS)
        process.start()
        until_ready(process.url)
        until_said(process, "seconds behind the newest record")
        assert process.stop() == 0
    finally:
        process.kill()
    jumped = [one for one in asyncio.run(events_of(tmp_path / "floor.journal")) if isinstance(one, e.ClockJumped)]
    assert [one.by_ms < -HOUR_MS for one in jumped] == [True]
