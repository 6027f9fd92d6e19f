"""What counting costs on the way of a wager: the process's own plain numbers, beside counters of the metrics library.

One wager is a frame in, an accepted ask, a frame out and its share of an append of eight.
"""

from collections.abc import Iterator

from prometheus_client import CollectorRegistry, Counter, Histogram

from sabot.cli.stopwatch import Row, row, seconds
from sabot.runtime.counters import RECORDS, SECONDS, Counters

WAGERS = 200_000
BATCH = 8


def measure() -> Iterator[Row]:
    own = Counters()
    plain = seconds(lambda: _with_our_own(own)) / WAGERS * 1e9
    registry = CollectorRegistry()
    counters = [Counter(name, name, registry=registry) for name in ("frames_in", "accepted", "frames_out")]
    spreads = [
        Histogram("append_seconds", "append_seconds", registry=registry, buckets=SECONDS),
        Histogram("append_records", "append_records", registry=registry, buckets=RECORDS),
    ]
    library = seconds(lambda: _with_library(counters, spreads)) / WAGERS * 1e9
    yield row("counting_a_wager", plain, "ns", library)


def _with_our_own(own: Counters) -> None:
    for number in range(WAGERS):
        own.frames_in += 1
        own.accepted += 1
        own.frames_out += 1
        if number % BATCH == 0:
            own.append_s.add(0.003)
            own.records.add(BATCH)


def _with_library(counters: list[Counter], spreads: list[Histogram]) -> None:
    for number in range(WAGERS):
        for counter in counters:
            counter.inc()
        if number % BATCH == 0:
            spreads[0].observe(0.003)
            spreads[1].observe(BATCH)
