"""`sabot simulate`: deals many shoes and compares the results of every bet with its exact odds."""

import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.table import Table

from sabot.basics.mistake import Mistake
from sabot.cli.arguments import (
    AllOptions,
    DragonBonus,
    Flag,
    Json,
    Number,
    OptionArguments,
    PerfectPairs,
    RuleSetArgument,
    read_rule_set_argument,
    typed_options,
)
from sabot.cli.exit_codes import INTERRUPTED
from sabot.cli.kept_run import KeptRun, kept_seed
from sabot.cli.odds import read_study
from sabot.cli.terminal import console, print_json, table, title_text
from sabot.odds.cluster import Cluster
from sabot.odds.composition import Composition
from sabot.odds.dealing import Dealing
from sabot.odds.histogram import Histogram
from sabot.odds.next_coup import NextCoup
from sabot.odds.simulated_arrays import SEED_VERSION
from sabot.odds.simulation import Simulation
from sabot.odds.study import Study
from sabot.odds.tally import SimulationTally, tally
from sabot.odds.workers import Threads, Watch, Workers

DEFAULT_COUPS = 10_000_000


def simulate(
    rule_set: RuleSetArgument,
    /,
    *,
    coups: Number | None = None,
    shoes: Number | None = None,
    decks: Number = 8,
    seed: Number | None = None,
    seed_version: Number = SEED_VERSION,
    resume: Path | None = None,
    threads: Number | None = None,
    dask: str | None = None,
    dragon_bonus: DragonBonus = None,
    perfect_pairs: PerfectPairs = None,
    option: OptionArguments = (),
    all_options: AllOptions = False,
    burn_by_face_value: Flag = False,
    behind_cutting_card: Number | None = None,
    coups_a_shoe: Number | None = None,
    json: Json = False,
) -> int:
    """Deal shoes by the rule set's procedures, settle every bet on every coup, and compare with the exact odds.

        sabot simulate crown-traditional --coups 100000000

        sabot simulate mbs-baccarat --decks 6 --shoes 1000 --seed 7 --json

        sabot simulate crown-baccarat --coups 1000000000 --coups-a-shoe 60

        sabot simulate crown-baccarat --coups 1000000000000 --resume long-run.json

    The result depends only on the seed, its version and the number of shoes, not on threads, processor or cluster.
    Ctrl-C ends the run with the shoes dealt so far, and exit code 130. With --resume the same command goes on from
    there, and ends with the same answer as without a break. The cutting card ends a shoe earlier when its coups took
    more cards, so in very long runs the results differ a little from the exact odds; with --coups-a-shoe they do not.

    Parameters
    ----------
    coups
        Deal whole shoes until there are at least so many coups; ten million unless given.
    shoes
        Deal so many shoes instead.
    decks
        How many decks the shoe holds.
    seed
        The same number deals the same shoes; without it they differ each time, unless a run is resumed.
    seed_version
        The way of dealing that the seed stands for. This program deals version 2; any other is refused.
    resume
        Keep the run in this file, every ten seconds and at Ctrl-C, and go on from the file where it exists.
    threads
        How many threads deal; as many as there are cores unless given.
    dask
        The address of the scheduler of a Dask cluster that deals instead; needs the extra sabot[dask].
    burn_by_face_value
        Show the first card of a shoe and burn as many more as its face value.
    behind_cutting_card
        How many cards lie behind the cutting card, within what the rule set permits.
    coups_a_shoe
        Deal so many coups from every shoe and ignore the cutting card.
    """
    rules = read_rule_set_argument(rule_set)
    options = typed_options(option, dragon_bonus=dragon_bonus, perfect_pairs=perfect_pairs)
    study = read_study(rules, decks, options, all_options=all_options)
    dealing = Dealing.of(
        rules,
        decks,
        burns_by_face_value=burn_by_face_value,
        behind_cutting_card=behind_cutting_card,
        coups_a_shoe=coups_a_shoe,
        told_apart=study.aspect,
    )
    _check_seed_version(seed_version)
    simulation = Simulation(
        dealing=dealing,
        seed=_seed(seed, resume),
        coups=DEFAULT_COUPS if coups is None and shoes is None else coups,
        shoes=shoes,
    )
    kept = None if resume is None else KeptRun(resume, rules.id, simulation)
    histogram = _run(simulation, _workers(threads, dask), kept)
    if not histogram.total:
        raise KeyboardInterrupt
    tallied = tally(study, simulation, histogram, NextCoup(Composition.fresh(decks)))
    if json:
        print_json(tallied)
    else:
        _show(study, tallied)
    return 0 if tallied.complete else INTERRUPTED


