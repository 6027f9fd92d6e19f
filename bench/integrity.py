"""What the watch of integrity costs for each coup of fifty stations, beside what the coup costs.

The watch takes the records of 25 coups, one wager or two at each station, in the pass that adds up sums; its cost is
that of the pass less that of the same pass without it. `watch_by_coup` is beside the CPU time of a coup on a served
floor of one table on SQLite, whose fifty stations touch three times a coup; it may be 2 per cent of that at most, a
ratio of 0.02. `watch_by_bare_coup` is beside deciding, applying and writing down alone, without journal, sockets and
views. `watch_lights` is what showing all lights of a table costs, beside the watch of one coup; nobody asks for them
at every coup. All is CPU time.
"""

import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from sabot.audit.summing import Summing
from sabot.audit.watching import RecordWatch
from sabot.cli.stopwatch import Row, row
from sabot.floor.records.record_codec import table_stream
from sabot.journal.record import Entry, Head, Record

PASSES = 12
SERVED_S, TOUCHES = 18.0, 3
BETWEEN_MS = 300
"""From one record of a coup to the next."""


def measure() -> Iterator[Row]:
    sys.path[:0] = [str(Path(__file__).resolve().parent)]
    import reports  # noqa: PLC0415  The benchmark of reports, whose table this one watches.

    coups = reports.PLAYED
    opening, played = reports.play_coups()
    timed = [_at(entry, reports.FIRST_MS, 0) for entry in opening]
    for number, coup in enumerate(played):
        first_ms = reports.FIRST_MS + (number + 1) * reports.COUP_MS
        timed += [_at(entry, first_ms, place) for place, entry in enumerate(coup)]
    records = list(Head(table_stream("T1"), 0, b"").then(1, timed))
    watch = RecordWatch("T1")
    sums_s = _least(lambda: _pass(records, None)) / coups
    both_s = _least(lambda: _pass(records, watch)) / coups
    lights_s = _least(watch.table.lights)
    coup_s = _least(reports.play_coups) / coups
    yield row("watch_by_coup", 1000 * (both_s - sums_s), "ms", 1000 * _served_coup_s())
    yield row("watch_by_bare_coup", 1000 * (both_s - sums_s), "ms", 1000 * coup_s)
    yield row("watch_lights", 1000 * lights_s, "ms", 1000 * (both_s - sums_s))


def _served_coup_s() -> float:
    import floor  # noqa: PLC0415  The benchmark of a served floor.

    with tempfile.TemporaryDirectory(prefix="sabot-bench-") as folder:
        load, cost = floor._floor("open", str(Path(folder) / "journal"), 1, SERVED_S, floor.PERIOD_MS)  # noqa: SLF001
    return float(cost.cpu * SERVED_S / (len(load.touches) / floor.STATIONS / TOUCHES))


def _at(entry: Entry, first_ms: int, place: int) -> Entry:
    """The entry at its own moment, by its stamp and its events as well."""
    at_ms = first_ms + place * BETWEEN_MS
    answer = bytes(entry.answer).replace(b'"at_ms":0', b'"at_ms":%d' % at_ms)
    return msgspec.structs.replace(entry, at_ms=at_ms, answer=msgspec.Raw(answer))


def _pass(records: list[Record], watch: RecordWatch | None) -> None:
    """As the process that makes reports goes over records; the watch remembers what it saw in the passes before."""
    summing = Summing()
    for record in records:
        assert not summing.take(record)
        if watch is not None:
            watch.take(record, summing.taken, summing.reading)


def _least(work: Callable[[], object]) -> float:
    taken = []
    for _ in range(PASSES):
        started = time.process_time()
        work()
        taken.append(time.process_time() - started)
    return min(taken)
