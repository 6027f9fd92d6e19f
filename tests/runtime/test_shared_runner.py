"""A house saves what it knows, so that the next process need not read everything."""

import asyncio

from sabot.basics.stamp import operator_stamp
from sabot.floor.records.recovery import HOUSE_SNAPSHOT_EVERY
from sabot.floor.shared_owner.kinds import HOUSE_KIND
from sabot.house.acts import ConfigureHouse
from sabot.journal.memory import MemoryJournal
from sabot.runtime.shared_runner import SharedRunner
from tests.floor.nights import BUILD, Clock


def test_a_desk_saves_when_it_opens_and_after_so_many_records() -> None:
    async def scene() -> None:
        journal = MemoryJournal(Clock())
        desk = SharedRunner(HOUSE_KIND, journal, BUILD, Clock())
        await desk.open()
        assert await journal.newest_snapshot("house", BUILD) is None
        for number in range(HOUSE_SNAPSHOT_EVERY + 1):
            await desk.ask(_configure(number % 2), operator_stamp())
        await desk.stop()
        snapshot = await journal.newest_snapshot("house", BUILD)
        assert snapshot is not None
        assert snapshot.version == HOUSE_SNAPSHOT_EVERY
        await desk.stop()
        second = SharedRunner(HOUSE_KIND, journal, BUILD, Clock())
        await second.open()
        assert (second.state, second.head) == (desk.state, desk.head)
        await second.stop()
        snapshot = await journal.newest_snapshot("house", BUILD)
        assert snapshot is not None
        assert snapshot.version == desk.head.version

    asyncio.run(scene())


def _configure(days: int) -> ConfigureHouse:
    return ConfigureHouse(ticket_validity_days=days)
