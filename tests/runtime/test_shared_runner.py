"""A house saves what it knows, so that the next process need not read everything."""

import asyncio

from sabot.basics.stamp import operator_stamp
from sabot.floor.records.recovery import HOUSE_SNAPSHOT_EVERY
from sabot.floor.records.state_form import SNAPSHOT_FORM
from sabot.floor.shared_owner.kinds import HOUSE_KIND
from sabot.house.acts import ConfigureHouse
from sabot.journal.memory import MemoryJournal
from sabot.runtime.shared_runner import SharedRunner
from tests.floor.nights import Clock


def test_a_desk_saves_when_it_opens_and_after_so_many_records() -> None:
    async def scene() -> None:
        journal = MemoryJournal(Clock())
        desk = SharedRunner(HOUSE_KIND, journal, Clock())
        await desk.open()
        assert await journal.newest_snapshot("house", SNAPSHOT_FORM) is None
        for number in range(HOUSE_SNAPSHOT_EVERY + 1):
            await desk.ask(_configure(number % 2), operator_stamp())
        await desk.stop()
        snapshot = await journal.newest_snapshot("house", SNAPSHOT_FORM)
        assert snapshot is not None
        assert snapshot.version == HOUSE_SNAPSHOT_EVERY
        await desk.stop()
        second = SharedRunner(HOUSE_KIND, journal, Clock())
        await second.open()
        assert (second.state, second.head) == (desk.state, desk.head)
        await second.stop()
        snapshot = await journal.newest_snapshot("house", SNAPSHOT_FORM)
        assert snapshot is not None
        assert snapshot.version == desk.head.version

    asyncio.run(scene())


def test_one_catches_up_while_others_go_on_writing() -> None:
    """It reads what was on record when it was asked, and does not wait for a quiet moment."""

    async def scene() -> None:
        journal = MemoryJournal(Clock())
        east, west = (SharedRunner(HOUSE_KIND, journal, Clock()) for _ in range(2))
        for desk in (east, west):
            await desk.open()
        await east.ask(_configure(1), operator_stamp())
        assert west.state.ticket_validity_days == 0
        goes_on = True

        async def write() -> None:
            while goes_on:
                await asyncio.gather(*(west.ask(_configure(2), operator_stamp()) for _ in range(3)))

        writing = asyncio.create_task(write())
        async with asyncio.timeout(60):
            await west.catch_up()
        assert west.state.ticket_validity_days
        goes_on = False
        await writing
        await west.catch_up()
        assert west.head == await journal.head("house")

    asyncio.run(scene())


def _configure(days: int) -> ConfigureHouse:
    return ConfigureHouse(ticket_validity_days=days)
