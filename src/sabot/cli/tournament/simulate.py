"""`sabot tournament simulate`: whole tournaments with robots, to see what a plan comes to."""

import asyncio
import os
import statistics
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from cyclopts import Parameter

from sabot.audit.journal_copy import copy
from sabot.basics.mistake import Mistake
from sabot.basics.money import write_amount, write_net
from sabot.cli.arguments import Json, Number
from sabot.cli.exit_codes import INTERRUPTED
from sabot.cli.journal.shared import ProgressPrinter
from sabot.cli.seeds import SeedProgress, outcomes
from sabot.cli.sentences import in_one_sentence
from sabot.cli.terminal import console, print_json, table
from sabot.cli.tournament.conditions_argument import ConditionsArgument, read_conditions_argument
from sabot.floor.contests.contest import Contest, ContestPlan, tables_needed
from sabot.floor.contests.outcome import ContestOutcome, LawBroken
from sabot.floor.contests.upsets import FAIR, FOUL
from sabot.journal.opening import create
from sabot.tournament.conditions.file import read_conditions
from sabot.tournament.conditions.parts import Conditions

MOST_RUNS = 100_000
LOW, HIGH = 5, 95


class ContestSpread(msgspec.Struct, frozen=True):
    """A figure over all runs."""

    mean: float
    low: float
    """Five runs of a hundred are below."""
    high: float
    """Five of a hundred are above."""


class ContestReport(msgspec.Struct, frozen=True):
    tournament: str
    players: int
    runs: int
    seed: int
    complete: bool
    coups: ContestSpread
    minutes: ContestSpread
    """Of play, over all sessions one after the other."""
    rounds_minutes: dict[str, ContestSpread]
    """The longest session of each round."""
    house_cents: ContestSpread
    """Fees and stakes won, less what the house added to the prizes."""
    prizes_cents: ContestSpread
    added_cents: ContestSpread
    last: ContestOutcome
    """The newest run, with its winners and books."""
    seconds: float


def simulate(
    file: ConditionsArgument,
    /,
    *,
    players: Number | None = None,
    seed: Number = 1,
    runs: Number = 1,
    processes: Number = 0,
    tables: Number = 0,
    seats: Number = 0,
    journal: Path | None = None,
    buy_back_percent: Annotated[Number, Parameter(help="Of those who may buy back, so many per cent do.")] = 50,
    weather: Annotated[Literal["fair", "foul"], Parameter(help="What goes wrong on the way.")] = "fair",
    json: Json = False,
) -> int:
    """Play a tournament from its conditions with robots, as fast as it goes: who wins, how long, what the house earns.

        sabot tournament simulate spring --players 40

        sabot tournament simulate own.toml --players 200 --runs 100 --seed 7 --json

    Every run goes from the draft to the closed books over the program of a served floor: entry and cage, draw, sessions
    in credits, progress, prizes. The same seed plays the same tournament. Ctrl-C ends with the runs played so far, and
    exit code 130; a broken law ends with exit code 1.

    Parameters
    ----------
    players
        How many enter; as many as the conditions admit unless given.
    seed
        The seed of the first run; the others follow.
    runs
        How many tournaments are played; the figures are given with their spread.
    processes
        How many runs are played at once; as many as the machine has cores unless given.
    tables
        How many tables the floor has; as many as the conditions need unless given.
    seats
        How many stations each table has; as many as the conditions need unless given.
    journal
        Write the records of the last run to this new file, for `sabot tournament show` and `verify`.
    """
    name, raw = read_conditions_argument(file)
    if not isinstance(raw, dict):
        raise Mistake(f"{name} is no conditions file")
    conditions = read_conditions(raw, name)
    entry = conditions.entry
    number = entry.maximum_players if players is None else players
    if not entry.minimum_players <= number <= entry.maximum_players:
        admitted = f"{entry.minimum_players} to {entry.maximum_players}"
        raise Mistake(f"{name} admits {admitted} players, not {number} (CROWN 12.2.1(g))")
    if not 1 <= runs <= MOST_RUNS:
        raise Mistake(f"1 to {MOST_RUNS:,} tournaments can be played, not {runs}")
    if not 0 <= buy_back_percent <= 100:
        raise Mistake("0 to 100 per cent can buy back")
    _check_floor(conditions, tables, seats)
    upsets = FOUL if weather == "foul" else FAIR
    plan = ContestPlan(conditions, number, seed, buy_back_percent, tables, seats, upsets)
    if journal is not None and journal.exists():
        raise Mistake(f"{journal} is there already; name a new file")
    try:
        report = _played(plan, range(seed, seed + runs), processes or os.cpu_count() or 1, quiet=json)
    except LawBroken as broken:
        console(to_error=True).print(f"✗ {broken}", style="bold red")
        return 1
    if journal is not None:
        record(msgspec.structs.replace(plan, seed=report.last.seed), journal)
    if json:
        print_json(report)
    else:
        _show(conditions, report)
    return 0 if report.complete else INTERRUPTED