def _check_seed_version(version: int) -> None:
    if version != SEED_VERSION:
        raise Mistake(f"this program deals version {SEED_VERSION} of a seed, and no shoes of version {version}")


def _seed(wanted: int | None, resumed: Path | None) -> int:
    if wanted is not None:
        return wanted
    kept = None if resumed is None else kept_seed(resumed)
    return secrets.randbelow(10**15) if kept is None else kept


def _workers(threads: int | None, dask: str | None) -> Workers:
    if dask is None:
        return Threads(_cores() if threads is None else threads)
    if threads is not None:
        raise Mistake("a cluster has its own threads: say either --threads or --dask")
    return Cluster(dask)


def _cores() -> int:
    """The number of cores that this process may use, where the system provides it, or else of all cores."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _run(simulation: Simulation, workers: Workers, kept: KeptRun | None) -> Histogram:
    out = console(to_error=True)
    out.print(f"sabot: dealing by {workers.name}; Ctrl-C ends it with what has been dealt", style="dim")
    begun = simulation.none_dealt if kept is None else kept.dealt
    if begun.shoes:
        out.print(f"sabot: going on after {begun.total:,} coups of {begun.shoes:,} shoes", style="dim")
    started = time.perf_counter()
    with _progress(simulation.expected_coups, begun.total) as show:

        def watch(dealt: Histogram) -> None:
            show(dealt)
            if kept is not None:
                kept.watch(dealt)

        histogram = simulation.run(workers, watch, begun)
    if kept is not None:
        kept.watch(histogram)
        kept.write()
    seconds = time.perf_counter() - started
    stopped = "" if simulation.is_complete(histogram) else "stopped after "
    counted = f"{histogram.total:,} coups of {histogram.shoes:,} shoes in {seconds:.1f} s"
    out.print(f"sabot: {stopped}{counted}, {_rate(histogram.total - begun.total, seconds)}", style="dim")
    return histogram


@contextmanager
def _progress(coups: float, begun: int) -> Iterator[Watch]:
    """A progress bar with rate and time left on standard error, where that is a terminal."""
    out = console(to_error=True)
    columns = (BarColumn(), TaskProgressColumn(), TextColumn("{task.fields[rate]}"), TimeRemainingColumn())
    started = time.perf_counter()
    with Progress(*columns, console=out, transient=True, disable=not out.is_terminal) as progress:
        task = progress.add_task("", total=coups, rate="")

        def watch(dealt: Histogram) -> None:
            rate = _rate(dealt.total - begun, time.perf_counter() - started)
            progress.update(task, completed=dealt.total, rate=rate)

        yield watch


def _rate(coups: int, seconds: float) -> str:
    return f"{coups / max(seconds, 1e-9) / 1e6:,.1f} million coups a second"


def _show(study: Study, tallied: SimulationTally) -> None:
    out = console()
    shoes = f"{tallied.coups:,} coups of {tallied.shoes:,} shoes"
    seed = f"seed {tallied.seed} (version {tallied.seed_version})"
    out.print(title_text(study.terms.rule_set, f"{tallied.decks} decks", shoes, seed))
    out.print()
    out.print(_bets(tallied))
    _say_how_well(out, tallied)


def _bets(tallied: SimulationTally) -> Table:
    shown = table("bet", "win|", "push|", "lose|", "house edge|", "95% from|", "to|", "exactly|", "errors off|")
    for name, bet in tallied.bets.items():
        low, high = bet.confidence_95
        shown.add_row(
            name,
            *(f"{count / tallied.coups:.6f}" for count in (bet.win, bet.push, bet.lose)),
            *(f"{edge:.4%}" for edge in (bet.house_edge, low, high, bet.exact)),
            "—" if bet.z is None else f"{bet.z:+.2f}",
        )
    return shown


def _say_how_well(out: Console, tallied: SimulationTally) -> None:
    words = ["Edges above zero favour the house; “errors off” are standard errors from the exact edge."]
    fit = tallied.chi_square
    if fit is not None:
        words.append(
            f"Chi-square over all cells: {fit.statistic:,.1f} on {fit.degrees_of_freedom:,} degrees of freedom; "
            f"chance alone fits no better {100 * fit.p:.2g}% of the time."
        )
    if tallied.coups_a_shoe is None:
        words.append("The cutting card makes the coups of a shoe differ a little; --coups-a-shoe sets it aside.")
    for sentence in words:
        out.print(sentence, style="dim")
