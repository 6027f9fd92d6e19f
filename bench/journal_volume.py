"""What a coup of fifty stations leaves on the disk, and what writing and reading it costs.

The same records, of four tables that play at the same time, are written by this program and by an earlier one, each in
a process of its own, in turns. Seven records of each table share an append, about as many as a busy floor has waiting.
`sabot journal volume` says of any journal where its bytes go.
"""

import random
import runpy
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from sabot.basics.stamp import Stamp
from sabot.cli.checkout import checkout
from sabot.cli.earlier_program import earlier_program, run_beside
from sabot.cli.stopwatch import Row, row
from sabot.floor.records.record_codec import entry_of
from sabot.floor.table_owner.term import key_of
from sabot.journal.record import Entry
from sabot.table import acts
from sabot.table.decide import decide
from sabot.table.evolve import fold
from sabot.table.refusal import Refused
from sabot.table.state import TableState
from sabot.wire.frames import Name

COUPS, WARMING_UP, RUNS = 60, 5, 3
TABLES = 4
START_MS = 1_794_904_796_607
_Day: Any = runpy.run_path(str(Path(__file__).with_name("journal_verify.py")))["_Day"]

WRITTEN = """
import asyncio, json, os, sys, time
from pathlib import Path
import msgspec
from sabot.journal.journal import Appended
from sabot.journal.record import Entry, head_after, start_of
from sabot.journal.sqlite import open_read_only, open_sqlite

async def written(path, entries, tables):
    journal = await open_sqlite(path)
    streams = [start_of(f"table/T{number}").then(1, entries) for number in range(1, tables + 1)]
    begun = time.process_time()
    for first in range(0, len(entries), 7):
        outcomes = await asyncio.gather(*(
            journal.append(records[0].stream, first, records[first : first + 7]) for records in streams))
        assert all(isinstance(one, Appended) for one in outcomes)
    wrote = time.process_time() - begun
    await journal.close()
    return wrote

async def read(path, tables):
    journal, begun = open_read_only(path), time.process_time()
    for number in range(1, tables + 1):
        async for _ in journal.read(f"table/T{number}"):
            pass
    return time.process_time() - begun

source, place, tables = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
entries = msgspec.json.decode(source.read_bytes(), type=list[Entry])
wrote = asyncio.run(written(place, entries, tables))
print(json.dumps([place.stat().st_size, wrote, asyncio.run(read(place, tables))]))
"""


def measure() -> Iterator[Row]:
    entries = day_of_fifty(COUPS)
    root = checkout()
    assert root is not None
    programs = {"now": root, "earlier": earlier_program()}
    taken: dict[str, list[list[float]]] = {name: [] for name in programs}
    with tempfile.TemporaryDirectory(prefix="sabot-bench-") as folder:
        source = Path(folder, "entries.json")
        source.write_bytes(msgspec.json.encode(entries))
        for turn in range(RUNS):
            for name, program in programs.items():
                place = Path(folder, f"{name}-{turn}.journal")
                taken[name].append(run_beside(program, WRITTEN, str(source), str(place), str(TABLES)))
    size, wrote, read = ([min(one[part] for one in taken[name]) for name in programs] for part in range(3))
    coups, records = COUPS * TABLES, len(entries) * TABLES
    yield row("journal_sqlite_coup_of_50", size[0] / coups / 1024, "KB", size[1] / coups / 1024)
    yield row("journal_sqlite_append_cpu", wrote[0] / records * 1e6, "µs/record", wrote[1] / records * 1e6)
    yield row("journal_sqlite_read_cpu", read[0] / records * 1e6, "µs/record", read[1] / records * 1e6)


def day_of_fifty(coups: int, seed: int = 1) -> list[Entry]:
    """The entries of so many coups with fifty stations, named, dated and salted as a served table does it."""
    chance, numbers, clock = random.Random(seed), dict[str, int](), [START_MS]

    class Day(_Day):  # type: ignore[misc]  # Taken from a file that is no module.
        def tries(self, act: acts.Act, stamp: Stamp) -> bool:
            clock[0] += chance.randrange(5, 400)
            salts = {station: chance.randbytes(16).hex() for station in stamp.salts}
            stamp = msgspec.structs.replace(stamp, at_ms=clock[0], salts=salts)
            device = stamp.by if stamp.by.startswith("A") else "console-T1"
            numbers[device] = numbers.get(device, 0) + 1
            state: TableState = self.state  # type: ignore[has-type]
            decision = decide(state, act, stamp)
            self._entries.append(entry_of(key_of(device, Name(1, numbers[device])), act, stamp, decision))
            if isinstance(decision, Refused):
                return False
            self.state = fold(decision, state)
            return True

    day = Day()
    day.open()
    for _ in range(WARMING_UP):
        day.play()
    day.drained()
    for _ in range(coups):
        day.play()
    played: list[Entry] = day.drained()
    return played
