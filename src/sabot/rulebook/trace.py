"""Tracing: for each clause, the scenarios that prove it and how they came out."""

import enum
import hashlib
from collections.abc import Iterable, Mapping
from importlib import resources
from importlib.resources.abc import Traversable

import msgspec

from sabot.rulebook.clauses import ClauseText, Kind
from sabot.rulebook.clauses import clauses as all_clauses
from sabot.rulebook.run import ScenarioFailed, run
from sabot.rulebook.scenario import Scenario, all_scenarios
from sabot.rules.shipped import rule_set


class Status(enum.StrEnum):
    PROVED = "proved"
    """At least one scenario, and all of them passed."""
    FAILING = "failing"
    ABSENT = "absent"
    """No scenario yet: the capability that the clause asks for has not been built."""


class Traced(msgspec.Struct, frozen=True):
    id: str
    document: str
    kind: Kind
    status: Status
    scenarios: list[str]


class Results(msgspec.Struct, frozen=True):
    """How the scenarios came out in one run: what went wrong with each, or nothing."""

    program: str
    """The digest of the program that was run; results of another program say nothing about this one."""
    failures: dict[str, str | None]


def program_digest() -> str:
    """A digest of everything in this package: code, rule sets, clauses, scenarios."""
    digest = hashlib.sha256()
    for path, content in sorted(_contents(resources.files("sabot"), "")):
        digest.update(f"{path}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def run_all(scenarios: Iterable[Scenario]) -> Results:
    return Results(program_digest(), {scenario.id: failure(scenario) for scenario in scenarios})


def failure(scenario: Scenario) -> str | None:
    """Run a scenario under each of its rule sets; what went wrong first, if anything did."""
    try:
        for under in scenario.rule_sets:
            run(scenario, under)
    except ScenarioFailed as failed:
        return str(failed)
    return None


def trace(clauses: Iterable[ClauseText], results: Results) -> list[Traced]:
    by_clause: dict[str, list[str]] = {}
    for scenario in all_scenarios():
        ran_under = {rule_set(one).document for one in scenario.rule_sets}
        for clause in scenario.clauses:
            if all_clauses()[clause].document in ran_under:  # A scenario proves only what it was run under.
                by_clause.setdefault(clause, []).append(scenario.id)
    return [
        Traced(clause.id, clause.document, clause.kind, _status(proofs, results.failures), proofs)
        for clause in clauses
        for proofs in [by_clause.get(clause.id, [])]
    ]


def _status(proofs: list[str], failures: Mapping[str, str | None]) -> Status:
    if not proofs:
        return Status.ABSENT
    passed = all(failures.get(proof, "was not run") is None for proof in proofs)
    return Status.PROVED if passed else Status.FAILING


def _contents(folder: Traversable, prefix: str) -> Iterable[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir() and entry.name != "__pycache__":
            yield from _contents(entry, f"{prefix}{entry.name}/")
        elif entry.is_file():
            yield prefix + entry.name, entry.read_bytes()
