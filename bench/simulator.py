"""Whole simulated worlds a second on one core, in which the production owner and table run among faults.

The baseline is deciding and recording alone: the same records of one world, decided again, written and chained, with
no network, no journal behind a line and no witness around them.
"""

import random
from collections.abc import Iterator
from functools import partial

from sabot.cli.stopwatch import Row, row, seconds
from sabot.floor.records.record_codec import entry_of, read_act, read_answer
from sabot.floor.simulator.opened import opened
from sabot.floor.simulator.weather import WorldOptions
from sabot.floor.simulator.world import simulate
from sabot.journal.record import Entry, start_of
from sabot.table.decide import decide
from sabot.table.evolve import evolve
from sabot.table.refusal import Refused
from sabot.table.state import UNCONFIGURED, AnyTable

WORLDS = ((3, 3, 100), (10, 8, 20), (50, 8, 4))
"""Stations, coups, and how many worlds are run."""


def measure() -> Iterator[Row]:
    for stations, coups, worlds in WORLDS:
        options = WorldOptions(stations=stations, coups=coups)
        records = sum(simulate(seed, options, random.Random(seed).random).records for seed in range(worlds))
        taken = seconds(partial(_run, options, worlds), runs=2)
        alone = seconds(partial(_decide_alone, stations), runs=3) / len(opened(stations))
        yield row(f"simulator_{stations}x{coups}_worlds", worlds / taken, "worlds/s", worlds / (alone * records))
        yield row(f"simulator_{stations}x{coups}_records", records / taken, "records/s", 1 / alone)


def _run(options: WorldOptions, worlds: int) -> None:
    for seed in range(worlds):
        simulate(seed, options, random.Random(seed).random)


def _decide_alone(stations: int) -> None:
    state: AnyTable = UNCONFIGURED
    entries: list[Entry] = []
    for record in opened(stations):
        act, stamp = read_act(read_answer(record.entry))
        decision = decide(state, act, stamp)
        assert not isinstance(decision, Refused)
        for event in decision:
            state = evolve(state, event)
        entries.append(entry_of(record.entry.key, act, stamp, decision))
    start_of("table/T1").then(1, entries)
