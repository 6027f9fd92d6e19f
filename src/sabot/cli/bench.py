"""`sabot bench`: the benchmarks in bench/."""

import importlib.util
import math
import os
import platform
import shutil
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType

import msgspec

from sabot.basics.mistake import Mistake
from sabot.cli.arguments import Flag
from sabot.cli.bench_runs import (
    NOISE,
    BenchChange,
    BenchRun,
    BenchVerdict,
    compared,
    not_measured,
    read_run,
    too_bad,
    worse,
)
from sabot.cli.checkout import checkout
from sabot.cli.stopwatch import Row
from sabot.cli.terminal import console, print_json, table

STYLES = {BenchVerdict.BETTER: "green", BenchVerdict.WORSE: "bold red", BenchVerdict.SAME: "dim"}


def bench(
    *names: str,
    long: Flag = False,
    keep: Path | None = None,
    compare: Path | None = None,
    worse_by: float | None = None,
    quiet_machine: Flag = False,
    json: Flag = False,
) -> int:
    """Run the benchmarks and compare each figure with a baseline measured in the same run.

        sabot bench

        sabot bench coup_batch --json

        sabot bench roads settle --keep before.json

        sabot bench --compare before.json --worse-by 10

    Compare ratios rather than figures: both sides of a ratio ran on this machine in the same run. With --compare the
    benchmarks of the kept run are run again, unless others are named, and what is better or worse by more than the
    noise is marked: a tenth for CPU time, a quarter for figures by the clock.

    Parameters
    ----------
    names
        Only these benchmark files of bench/, without .py.
    long
        Also run the long forms, which take minutes. A benchmark that has none runs as without it.
    keep
        Write this run to a file, with its date, commit, machine and Python.
    compare
        Show what changed since the run in this file.
    worse_by
        With --compare: the exit code is 1 when a ratio is worse by more than so many percent.
    quiet_machine
        Nothing else runs here: judge figures by the clock as well.
    json
        Print the stable JSON form: rows of name, value, unit, baseline and ratio; with --compare, the changes.
    """
    if worse_by is not None and (compare is None or worse_by < 0):
        raise Mistake("--worse-by is a percentage, and judges what --compare has found")
    before = None if compare is None else read_run(_read(compare), str(compare))
    measured_now: dict[str, list[Row]] = {}
    out = console(to_error=True)
    for file in _files(names or tuple(before.benchmarks if before else ())):
        out.print(f"sabot: measuring {file.stem}", style="dim")
        measured_now[file.stem] = list(measured(_load(file), long=long))
    if keep is not None:
        keep.write_bytes(msgspec.json.format(msgspec.json.encode(_kept(measured_now))) + b"\n")
    if before is None:
        _show_rows([row for rows in measured_now.values() for row in rows], json=json)
        return 0
    changes = [one for name, rows in measured_now.items() for one in compared(before.benchmarks.get(name, []), rows)]
    _show_changes(before, changes, not_measured(before.benchmarks, measured_now), json=json)
    bad = [] if worse_by is None else too_bad(changes, worse_by / 100, on_clock=quiet_machine)
    for one in bad:
        out.print(f"sabot: {one.name} is worse by {worse(one):.1%}, more than {worse_by:g} %", style="red")
    return 1 if bad else 0


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise Mistake(f"{path} cannot be read: {error.strerror}") from None


def _kept(rows: dict[str, list[Row]]) -> BenchRun:
    return BenchRun(
        date=datetime.now(UTC).isoformat(timespec="seconds"),
        commit=_commit(),
        machine=f"{platform.node()}, {platform.machine()}, {os.cpu_count()} processors, {platform.release()}",
        python=f"{platform.python_implementation()} {platform.python_version()}, {platform.python_compiler()}",
        benchmarks={name: [row for row in of if math.isfinite(row.ratio)] for name, of in rows.items()},
    )


def _commit() -> str:
    """The commit that was measured, with a mark where the sources differ from it; empty without a history."""
    git, root = shutil.which("git"), checkout()
    if git is None or root is None:
        return ""
    words = [git, "-C", str(root), "describe", "--always", "--dirty", "--abbrev=12"]
    return subprocess.run(words, capture_output=True, text=True, check=False).stdout.strip()  # noqa: S603  Our own words.


def _show_rows(rows: list[Row], *, json: bool) -> None:
    if json:
        print_json(rows)
        return
    shown = table("name", "value|", "unit", "baseline|", "ratio|")
    for row in rows:
        shown.add_row(row.name, f"{row.value:,.2f}", row.unit, f"{row.baseline:,.2f}", f"{row.ratio:.2f}")
    console().print(shown)


def _show_changes(before: BenchRun, changes: list[BenchChange], missing: list[str], *, json: bool) -> None:
    if json:
        print_json(
            {"then": {"date": before.date, "commit": before.commit}, "changes": changes, "not_measured": missing}
        )
        return
    out = console()
    out.print(f"then: {before.date}, {before.commit}, {before.machine}, {before.python}", style="dim", soft_wrap=True)
    shown = table("name", "then|", "now|", "unit", "ratio then|", "ratio now|", "change|", "")
    for one in changes:
        row = one.now or one.then
        assert row is not None
        figures = [f"{each.value:,.2f}" if each else "—" for each in (one.then, one.now)]
        ratios = [f"{each.ratio:.2f}" if each else "—" for each in (one.then, one.now)]
        told = f"{one.verdict}{', by the clock' if one.on_clock else ''}"
        change = _percent(one) if one.then and one.now else ""
        shown.add_row(one.name, *figures, row.unit, *ratios, change, told, style=STYLES.get(one.verdict, ""))
    out.print(shown)
    if missing:
        out.print(f"not measured now: {', '.join(missing)}", style="dim")
    out.print(f"Changes within {NOISE:.0%} are noise; a change above zero is for the better.", style="dim")


def _percent(one: BenchChange) -> str:
    return f"{one.better_by:+.1%}"


def measured(module: ModuleType, *, long: bool) -> Iterator[Row]:
    """The rows of one benchmark, and those of its long form where they are asked for."""
    yield from module.measure()
    if long and hasattr(module, "measure_long"):
        yield from module.measure_long()


def _files(names: tuple[str, ...]) -> Iterator[Path]:
    root = checkout()
    if root is None:
        raise Mistake("the benchmarks are part of the sources: run ./sabot bench in a checkout")
    found = {path.stem: path for path in sorted((root / "bench").glob("*.py")) if not path.stem.startswith("_")}
    for name in names:
        if name not in found:
            raise Mistake(f"there is no benchmark {name!r}; there are {', '.join(found)}")
    yield from (found[name] for name in names or found)


def _load(file: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"bench_{file.stem}", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
