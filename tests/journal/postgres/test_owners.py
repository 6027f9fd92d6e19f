"""Several processes want one table: exactly one has it, whatever happens to it, and no wager is lost or doubled."""

import asyncio
import signal
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from sabot.journal.journal import ReadableJournal
from sabot.journal.ownership import taking_of
from sabot.journal.record import Record
from tests.journal.postgres.conftest import Database
from tests.journal.postgres.owners import A_FEW, STREAM, Owners, owners
from tests.journal.postgres.test_journal import journal_in
from tests.journal.samples import read

TTL_MS = 500
"""Short, so that a round is quick. Whether the outcome is right does not depend on it."""
PATIENCE_SECONDS = 600
STOPS = 10


@pytest.mark.slow
@pytest.mark.parametrize("kills", [8, pytest.param(25, marks=pytest.mark.whole)])
def test_an_owner_that_is_killed_is_replaced_and_nothing_acknowledged_is_lost(
    database: Database, tmp_path: Path, kills: int
) -> None:
    async def killing(group: Owners) -> None:
        epoch = 0
        for _ in range(kills):
            owner = await group.at_work(after_epoch=epoch)
            owner.kill()
            group.start()
            epoch = owner.epoch
        await group.at_work(after_epoch=epoch)

    _play(killing, kills, database, tmp_path)


@pytest.mark.slow
def test_an_owner_that_wakes_up_too_late_is_stopped_by_the_journal(database: Database, tmp_path: Path) -> None:
    async def stopping(group: Owners) -> None:
        epoch = 0
        for _ in range(STOPS):
            owner = await group.at_work(after_epoch=epoch)
            owner.process.send_signal(signal.SIGSTOP)
            owner.listen()
            epoch = owner.epoch
            await group.at_work(after_epoch=epoch)
            owner.process.send_signal(signal.SIGCONT)
            assert (await owner.stopped_in(epoch)).by_conflict

    _play(stopping, STOPS, database, tmp_path)


def _play(play: Callable[[Owners], Awaitable[None]], rounds: int, database: Database, folder: Path) -> None:
    """Play with three owners, end them all, and compare what they said with what is in the journal."""

    async def test() -> None:
        with owners(3, database.application, TTL_MS, folder) as group:
            await asyncio.wait_for(play(group), PATIENCE_SECONDS)
        async with journal_in(database) as journal:
            records = await _all_records(journal)
        _check_epochs(records)
        _check_acknowledged(records, group)
        assert sum(taking_of(record) is not None for record in records) > rounds
        assert sum(len(owner.acknowledged) for owner in group.all) >= A_FEW * rounds
        assert not [path.read_text() for path in folder.glob("*.errors") if path.stat().st_size]

    asyncio.run(test())


async def _all_records(journal: ReadableJournal) -> list[Record]:
    """Reading proves the chain: no gap, and every record follows from the one before it."""
    assert await journal.streams() == [STREAM]
    return await read(journal, STREAM)


def _check_epochs(records: list[Record]) -> None:
    """An epoch begins with the record of its taking, and no record of an older one follows."""
    epoch = 0
    for record in records:
        taken = taking_of(record)
        if taken is not None:
            assert taken.epoch == record.epoch > epoch
            epoch = taken.epoch
        assert record.epoch == epoch, f"record {record.version} is of epoch {record.epoch} in epoch {epoch}"


def _check_acknowledged(records: list[Record], group: Owners) -> None:
    takings = {taken.epoch: taken.owner for taken in map(taking_of, records) if taken is not None}
    for owner in group.listened():
        assert all(takings[taken.epoch] == owner.name for taken in owner.taken), "one epoch has one owner"
        for line in owner.acknowledged:
            record = records[line.version - 1]
            assert (record.version, record.entry.key, record.epoch) == (line.version, line.key, line.epoch)
    assert max(Counter(record.entry.key for record in records).values()) == 1
