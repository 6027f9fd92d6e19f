"""Seeded worlds with faults of every kind around a table's owner, for `sabot simulate-floor`."""

import os
import random
import re
from functools import partial

import msgspec

from sabot.basics.mistake import Mistake
from sabot.cli.seeds import SeedProgress, outcomes
from sabot.cli.terminal import console, print_json
from sabot.floor.simulator.weather import WorldOptions
from sabot.floor.simulator.world import WorldOutcome, simulate
from sabot.rules.shipped import figures_of, rule_set

LARGEST_SEED = 2**63
MOST_COUPS = 10_000


class SimulationReport(msgspec.Struct, frozen=True):
    runs: int
    failing: list[WorldOutcome]
    records: int
    epochs: int
    """How often an owner took a table over, in all runs."""
    coups: dict[str, int]
    runs_a_second: float


def run_worlds(seeds: str, stations: int, coups: int, processes: int, *, json: bool) -> int:
    first, last = _read_seeds(seeds)
    most = figures_of(rule_set("crown-traditional")).most_stations
    if not 1 <= stations <= most:
        raise Mistake(f"a table has 1 to {most} stations, not {stations}")
    if not 1 <= coups <= MOST_COUPS:
        raise Mistake(f"the faults last 1 to {MOST_COUPS} coups, not {coups}")
    if processes < 0:
        raise Mistake("at least one process is needed")
    options = WorldOptions(stations=stations, coups=coups)
    return tell(_report(range(first, last + 1), options, processes or os.cpu_count() or 1, quiet=json), json=json)


def run_seed(seed: int, options: WorldOptions) -> WorldOutcome:
    return simulate(seed, options, random.Random(seed).random)  # noqa: S311  The same seed makes the same world.


def _read_seeds(written: str) -> tuple[int, int]:
    found = re.fullmatch(r"([0-9]{1,19})(?:\.\.([0-9]{1,19}))?", written)
    if found is None:
        raise Mistake(f"{written!r} is no range of seeds: write the first and the last, such as 0..999")
    first, last = int(found[1]), int(found[2] or found[1])
    if not first <= last < LARGEST_SEED:
        raise Mistake(f"{written!r} is no range of seeds: the last one comes before the first, or is too large")
    return first, last


def _report(seeds: range, options: WorldOptions, processes: int, *, quiet: bool) -> SimulationReport:
    runs = records = epochs = 0
    coups: dict[str, int] = {}
    failing: list[WorldOutcome] = []
    progress = SeedProgress("worlds", len(seeds), quiet=quiet)
    for outcome in outcomes(seeds, partial(run_seed, options=options), processes):
        runs, records, epochs = runs + 1, records + outcome.records, epochs + outcome.epochs
        coups = {how: coups.get(how, 0) + count for how, count in outcome.coups.items()}
        if outcome.problem is not None:
            failing.append(outcome)
        progress.step()
    return SimulationReport(runs, failing, records, epochs, coups, progress.a_second)


def tell(report: SimulationReport, *, json: bool) -> int:
    """Print the report and return the exit code: 1 where a seed fails."""
    if json:
        print_json(report)
        return 1 if report.failing else 0
    out = console()
    for outcome in report.failing:
        options = f"--stations {outcome.options.stations} --coups {outcome.options.coups}"
        out.print(f"seed {outcome.seed} fails: {outcome.problem}")
        out.print(f"  sabot simulate-floor --seeds {outcome.seed} {options}")
    ended = ", ".join(f"{count:,} {how}" for how, count in report.coups.items())
    out.print(
        f"{report.runs:,} worlds, {len(report.failing):,} of them failing; {report.records:,} records, "
        f"{report.epochs:,} takings, coups: {ended}; {report.runs_a_second:,.0f} worlds a second."
    )
    return 1 if report.failing else 0
