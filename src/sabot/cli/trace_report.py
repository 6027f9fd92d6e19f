"""The clauses of the documents and what proves them, for `sabot trace`."""

import sys

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
    results = _results({one.id for one in wanted})
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


def _results(wanted: set[str]) -> Results:
    """The results of the last test run, if it tested this exact program; otherwise a run of these clauses."""
    root = checkout()
    package = package_digest()
    if root is not None:
        try:
            results = msgspec.json.decode((root / ".sabot" / "trace.json").read_bytes(), type=Results)
        except (OSError, msgspec.DecodeError):
            results = None
        if results is not None and results.program == package:
            return results
    print("sabot: no test run of this very program is on record; running the scenarios now", file=sys.stderr)  # noqa: T201
    return run_all(scenario for scenario in all_scenarios() if not wanted.isdisjoint(scenario.clauses))


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
