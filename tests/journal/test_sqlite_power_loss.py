"""Power may fail between any two writes to the disk: nothing acknowledged is lost, and what is there is whole."""

import asyncio
import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from sabot.journal.anchor import Anchor
from sabot.journal.journal import Appended, Damaged
from sabot.journal.record import Record, head_after, start_of
from sabot.journal.sqlite import SqliteJournal, open_sqlite
from sabot.journal.sqlite_start_checks import trust_nobody, verify
from tests.journal.disks import Acknowledged, RecordingDisk, Step, Sync, Weather, image, open_on
from tests.journal.entries import entries, entry, filler
from tests.journal.samples import TTL, snapshot
from tests.journal.sqlite_files import bytes_in, written

STREAMS = ("table-1", "table-2", "table-3")
Written = dict[str, list[Record]]


class Night:
    """A journal at work on a recording disk: what was on it before, every step, and what was appended."""

    def __init__(self, folder: Path, synchronous: str = "full") -> None:
        self.path = folder / "journal"
        self.appended: Written = {"before": written(self.path, 5, stream="before")}
        self.start = bytes_in(folder)
        disk = RecordingDisk(f"recording {folder}")
        self.steps = disk.steps
        try:
            asyncio.run(self._work(open_on(disk, self.path, synchronous, checkpoint_pages=40)))
        finally:
            disk.unregister()

    async def _work(self, journal: SqliteJournal) -> None:
        chance = random.Random(17)
        lease = await journal.acquire_lease("table-1", "one", TTL)
        assert lease is not None
        for turn in range(20):
            await asyncio.gather(*(self._append(journal, stream, chance.randint(1, 3), turn) for stream in STREAMS))
            await self._append(journal, "table-1", 1, turn, size=chance.choice((10, 3_000)))
            await journal.save_snapshot(snapshot("table-1", turn))
            await journal.renew_leases([lease], TTL)
        await journal.close()

    async def _append(self, journal: SqliteJournal, stream: str, count: int, turn: int, size: int = 100) -> None:
        known = self.appended.setdefault(stream, [])
        head = head_after(known[-1]) if known else start_of(stream)
        answer = f'{{"filler":"{filler(size, turn)}"}}'
        records = head.then(1, [entry(f"{turn}/{size}/{number}", answer) for number in range(count)])
        known.extend(records)
        assert await journal.append(stream, head.version, records) == Appended(head.version + count)
        self.steps.append(Acknowledged(stream, head.version + count))

    def prefixes(self, steps: list[Step]) -> Iterator[tuple[list[Step], dict[str, int]]]:
        """Every moment at which the power may fail, with what had been acknowledged by then."""
        acknowledged = {"before": 5}
        for index, step in enumerate(steps):
            if isinstance(step, Acknowledged):
                acknowledged[step.stream] = step.version
            yield steps[: index + 1], dict(acknowledged)


def lost(
    night: Night, steps: list[Step], folder: Path, weathers: tuple[Weather, ...], every: int = 1
) -> tuple[int, int]:
    """How many images there were, and how many of them lack something that was acknowledged, or are damaged.

    Of the moments at which the power may fail each weather has the first of `every` so many, and the next weather the
    ones after those.
    """
    chance, images, bad = random.Random(4), 0, 0
    for number, weather in enumerate(weathers):
        for prefix, acknowledged in islice(night.prefixes(steps), number % every, None, every):
            images += 1
            path = put(image(night.start, prefix, chance, weather), folder)
            bad += not survives(path, acknowledged, night.appended)
    return images, bad


def put(files: dict[str, bytes], folder: Path) -> Path:
    for file in folder.iterdir():
        file.unlink()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder / "journal"


def survives(path: Path, acknowledged: dict[str, int], appended: Written) -> bool:
    try:
        heads = verify(path, Anchor(), trust_nobody).heads
    except Damaged:
        return False
    return all(
        stream in heads and heads[stream].version >= version for stream, version in acknowledged.items()
    ) and all(head == head_after(appended[stream][head.version - 1]) for stream, head in heads.items())


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Night:
    return Night(tmp_path_factory.mktemp("night"))


@pytest.mark.parametrize("every", [2, pytest.param(1, marks=pytest.mark.whole)])
def test_nothing_acknowledged_is_lost_whenever_the_power_fails(night: Night, quick_folder: Path, every: int) -> None:
    weathers = (Weather(), Weather(missing=1), Weather(missing=0, torn=0), Weather(missing=0.05, torn=0.05))
    images, bad = lost(night, night.steps, quick_folder, weathers, every)
    assert images >= 2_000 // every
    assert bad == 0


def test_the_night_had_checkpoints_in_it(night: Night) -> None:
    """Otherwise the images would say nothing about the moments in which the log is copied into the file."""
    assert sum(step == Sync("journal") for step in night.steps) >= 3


def test_after_a_power_failure_a_table_goes_on(night: Night, quick_folder: Path) -> None:
    async def go_on(path: Path, acknowledged: dict[str, int]) -> None:
        journal = await open_sqlite(path)
        for stream, version in acknowledged.items():
            head = await journal.head(stream)
            assert head.version >= version
            more = head.then(2, entries(2, f"{head.version}/"))
            assert await journal.append(stream, head.version, more) == Appended(head.version + 2)
        await journal.close()
        reopened = verify(path, Anchor(), trust_nobody)
        assert all(reopened.heads[stream].version >= version + 2 for stream, version in acknowledged.items())

    chance = random.Random(5)
    moments = list(night.prefixes(night.steps))
    for prefix, acknowledged in chance.sample(moments, 25):
        asyncio.run(go_on(put(image(night.start, prefix, chance, Weather()), quick_folder), acknowledged))


def test_the_same_harness_finds_a_journal_that_does_not_sync_each_commit(tmp_path: Path, quick_folder: Path) -> None:
    """A planted fault: in this mode SQLite syncs only at checkpoints, and a power failure takes the last commits."""
    careless = Night(tmp_path, synchronous="normal")
    images, bad = lost(careless, careless.steps, quick_folder, (Weather(),))
    assert bad > images // 10


def test_the_same_harness_finds_a_disk_that_lies_about_syncing(night: Night, quick_folder: Path) -> None:
    lied = [step for step in night.steps if step != Sync("journal-wal")]
    images, bad = lost(night, lied, quick_folder, (Weather(),))
    assert bad > images // 10
