"""`sabot trace`: the clauses of the documents and the scenarios that prove them."""

import sys
from collections import Counter

import msgspec
from rich.table import Table
from rich.text import Text

from sabot.cli.arguments import Flag, Json
from sabot.cli.checkout import checkout
from sabot.cli.terminal import console, print_json, table
from sabot.floor.records.program_digest import package_digest
from sabot.rulebook.clauses import DOCUMENTS, clauses, find_clauses, house_rules_by_id, readings
from sabot.rulebook.scenario import all_scenarios
from sabot.rulebook.trace import Results, Status, Traced, run_all
from sabot.rulebook.trace import trace as trace_clauses

STYLES = {Status.PROVED: "green", Status.FAILING: "bold red", Status.ABSENT: "dim"}


def trace(*clause: str, missing: Flag = False, json: Json = False) -> int:
    """Show each clause of the five rule documents, the scenarios that prove it, and whether they passed.

        sabot trace

        sabot trace CROWN 10.1

        sabot trace G-50

        sabot trace --missing --json

    Proved: all its scenarios passed. Failing: one did not. Absent: what the clause demands is not built yet. The status
    is that of the last test run, if it tested this exact program; otherwise the scenarios are run now.

    Parameters
    ----------
    clause
        A clause id or the beginning of one, such as CROWN 9, or one of our readings, such as G-18.
    missing
        Only clauses that are not proved.
    """
    asked = " ".join(clause)
    if asked.upper() in readings():
        return _show_reading(asked.upper(), json=json)
    if asked.upper() in house_rules_by_id():
        return _show_house_rule(asked.upper(), json=json)
    wanted = find_clauses(asked) if asked else list(clauses().values())
    results = _results()
    rows = [row for row in trace_clauses(wanted, results) if not (missing and row.status is Status.PROVED)]
    if json:
        print_json(rows)
    else:
        _show(rows, results, in_full=bool(asked) and len(rows) == 1)
    return 1 if any(row.status is Status.FAILING for row in rows) else 0


def _results() -> Results:
    """The results of the last test run, if it tested this exact program; otherwise of a run made now."""
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
    return run_all(all_scenarios())


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
    if not in_full:
        out.print()
        out.print(_counts(rows))


def _counts(rows: list[Traced]) -> Table:
    counts = Counter((row.document, row.status) for row in rows)
    shown = table("document", "clauses|", *(f"{status}|" for status in Status))
    for document in DOCUMENTS:
        figures = [counts[document, status] for status in Status]
        if sum(figures):
            shown.add_row(document, str(sum(figures)), *map(str, figures))
    totals = [sum(counts[document, status] for document in DOCUMENTS) for status in Status]
    shown.add_row("all", str(len(rows)), *map(str, totals), style="bold")
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
