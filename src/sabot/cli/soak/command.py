"""A soak from its options to its report, for `sabot soak`."""

import asyncio
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from sabot.basics.mistake import Mistake
from sabot.cli.sentences import in_one_sentence
from sabot.cli.soak.floor_under_soak import prepare
from sabot.cli.soak.report import SoakReport, summary
from sabot.cli.soak.run import Soak, SoakPlan
from sabot.cli.terminal import console, print_json
from sabot.rules.shipped import figures_of, rule_set
from sabot.web.serving.logs import set_up_logs

MOST_HOURS = 1_000
MOST_TABLES = 20


def run_soak(
    *,
    seconds: float,
    pace: float,
    tables: int,
    stations: int,
    journal: str,
    faults_every: float,
    seed: int,
    report: Path | None,
    json: bool,
) -> int:
    _check(seconds, pace, tables, stations, faults_every)
    with ExitStack() as stack:
        folder = report or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="sabot-soak-")))
        plan = SoakPlan(
            folder=folder.resolve(),
            journal=journal,
            tables=tables,
            stations=stations,
            pace=pace,
            seconds=seconds,
            faults_every_s=faults_every,
            sample_every_s=min(15.0, max(1.0, seconds / 240)),
            seed=seed,
        )
        set_up_logs("error", "json")
        with in_one_sentence():
            floor = asyncio.run(prepare(plan.folder, journal, tables, stations, pace))
            found = asyncio.run(Soak(plan, floor, _telling(quiet=json)).run())
    return _show(found, folder if report else None, json=json)


def _check(seconds: float, pace: float, tables: int, stations: int, faults_every: float) -> None:
    most = figures_of(rule_set("crown-traditional")).most_stations
    if not 0 < seconds <= MOST_HOURS * 3_600:
        raise Mistake(f"a soak lasts up to {MOST_HOURS} hours: give --hours or --minutes")
    if not 0.1 <= pace <= 100:
        raise Mistake(f"tables are dealt 0.1 to 100 times as fast as usual, not {pace:g}")
    if not 1 <= tables <= MOST_TABLES or not 1 <= stations <= most:
        raise Mistake(f"a soak has 1 to {MOST_TABLES} tables with 1 to {most} stations each")
    if faults_every <= 0:
        raise Mistake("the time between two faults is more than nothing")


def _telling(*, quiet: bool) -> Callable[[str], None]:
    out = console(to_error=True)

    def tell(line: str) -> None:
        if not quiet:
            out.print(line, end="\r" if out.is_terminal else "\n")

    return tell


def _show(report: SoakReport, folder: Path | None, *, json: bool) -> int:
    if json:
        print_json(report)
    else:
        out = console()
        out.print(summary(report), end="")
        if folder is not None:
            out.print(f"the curves are in {folder}")
    return 0 if report.ok else 1
