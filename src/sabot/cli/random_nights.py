"""Random nights for `sabot drill --nights`: plays them, and sees whether they find the planted holes."""

import csv
import os
import random
from collections import Counter
from collections.abc import Iterable
from functools import partial
from pathlib import Path

import msgspec

from sabot.cli.seeds import SeedProgress, outcomes
from sabot.cli.terminal import console, print_json
from sabot.floor.nights.laws import Authority
from sabot.floor.nights.night import NightOutcome, play_night
from sabot.floor.nights.plausible import KINDS
from sabot.floor.simulator.chance import Chance
from sabot.table.irregularities.ways import FACTS
from sabot.table.role import Role

SHOWN = 20
"""Failing nights that are told one by one."""


class NightsReport(msgspec.Struct, frozen=True):
    nights: int
    acts: int
    accepted: int
    coups: int
    done: dict[str, int]
    """How often each kind of act was accepted, and each fact stated; what never was has 0."""
    failing: list[NightOutcome]
    nights_a_second: float


def run_night(seed: int, authority: Authority) -> NightOutcome:
    return play_night(seed, Chance(random.Random(seed).random), authority)  # noqa: S311  The same seed plays the same night.


def read_authority(matrix: Path) -> Authority:
    """Which roles may give each verb of a table, by the table of roles that the tests keep."""
    with matrix.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["of"] == "table"]
    return {row["act"]: frozenset(role for role in Role if row.get(role.value) == "yes") for row in rows}


def play_nights(seeds: range, matrix: Path, *, quiet: bool) -> NightsReport:
    authority = read_authority(matrix)
    progress = SeedProgress("nights", len(seeds), quiet=quiet)
    failing, acts, accepted, coups = list[NightOutcome](), 0, 0, 0
    done = Counter({kind.__name__: 0 for kind in KINDS} | dict.fromkeys(FACTS, 0))
    for night in outcomes(seeds, partial(run_night, authority=authority), os.cpu_count() or 1):
        acts, accepted, coups = acts + night.acts, accepted + night.accepted, coups + night.coups
        done.update(night.done)
        if night.violation:
            failing.append(night)
        progress.step()
    return NightsReport(len(seeds), acts, accepted, coups, dict(done), failing, progress.a_second)


def first_violation(nights: Iterable[int], matrix: Path) -> NightOutcome | None:
    """The first of these nights that fails."""
    authority = read_authority(matrix)
    played = (run_night(seed, authority) for seed in nights)
    return next((night for night in played if night.violation), None)


def tell_nights(report: NightsReport, *, json: bool) -> int:
    """Print the report and return the exit code: 1 where a night fails."""
    if json:
        print_json(report)
        return 1 if report.failing else 0
    out = console()
    for night in report.failing[:SHOWN]:
        out.print(f"night {night.seed} under {night.rule_set}: {night.violation}")
        out.print(f"  sabot drill --nights 1 --seed {night.seed}")
    out.print(
        f"{report.nights:,} nights, {len(report.failing):,} of them failing; {report.acts:,} acts, {report.accepted:,} "
        f"of them accepted, {report.coups:,} coups; {report.nights_a_second:,.0f} nights a second."
    )
    never = [kind for kind, count in report.done.items() if not count]
    if never:
        out.print(f"Never accepted: {', '.join(never)}.")
    return 1 if report.failing else 0
