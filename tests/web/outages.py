"""Faults of what a served floor stands on, with commands under way: notes that are counted, a station that wagers."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from sabot.client.station import Station
from sabot.floor.records.recovery import recover_table
from sabot.journal.journal import ReadableJournal
from sabot.rules.rule_set import Bet
from sabot.table import acts
from sabot.table.state import TableState
from sabot.wire.frames import Answer, Lost
from tests.runtime.floors import table_for, until
from tests.served.device import VIEWS
from tests.served.process import Process
from tests.served.staff import Staff
from tests.web.wagered import buy_in, wager_in_the_next_coup

log = logging.getLogger(__name__)
"""`-o log_cli=true --log-cli-level=info` shows the figures."""
TABLE = table_for(period_ms=600)
MINIMUM = TABLE.limits[Bet("player")].minimum
ACCEPTORS = ("A2", "A3")
NOTE = 500


class Tally:
    """The notes of one acceptor: how many were acknowledged, and how many are said never to be recorded."""

    def __init__(self, acceptor: Station) -> None:
        self.acceptor = acceptor
        self.acknowledged = self.lost = 0
        self.over = False

    async def stack(self) -> None:
        """Note after note, so that one is under way at any moment."""
        while not self.over:
            outcome = await self.acceptor.outcome_of(acts.Note(cents=NOTE))
            if isinstance(outcome, Answer):
                assert outcome.refusal is None
                self.acknowledged += 1
            else:
                assert isinstance(outcome, Lost)
                self.lost += 1


class Outage(NamedTuple):
    begin: Callable[[], Awaitable[object]]
    end: Callable[[], Awaitable[object]]
    is_felt: Callable[[Process, list[Station]], object]
    """Whether the devices have lost the floor, and found no way in."""


async def play_through(process: Process, outage: Callable[[], Outage], lasts_s: float = 0) -> list[Tally]:
    """Acceptors take note after note and a station wagers; something fails, and heals."""
    try:
        await asyncio.to_thread(process.start)
        async with contextlib.AsyncExitStack() as stack:
            staff = Staff(process.url)
            async with staff.console(await staff.enrol("C", "console")) as console:
                await buy_in(console, "A1")
            devices = [Station(process.url, await staff.enrol("A1", "station", station="A1"), VIEWS)]
            for name in ACCEPTORS:
                identity = await staff.enrol(f"{name}-notes", "note_acceptor", station=name)
                devices.append(Station(process.url, identity, VIEWS))
            for device in devices:
                await stack.enter_async_context(device)
            await wager_in_the_next_coup(devices[0], MINIMUM)
            tallies = [Tally(acceptor) for acceptor in devices[1:]]
            stacking = [asyncio.create_task(tally.stack()) for tally in tallies]
            await until(lambda: all(tally.acknowledged > 3 for tally in tallies))
            away = outage()
            began = time.monotonic()
            await away.begin()
            try:
                await until(lambda: away.is_felt(process, devices))
                await asyncio.sleep(max(0, began + lasts_s - time.monotonic()))
            finally:
                await away.end()
            back = time.monotonic()
            before = [tally.acknowledged for tally in tallies]
            await wager_in_the_next_coup(devices[0], MINIMUM)
            log.info("the next wager was acknowledged %.1f s after the fault", time.monotonic() - back)
            await until(lambda: all(tally.acknowledged > one for tally, one in zip(tallies, before, strict=True)))
            for tally in tallies:
                tally.over = True
            await asyncio.gather(*stacking)
        assert await asyncio.to_thread(process.stop) == 0
    finally:
        await asyncio.to_thread(process.kill)
    return tallies


async def assert_to_the_cent(journal: ReadableJournal, tallies: list[Tally]) -> None:
    """Every note that was acknowledged is booked, once, and no other."""
    try:
        state = (await recover_table(journal, "table/T1", "no snapshot")).state
    finally:
        await journal.close()
    assert isinstance(state, TableState)
    assert state.ledger.is_balanced
    assert [state.purse(name).balance for name in ACCEPTORS] == [tally.acknowledged * NOTE for tally in tallies]


async def within(seconds: float, test: Awaitable[list[Tally]]) -> list[Tally]:
    try:
        return await asyncio.wait_for(asyncio.ensure_future(test), seconds)
    except TimeoutError:
        raise AssertionError(f"not everything was acknowledged within {seconds:.0f} s") from None
