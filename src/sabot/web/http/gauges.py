"""Metrics for Prometheus: the counters of the process and the state of its tables, read when they are requested."""

from collections.abc import Iterator

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from sabot.runtime.counters import Spread
from sabot.runtime.floor import RunningFloor
from sabot.runtime.table_runner import RunningTable

FORM = "text/plain; version=0.0.4; charset=utf-8"


class Gauges(Collector):
    def __init__(self, floor: RunningFloor) -> None:
        self._floor = floor
        self._registry = CollectorRegistry()
        self._registry.register(self)
        ProcessCollector(registry=self._registry)

    def written(self) -> bytes:
        return generate_latest(self._registry)

    def collect(self) -> Iterator[Metric]:
        yield from self._of_connections()
        yield from self._of_tables()
        counters = self._floor.backing.counters
        asks = CounterMetricFamily("sabot_asks", "Asks of devices by their answer.", labels=["answer"])
        asks.add_metric(["accepted"], counters.accepted)
        for cause, count in counters.refused.items():
            asks.add_metric([cause], count)
        yield asks
        yield _histogram("sabot_append_records", "Records written in one append.", counters.records)
        yield _histogram("sabot_append_seconds", "How long an append took.", counters.append_s)
        yield CounterMetricFamily(
            "sabot_appends_unsure", "Appends that were not known to be durable.", counters.unsure_appends
        )
        yield _histogram("sabot_settling_seconds", "From the close of wagering to settlement.", counters.settling_s)

    def _of_connections(self) -> Iterator[Metric]:
        counters = self._floor.backing.counters
        connections = GaugeMetricFamily("sabot_connections", "Open sockets by kind of device.", labels=["kind"])
        for kind, count in counters.connections.items():
            connections.add_metric([kind], count)
        yield connections
        yield CounterMetricFamily("sabot_turned_away", "Devices that were turned away.", counters.turned_away)
        yield CounterMetricFamily("sabot_frames_in", "Frames that arrived.", counters.frames_in)
        yield CounterMetricFamily("sabot_frames_out", "Frames that were sent.", counters.frames_out)
        refused = CounterMetricFamily("sabot_frames_refused", "Frames that were not taken.", labels=["why"])
        for why, count in counters.frames_refused.items():
            refused.add_metric([why], count)
        yield refused
        yield CounterMetricFamily(
            "sabot_slow_readers", "Devices disconnected for reading too slowly.", counters.slow_readers
        )

    def _of_tables(self) -> Iterator[Metric]:
        tables = self._floor.tables.values()
        yield GaugeMetricFamily(
            "sabot_tables_served", "Tables that this process owns.", sum(table.term is not None for table in tables)
        )
        served = GaugeMetricFamily("sabot_table_served", "Whether this process owns the table.", labels=["table"])
        waiting = GaugeMetricFamily("sabot_mailbox_letters", "Commands that wait at a table.", labels=["table"])
        lag = GaugeMetricFamily(
            "sabot_journal_lag_seconds", "How long the append under way has lasted.", labels=["table"]
        )
        signing = self._floor.signing
        signed = GaugeMetricFamily(
            "sabot_signs", "Whether this process signs what it writes: 0 where it is told not to, or may not."
        )
        signed.add_metric([], int(signing is not None and signing.trouble is None))
        yield signed
        alarms = CounterMetricFamily("sabot_alarms", "Alarms by table.", labels=["table"])
        for table in tables:
            served.add_metric([table.name], int(table.term is not None))
            waiting.add_metric([table.name], _waiting(table))
            lag.add_metric([table.name], table.journal_lag_s)
            alarms.add_metric([table.name], self._floor.backing.counters.alarms[table.name])
        alarms.add_metric([""], self._floor.backing.counters.alarms[""])
        yield from (served, waiting, lag, alarms)


def _waiting(table: RunningTable) -> int:
    return 0 if table.term is None else table.term.letters


def _histogram(name: str, what: str, spread: Spread) -> HistogramMetricFamily:
    below, buckets = 0, []
    for bound, count in zip((*spread.bounds, float("inf")), spread.counts, strict=True):
        below += count
        buckets.append(("+Inf" if bound == float("inf") else str(float(bound)), below))
    return HistogramMetricFamily(name, what, buckets=buckets, sum_value=spread.sum)
