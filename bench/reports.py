"""One report of a table of fifty stations: a day of it, and all of it, after 200, 2,000 and 20,000 coups.

The sums are kept, as a floor keeps them. Each report is made as `sabot serve` makes it, in a process that does nothing
else; CPU time leaves out what the process needs to start, and memory is the most it ever had. The baseline is the same
report after 200 coups, which is a tenth of a day. `sums_by_coup` is what adding up costs the process that makes reports
for each coup, beside what the coup costs to decide and book.

The long form has 20,000 coups, and as many as SABOT_BENCH_COUPS says, for example 200000.
"""

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from _long_stream import COUP_MS, FIRST_MS, PLAYED, STREAM, play_coups, write_stream

from sabot.audit.kept_sums import SumReader
from sabot.cli.stopwatch import Row, row
from sabot.journal.journal import Derived
from sabot.journal.opening import open_journal

DAY_MS = 2_000 * COUP_MS
REPORTS = ("day", "all", "odd_day")
_ONE_REPORT = """
import resource, sys, time
from sabot.web.reports.asks import MakeReport
from sabot.web.reports.report_process import answered
place, from_ms, to_ms = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
answered(place, MakeReport("T1", to_ms, to_ms, "bench", 0))
taken = []
for _ in range(3):
    started = time.process_time()
    made = answered(place, MakeReport("T1", from_ms, to_ms, "bench", 0))
    taken.append(time.process_time() - started)
assert made.json
print(min(taken), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


class _Measured(NamedTuple):
    sums_s: float
    """CPU time of adding up, for each coup."""
    reports: dict[str, tuple[float, float]]
    """CPU time in milliseconds and memory in megabytes of each report."""


def measure() -> Iterator[Row]:
    few, day = _measured(200), _measured(2_000)
    yield row("sums_by_coup", 1000 * day.sums_s, "ms", 1000 * _coup_s())
    yield from _rows(2_000, day, few)


def measure_long() -> Iterator[Row]:
    few = _measured(200)
    for coups in (20_000, *map(int, os.environ.get("SABOT_BENCH_COUPS", "").split())):
        yield from _rows(coups, _measured(coups), few)


def _rows(coups: int, measured: _Measured, few: _Measured) -> Iterator[Row]:
    for name in REPORTS:
        (cpu, memory), (least_cpu, least_memory) = measured.reports[name], few.reports[name]
        yield row(f"report_{name}_at_{coups}", cpu, "ms", least_cpu)
        yield row(f"report_{name}_memory_at_{coups}", memory, "MB", least_memory)


def _measured(coups: int) -> _Measured:
    with tempfile.TemporaryDirectory(prefix="sabot-bench-") as folder:
        place = str(Path(folder) / "table.journal")
        write_stream(place, coups)
        sums_s = asyncio.run(_keep(place)) / coups
        end = FIRST_MS + coups * COUP_MS
        periods = {
            "day": (end - DAY_MS, end),
            "all": (0, end),
            "odd_day": (end - DAY_MS + 7 * COUP_MS, end - 7 * COUP_MS),
        }
        return _Measured(sums_s, {name: _report(place, *periods[name]) for name in REPORTS})


async def _keep(place: str) -> float:
    """Keep all sums; returns the CPU time that adding them up took."""
    journal, waiting = await open_journal(place), list[Derived]()
    started, writing = time.process_time(), 0.0
    async for one in SumReader(journal, STREAM).missing():
        waiting.append(one)
        if len(waiting) >= 100:
            before = time.process_time()
            await journal.keep(waiting)
            waiting.clear()
            writing += time.process_time() - before
    taken = time.process_time() - started - writing
    await journal.keep(waiting)
    await journal.close()
    return taken


def _report(place: str, from_ms: int, to_ms: int) -> tuple[float, float]:
    words = [sys.executable, "-c", _ONE_REPORT, place, str(from_ms), str(to_ms)]
    told = subprocess.run(words, check=True, capture_output=True, text=True).stdout.split()  # noqa: S603  Our own.
    return 1000 * float(told[0]), int(told[1]) / 1024


def _coup_s() -> float:
    """The CPU time of deciding, applying and writing down one coup, without journal, sockets and views."""
    started = time.process_time()
    play_coups()
    return (time.process_time() - started) / PLAYED
