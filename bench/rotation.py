"""Starting a floor from a journal that was rotated again and again: it reads the open part alone, so it must not grow.

Each part has the same number of coups of fifty stations. The baseline of every row is the same figure after ten
rotations, when the state keeps as many coups as it ever does.
"""

import asyncio
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from bench.journal_verify import BUILD, STREAM, _Day
from sabot.audit.rotation_plan import make_snapshots, rotation_plan
from sabot.cli.stopwatch import Row, row, seconds
from sabot.floor.records.recovery import recover_table
from sabot.journal.checkpoint import is_signed_by, sign
from sabot.journal.journal import Appended, Journal
from sabot.journal.keys import SigningKey, new_key
from sabot.journal.sqlite import SqliteJournal, open_sqlite

COUPS = 12
"""Of one part: nearly a thousand records, more than a new part carries along."""
ROTATIONS = (10, 40)
A_LIFE = 365


class Start(NamedTuple):
    start_ms: float
    rotation_ms: float
    open_kb: float


NAMED = {"start": "ms", "rotation": "ms", "open_part": "KB"}


def measure() -> Iterator[Row]:
    yield from _measured(ROTATIONS)


def measure_long() -> Iterator[Row]:
    yield from _measured((A_LIFE,))


def _measured(rotations: tuple[int, ...]) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        path, key, day = Path(folder) / "floor.journal", new_key(Path(folder) / "key"), _Day()
        day.open()
        first, done = None, 0
        for number in sorted({ROTATIONS[0], *rotations}):
            rotation_s = 0.0
            while done < number:
                rotation_s = asyncio.run(_play_part(path, key, day))
                done += 1
            start_s = seconds(lambda: asyncio.run(_start(path, key)), 3)
            figures = Start(start_s * 1000, rotation_s * 1000, path.stat().st_size / 1024)
            first = first or figures
            for name, value, baseline in zip(NAMED, figures, first, strict=True):
                if number in rotations:
                    yield row(f"{name}_after_{number}_rotations", value, NAMED[name], baseline)


async def _play_part(path: Path, key: SigningKey, day: _Day) -> float:
    """Play and rotate; returns the CPU time of the rotation."""
    journal = await _opened(path, key)
    for _ in range(COUPS):
        day.play()
    await _append(journal, day)
    await journal.save_checkpoint(sign(await journal.head(STREAM), 0, key))
    await make_snapshots(journal, BUILD)
    plan = await rotation_plan(journal, BUILD, key, 0)
    started = time.process_time()
    await journal.rotate(plan)
    taken = time.process_time() - started
    await journal.close()
    return taken


async def _append(journal: Journal, day: _Day) -> None:
    head = await journal.head(STREAM)
    records = head.then(1, day.drained())
    assert isinstance(await journal.append(STREAM, head.version, records), Appended)


async def _opened(path: Path, key: SigningKey) -> SqliteJournal:
    return await open_sqlite(path, trusts=lambda one: is_signed_by(one, key.public))


async def _start(path: Path, key: SigningKey) -> None:
    """As a program that finds no snapshot of its own."""
    journal = await _opened(path, key)
    await recover_table(journal, STREAM, "another program")
    await journal.close()
