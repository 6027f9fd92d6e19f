"""Makes a dictionary for `journal/packing.py` from what records look like.

    python -m tests.journal.record_dictionary 2

One that is there is never made again: what was packed with it could not be read. The samples are the records of the
kept journals of earlier releases, which hold every act, event and refusal, and a day of fifty stations.
"""

import asyncio
import random
import re
import runpy
import sys
import tempfile
from pathlib import Path

import zstandard

from sabot.journal import packing
from sabot.journal.record import FORMAT, body_of
from sabot.journal.sqlite import open_read_only
from tests.audit.release_journals import releases, unpack

SIZE = 16_384
COUPS = 160
FOLDER = Path(packing.__file__).parent / "dictionaries"
_HEX = re.compile(rb"(?:[0-9a-f]{2}){12,}")
"""Hashes and salts, which come only once: a dictionary that has them wastes its room."""
_BENCH = Path(__file__).resolve().parents[2] / "bench" / "journal_volume.py"


def make(number: int) -> None:
    target = FOLDER / f"{number}.zdict"
    if target.exists():
        raise SystemExit(f"{target} is there, and what was packed with it needs it")
    samples = [*_released(), *(body_of(1, entry) for entry in runpy.run_path(str(_BENCH))["day_of_fifty"](COUPS))]
    chance = random.Random(number)
    chance.shuffle(samples)
    samples = [_HEX.sub(lambda found: chance.randbytes(len(found[0]) // 2).hex().encode(), one) for one in samples]
    target.write_bytes(zstandard.train_dictionary(SIZE, list(samples)).as_bytes())


def _released() -> list[bytes]:
    with tempfile.TemporaryDirectory() as folder:
        return [
            body
            for release in releases()
            for path in unpack(release, Path(folder))
            for body in asyncio.run(_bodies(path))
        ]


async def _bodies(path: Path) -> list[bytes]:
    """The bodies of a journal as this program would write them."""
    journal = open_read_only(path)
    return [
        body_of(record.epoch, record.entry, FORMAT)
        for stream in await journal.streams()
        async for record in journal.read(stream)
    ]


if __name__ == "__main__":
    make(int(sys.argv[1]))
