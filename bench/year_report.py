"""A report of a year over forty tables of fifty stations, from the sums that the tables keep.

One table is played for a year of gaming days: its dealers change every few coups, and its patrons, who all gave a
reference, every day. Its sums are added up by the same code as on a floor. Beside it stand 39 tables with the sums of
that one; their records are left out, since a report of whole days reads none. Each report is made as `sabot serve`
makes it, in a process that does nothing else. CPU time leaves out what the process needs to start. The baseline is
the same report of one day.

The short form has a month of two tables; the long one a year of forty, or as many days as SABOT_BENCH_DAYS says.
"""

import asyncio
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec

from sabot.audit.gaming_days import end_of_day
from sabot.audit.kept_sums import SumReader
from sabot.audit.part_cutter import KINDS
from sabot.cli.stopwatch import Row, row
from sabot.floor.records.record_codec import Started, started_entry, table_stream
from sabot.journal.journal import Derived, Journal
from sabot.journal.opening import open_journal
from sabot.journal.ownership import Ownership, take
from sabot.journal.record import Entry, Head
from sabot.table.fixtures import fixture

sys.path.insert(0, str(Path(__file__).parent))
import reports as of_a_table

DAY_MS = 86_400_000
COUPS = 10
"""Of a day. The sums of a day have the same size with 10 coups and with 2,000."""
DEALERS, A_DAY = 60, 5
REPORTS = ("dealers", "shift", "theory", "put_right", "patrons")
_DEALER = re.compile(rb'"dealer":"D1"')
_PATRON = re.compile(rb'"patron":"P(\d+)"')
_ONE_REPORT = """
import json, sys, time
from sabot.views.sheets import ReportHead
from sabot.web.reports.asks import MakeFloorReport
from sabot.web.reports.report_process import answered
place, tables, asked = sys.argv[1], json.loads(sys.argv[2]), json.loads(sys.argv[3])
def made(code, from_ms, to_ms):
    head = ReportHead(casino="", program="", from_ms=from_ms, to_ms=to_ms, time_zone="UTC", made_ms=0, by="")
    started, on_clock = time.process_time(), time.monotonic()
    answer = answered(place, MakeFloorReport(code, tuple(tables), head))
    assert answer.json
    return time.process_time() - started, time.monotonic() - on_clock, len(answer.json)
made("dealers", asked[0][1], asked[0][1])
for one in asked:
    print(*min(made(*one) for _ in range(2)))
"""


def measure() -> Iterator[Row]:
    yield from _measured(31, 2)


def measure_long() -> Iterator[Row]:
    yield from _measured(int(os.environ.get("SABOT_BENCH_DAYS", "365")), 40)


def _measured(days: int, tables: int) -> Iterator[Row]:
    with tempfile.TemporaryDirectory(prefix="sabot-bench-") as folder:
        place = str(Path(folder) / "floor.journal")
        asyncio.run(_write(place, days + 2, tables))
        first, end = _period(days)
        day = _period(1)
        periods = [(code, first, end) for code in REPORTS]
        asked = [(code, *day) for code in REPORTS] + periods
        names = [f"T{number}" for number in range(1, tables + 1)]
        words = [sys.executable, "-c", _ONE_REPORT, place, *map(_json, (names, asked))]
        told = subprocess.run(words, check=True, capture_output=True, text=True).stdout.splitlines()  # noqa: S603
        found = [tuple(map(float, line.split())) for line in told]
    labels = [f"{code}_of_{days}_days_at_{tables}" for code in REPORTS]
    for label, (cpu, wall, size), least in zip(labels, found[len(REPORTS) :], found, strict=False):
        yield row(label, 1000 * cpu, "ms", 1000 * least[0])
        yield row(f"{label}_on_clock", 1000 * wall, "ms", 1000 * least[1], on_clock=True)
        yield row(f"{label}_size", size / 1000, "kB", least[2] / 1000)


def _period(days: int) -> tuple[int, int]:
    """So many gaming days, from the second that was played."""
    place = fixture("crown")
    ends = [
        end_of_day(of_a_table.FIRST_MS + day * DAY_MS, place.time_zone, place.gaming_day_starts) for day in (0, days)
    ]
    return ends[0], ends[1]


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


async def _write(place: str, days: int, tables: int) -> None:
    journal = await open_journal(place)
    await _play(journal, days)
    await _keep(journal, "T1", "T1")
    head_ms = of_a_table.FIRST_MS + days * DAY_MS
    for number in range(2, tables + 1):
        name = f"T{number}"
        owned = await take(journal, table_stream(name), "bench", 60_000)
        assert isinstance(owned, Ownership)
        entry = started_entry(Started("bench"), "bench", 1, head_ms)
        await journal.append(table_stream(name), owned.head.version, owned.head.then(1, [entry]))
        await _keep(journal, "T1", name)
    await journal.close()


async def _keep(journal: Journal, of: str, name: str) -> None:
    """The sums of a table, or those of another in its name."""
    if of == name:
        values = [one async for one in SumReader(journal, table_stream(of)).missing()]
    else:
        values = []
        for kind in KINDS:
            async for page in journal.derived_between(table_stream(of), f"{kind}/", f"{kind}/~"):
                values += [Derived(table_stream(name), one.name, one.version, one.value) for one in page]
    for first in range(0, len(values), 200):
        await journal.keep(values[first : first + 200])


async def _play(journal: Journal, days: int) -> None:
    template = of_a_table.play_day(COUPS)
    owned = await take(journal, of_a_table.STREAM, "bench", 60_000)
    assert isinstance(owned, Ownership)
    head = owned.head
    opening = [started_entry(Started("bench"), "bench", 1, of_a_table.FIRST_MS), *template.opening]
    head = await of_a_table.append(journal, head, opening)
    for day in range(days):
        head = await _a_day(journal, head, template.coups, day)


async def _a_day(journal: Journal, head: Head, parts: list[list[Entry]], day: int) -> Head:
    """Patrons come, coups are played, patrons go."""
    entries = []
    for place, part in enumerate(parts):
        at_ms = of_a_table.FIRST_MS + day * DAY_MS + (1 + place * 22 // len(parts)) * 3_600_000
        dealer = b'"dealer":"D%d"' % ((day * A_DAY + place // 3) % DEALERS)
        for entry in part:
            again = of_a_table.again(entry, day * COUPS, at_ms)
            answer = _DEALER.sub(dealer, bytes(again.answer))
            answer = _PATRON.sub(lambda found: b'"patron":"P%d"' % (int(found[1]) + 50 * (day % 90)), answer)
            entries.append(Entry(again.key, again.actor, again.second_actor, at_ms, msgspec.Raw(answer)))
    return await of_a_table.append(journal, head, entries)
