"""A desk of the house saves what it knows, so that the next one need not read everything."""

import asyncio

from sabot.basics.role import Role
from sabot.floor.records.recovery import HOUSE_SNAPSHOT_EVERY, recall_house
from sabot.house.commands import ConfigureHouse
from sabot.journal.memory import MemoryJournal
from sabot.runtime.house_runner import HouseDesk
from tests.floor.nights import BUILD, Clock, play


def test_a_desk_saves_when_it_opens_and_after_so_many_records() -> None:
    async def scene() -> None:
        journal = MemoryJournal(Clock())
        desk = HouseDesk(journal, BUILD, Clock())
        await desk.open()
        assert await journal.newest_snapshot("house", BUILD) is None
        for number in range(HOUSE_SNAPSHOT_EVERY + 1):
            await desk.ask(_configure(number % 2))
        snapshot = await journal.newest_snapshot("house", BUILD)
        assert snapshot is not None
        assert snapshot.version == HOUSE_SNAPSHOT_EVERY
        second = HouseDesk(journal, BUILD, Clock())
        await second.open()
        assert (second.state, second.head) == (desk.state, desk.head)
        snapshot = await journal.newest_snapshot("house", BUILD)
        assert snapshot is not None
        assert snapshot.version == desk.head.version

    asyncio.run(scene())


def test_a_desk_hands_on_the_count_of_lines_that_a_conversation_left() -> None:
    async def scene() -> None:
        journal = MemoryJournal(Clock())
        await play(journal, coups=1)
        before = await recall_house(journal, BUILD)
        desk = HouseDesk(journal, BUILD, Clock())
        await desk.open()
        await desk.ask(_configure(1))
        assert (await recall_house(journal, BUILD)).n == before.n > 0

    asyncio.run(scene())


def _configure(days: int) -> ConfigureHouse:
    return ConfigureHouse(by="operator", role=Role.OPERATOR, at_ms=0, ticket_validity_days=days)
