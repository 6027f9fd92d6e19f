"""`sabot drill integrity`: how often honest nights raise a false alarm, and how soon planted cheats are found."""

import os
from functools import partial
from itertools import islice
from pathlib import Path

import msgspec

from sabot.basics.mistake import Mistake
from sabot.cli.arguments import Flag, Number
from sabot.cli.kept_drill import KeptDrill
from sabot.cli.seeds import SeedProgress, outcomes
from sabot.cli.terminal import console, print_json, table
from sabot.integrity.budget import FALSE_ALARMS_A_DAY, TABLES
from sabot.integrity.trial.planted import PLANTED
from sabot.integrity.trial.report import HonestFloor, Planted, honest_floor, planted
from sabot.integrity.trial.trial import NIGHTS_A_TABLE, FoundCheat, cheated_table, honest_table

AT_ONCE = 2
"""Tables that a process takes at a time; each is some seconds of work."""


class IntegrityDrill(msgspec.Struct, frozen=True):
    seed: int
    honest: HonestFloor | None
    planted: list[Planted]


def integrity(
    *,
    nights: Number = 400,
    seed: Number = 1,
    cheats: Number = 0,
    only: str = "",
    most_coups: Number = 10_000,
    processes: Number = 0,
    resume: Path | None = None,
    json: Flag = False,
) -> int:
    """Play honest nights and planted cheats through the lights that watch a served table.

        sabot drill integrity --nights 40000

        sabot drill integrity --nights 40000 --resume nights.drill

        sabot drill integrity --nights 0 --cheats 20 --only slug

    An honest night is a shoe of some eighty coups with three to eight patrons who have habits, four dealers in turn,
    and corrections, voided coups and claims as they happen. A table is watched for ten nights in a row, and the same
    night of 40 tables is a floor-day. The exit code is 1 if the rate of floor-days with a false alarm is above 1 per
    cent beyond doubt: if its whole interval is.

    Ctrl-C ends the drill with exit code 130. With --resume every table that was played is kept in a file as it ends,
    and the same command goes on from there, also with more nights or cheats.

    Parameters
    ----------
    nights
        How many honest nights of a table.
    seed
        Which nights; the same number plays the same.
    cheats
        At so many tables each cheat is planted.
    only
        Only the cheats whose name contains this.
    most_coups
        After so many coups nobody looks for a cheat any longer.
    processes
        How many processes share the work; as many as there are processors unless given.
    resume
        The file that keeps what was played.
    json
        Print the stable JSON form.
    """
    if nights < 0 or cheats < 0 or most_coups < 1 or processes < 0:
        raise Mistake("--nights, --cheats and --processes are not below zero, and --most-coups is at least 1")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # Or each process would take all processors.
    at_once, kept = processes or os.cpu_count() or 1, KeptDrill(resume, seed, most_coups)
    honest = _play_honest(nights, seed, at_once, kept, quiet=json) if nights else None
    chosen = [name for name in PLANTED if only in name] if cheats else []
    found = [_play_cheat(name, cheats, seed, most_coups, at_once, kept, quiet=json) for name in chosen]
    report = IntegrityDrill(seed, honest, found)
    if json:
        print_json(report)
    else:
        _show(report)
    return 1 if honest is not None and honest.rate_at_least > FALSE_ALARMS_A_DAY else 0


def _play_honest(nights: int, seed: int, processes: int, kept: KeptDrill, *, quiet: bool) -> HonestFloor:
    tables = range(-(-nights // NIGHTS_A_TABLE))
    progress = SeedProgress("tables", len(tables), quiet=quiet, known=len(kept.honest))
    played = outcomes(tables[len(kept.honest) :], partial(honest_table, seed=seed), processes, AT_ONCE)
    all_played = islice(kept.honest_and(progress.following(played)), len(tables))
    return honest_floor(all_played, NIGHTS_A_TABLE)


def _play_cheat(
    name: str, tables: int, seed: int, most_coups: int, processes: int, kept: KeptDrill, *, quiet: bool
) -> Planted:
    known = len(kept.cheated.get(name, ()))
    progress = SeedProgress(name, tables, quiet=quiet, known=known)
    run = partial(_cheated, seed=seed, name=name, most_coups=most_coups)
    played = outcomes(range(tables)[known:], run, processes, AT_ONCE)
    return planted(name, list(islice(kept.cheated_and(name, progress.following(played)), tables)))


def _cheated(number: int, seed: int, name: str, most_coups: int) -> FoundCheat:
    return cheated_table(number, seed, PLANTED[name], most_coups)


def _show(report: IntegrityDrill) -> None:
    out = console()
    honest = report.honest
    if honest is not None:
        for alarm in honest.alarms:
            out.print(f"table {alarm.table}, night {alarm.night}: {alarm.kind} {alarm.subject}: {alarm.evidence:.3g}")
        out.print(
            f"{honest.nights:,} honest nights, {honest.coups:,} coups, {len(honest.alarms)} false alarms. "
            f"{honest.with_alarm} of {honest.floor_days:,} floor-days of {TABLES} tables had one: {honest.rate:.2%}, "
            f"between {honest.rate_at_least:.2%} and {honest.rate_at_most:.2%} (95 per cent)."
        )
    if report.planted:
        shown = table("cheat", "found", "coups: half", "coups: nine tenths", "first light")
        for one in report.planted:
            figures = [_figure(each) for each in (one.median_coups, one.ninety_coups)]
            shown.add_row(one.cheat, f"{one.found} of {one.tables}", *figures, ", ".join(one.by))
        out.print(shown)


def _figure(number: int | None) -> str:
    return "–" if number is None else f"{number:,}"
