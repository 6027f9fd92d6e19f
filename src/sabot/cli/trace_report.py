"""The clauses of the documents and what proves them, for `sabot trace`."""

import sys
import tempfile
from contextlib import suppress
from pathlib import Path

import msgspec
from rich.table import Table
from rich.text import Text

from sabot.cli.checkout import checkout
from sabot.cli.terminal import console, print_json, table
from sabot.floor.records.program_digest import package_digest
from sabot.rulebook.clauses import clauses, find_clauses, house_rules_by_id, readings, resting
from sabot.rulebook.scenario import all_scenarios
from sabot.rulebook.trace import Results, Status, Traced, counts, run_all, told
from sabot.rulebook.trace import trace as trace_clauses

STYLES = {
    Status.PROVED: "green",
    Status.BY_READING: "yellow",
    Status.OWN_LAYOUT: "yellow",
    Status.FAILING: "bold red",
    Status.ABSENT: "dim",
}


def print_trace(asked: str, *, missing: bool, summary: bool, json: bool) -> int:
    if asked.upper() in readings():
        return _show_reading(asked.upper(), json=json)
    if asked.upper() in house_rules_by_id():
        return _show_house_rule(asked.upper(), json=json)
    wanted = find_clauses(asked) if asked else list(clauses().values())
    results = _results({one.id for one in wanted} if asked else None)
    rows = trace_clauses(wanted, results)
    if missing:
        rows = [row for row in rows if row.status in (Status.FAILING, Status.ABSENT)]
    if json:
        print_json(counts(rows) if summary else rows)
    elif summary:
        console().print(_counts(rows))
    else:
        _show(rows, results, in_full=bool(asked) and len(rows) == 1)
    return 1 if any(row.status is Status.FAILING for row in rows) else 0


def _results(wanted: set[str] | None) -> Results:
    """The results of the last run of all scenarios, if it was of this exact program; otherwise those of a run now.

    A checkout keeps what a test run, or a run of all scenarios by this command, has found.
    """
    root = checkout()
    kept = None if root is None else root / ".sabot" / "trace.json"
    if kept is not None:
        with suppress(OSError, msgspec.DecodeError):
            results = msgspec.json.decode(kept.read_bytes(), type=Results)
            if results.program == package_digest():
                return results
    print("sabot: no run of this very program is on record; running the scenarios now", file=sys.stderr)  # noqa: T201
    results = run_all(one for one in all_scenarios() if wanted is None or not wanted.isdisjoint(one.clauses))
    if kept is not None and wanted is None:
        with suppress(OSError):  # A checkout that cannot be written to is asked again each time.
            _keep(results, kept)
    return results


def _keep(results: Results, kept: Path) -> None:
    kept.parent.mkdir(exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=kept.parent, delete=False) as fresh:
        fresh.write(msgspec.json.format(msgspec.json.encode(results)))
    Path(fresh.name).replace(kept)


def _show(rows: list[Traced], results: Results, *, in_full: bool) -> None:
    out = console()
    shown = table("clause", "kind", "status", "scenarios|", "restatement")
    for row in rows:
        status = Text(row.status, style=STYLES[row.status])
        shown.add_row(row.id, row.kind, status, str(len(row.scenarios) or ""), clauses()[row.id].restatement)
    out.print(shown)
    for row in rows:
        for scenario in row.scenarios:
            wrong = results.failures.get(scenario, "was not run")
            if in_full or wrong is not None:
                out.print(f"  {scenario}: {wrong or 'passed'}", style="red" if wrong else "")
    if in_full:
        _show_what_it_rests_on(rows[0])
    else:
        out.print()
        out.print(_counts(rows))


def _show_what_it_rests_on(row: Traced) -> None:
    """The readings and house rules in full: those that the clause rests on, and those that scenarios cite beside it."""
    out = console()
    named = resting()[row.id].readings if row.id in resting() else ()
    for identity in row.readings:
        rests = identity in named or row.status is Status.BY_READING
        out.print(
            f"  {'rests on' if rests else 'beside it'} {identity}: {told(identity)}", style="" if rests else "dim"
        )


def _counts(rows: list[Traced]) -> Table:
    shown = table("document", "clauses|", *(f"{status}|" for status in Status))
    for document, figures in counts(rows).items():
        shown.add_row(document, *map(str, figures.values()), style="bold" if document == "all" else "")
    return shown


def _show_reading(identity: str, *, json: bool) -> int:
    reading = readings()[identity]
    if json:
        print_json(reading)
    else:
        out = console()
        out.print(f"{reading.id} on {reading.where}", style="bold")
        out.print(f"The text: {reading.problem}")
        out.print(f"We read:  {reading.reading}")
    return 0


def _show_house_rule(identity: str, *, json: bool) -> int:
    rule = house_rules_by_id()[identity]
    if json:
        print_json(rule)
    else:
        out = console()
        out.print(f"{rule.id}: {rule.title}", style="bold")
        out.print(rule.says)
        out.print(f"It stands for {', '.join(rule.instead_of)} where the document is silent.", style="dim")
        for scenario in all_scenarios():
            if identity in scenario.clauses:
                out.print(f"  {scenario.id}")
    return 0
