"""`sabot bench`: the benchmarks in bench/."""

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from sabot.basics.mistake import Mistake
from sabot.cli.arguments import Flag
from sabot.cli.checkout import checkout
from sabot.cli.stopwatch import Row
from sabot.cli.terminal import console, print_json, table


def bench(*names: str, long: Flag = False, json: Flag = False) -> int:
    """Run the benchmarks and compare each figure with a baseline measured in the same run.

        sabot bench

        sabot bench coup_batch --json

    Compare ratios rather than figures: both sides of a ratio ran on this machine in the same run.

    Parameters
    ----------
    names
        Only these benchmark files of bench/, without .py.
    long
        Also run the long forms, which take minutes. A benchmark that has none runs as without it.
    json
        Print the stable JSON form: rows of name, value, unit, baseline and ratio.
    """
    rows: list[Row] = []
    out = console(to_error=True)
    for file in _files(names):
        out.print(f"sabot: measuring {file.stem}", style="dim")
        rows += measured(_load(file), long=long)
    if json:
        print_json(rows)
        return 0
    shown = table("name", "value|", "unit", "baseline|", "ratio|")
    for row in rows:
        shown.add_row(row.name, f"{row.value:,.2f}", row.unit, f"{row.baseline:,.2f}", f"{row.ratio:.2f}")
    console().print(shown)
    return 0


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