def _check_floor(conditions: Conditions, tables: int, seats: int) -> None:
    """A floor that is too small is found before anything is played."""
    needed, wide = tables_needed(conditions)
    for given, least, what in ((tables, needed, "tables"), (seats, wide, "seats at a table")):
        if given and given < least:
            raise Mistake(f"the conditions need {least} {what}, not {given} (CROWN 12.2.1(d))")


def record(plan: ContestPlan, path: Path) -> None:
    """Play once more, and write the records to a journal."""
    contest = Contest(plan)
    contest.play()

    async def write() -> None:
        async with create(str(path)) as journal:
            await copy(contest.floor.backing.journal, journal, ProgressPrinter())

    with in_one_sentence():
        asyncio.run(write())


def run_contest(seed: int, plan: ContestPlan) -> ContestOutcome:
    return Contest(msgspec.structs.replace(plan, seed=seed)).play()


def _played(plan: ContestPlan, seeds: range, processes: int, *, quiet: bool) -> ContestReport:
    started, played = time.perf_counter(), list[ContestOutcome]()
    progress = SeedProgress("tournaments", len(seeds), quiet=quiet)
    try:
        for outcome in outcomes(seeds, partial(run_contest, plan=plan), processes, at_once=1):
            played.append(outcome)
            progress.step()
    except KeyboardInterrupt:
        if not played:
            raise
    return _report(plan, seeds, played, time.perf_counter() - started)


def _report(plan: ContestPlan, seeds: range, played: Sequence[ContestOutcome], seconds: float) -> ContestReport:
    rounds = [one.name for one in plan.conditions.rounds]
    longest = {name: [max(one.sessions_minutes.get(name, [0.0])) for one in played] for name in rounds}
    return ContestReport(
        tournament=plan.conditions.id,
        players=plan.players,
        runs=len(played),
        seed=seeds[0],
        complete=len(played) == len(seeds),
        coups=_spread([one.coups for one in played]),
        minutes=_spread([one.minutes for one in played]),
        rounds_minutes={name: _spread(minutes) for name, minutes in longest.items()},
        house_cents=_spread([one.house_cents for one in played]),
        prizes_cents=_spread([one.prizes_cents for one in played]),
        added_cents=_spread([one.house_adds_cents for one in played]),
        last=played[-1],
        seconds=seconds,
    )


def _spread(figures: Sequence[float]) -> ContestSpread:
    ordered = sorted(figures)
    low, high = (ordered[min(len(ordered) - 1, len(ordered) * percent // 100)] for percent in (LOW, HIGH))
    return ContestSpread(statistics.fmean(ordered), low, high)


def _show(conditions: Conditions, report: ContestReport) -> None:
    out, last = console(), report.last
    number = f"{report.runs:,} tournament{'' if report.runs == 1 else 's'}"
    out.print(f"{conditions.title['en']} ({report.tournament}): {number} with {report.players} players", style="bold")
    shown = table("figure", "mean|", "5% below|", "5% above|")
    shown.add_row("coups, all tables", *_figures(report.coups, "{:,.0f}"))
    for name, minutes in report.rounds_minutes.items():
        shown.add_row(f"{name}: minutes of a session", *_figures(minutes, "{:,.1f}"))
    shown.add_row("minutes of play in all", *_figures(report.minutes, "{:,.1f}"))
    shown.add_row("prizes paid", *_money(report.prizes_cents))
    shown.add_row("added by the house", *_money(report.added_cents))
    shown.add_row("earned by the house", *_money(report.house_cents))
    out.print(shown)
    for prize in last.prizes:
        won = write_amount(prize.cents) if prize.cents else prize.text.get("en", "")
        out.print(f"  {prize.place}. entrant {prize.entrant}: {won}")
    a_second = report.runs / max(report.seconds, 1e-9)
    out.print(f"seed {last.seed} is shown; {report.seconds:.1f} s, {a_second:,.2f} tournaments a second", style="dim")


def _figures(one: ContestSpread, form: str) -> tuple[str, str, str]:
    return form.format(one.mean), form.format(one.low), form.format(one.high)


def _money(one: ContestSpread) -> tuple[str, str, str]:
    return write_net(round(one.mean)), write_net(round(one.low)), write_net(round(one.high))
