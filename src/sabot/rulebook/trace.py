"""Traces each clause to the scenarios that prove it and to their results."""

import enum
from collections.abc import Iterable, Mapping

import msgspec

from sabot.floor.records.program_digest import package_digest
from sabot.rulebook.clauses import ClauseKind, ClauseText
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
    kind: ClauseKind
    status: Status
    scenarios: list[str]


class Results(msgspec.Struct, frozen=True):
    """The scenarios of one run, by id: what went wrong with each, or nothing."""

    program: str
    """The digest of the whole package that was run, scenarios included; the results hold for no other."""
    failures: dict[str, str | None]


def run_all(scenarios: Iterable[Scenario]) -> Results:
    return Results(package_digest(), {scenario.id: failure(scenario) for scenario in scenarios})


def failure(scenario: Scenario) -> str | None:
    """Run a scenario under each of its rule sets; returns the first failure, if there is one."""
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
            known = all_clauses().get(clause)  # A house rule is none of a document's clauses.
            if known is not None and known.document in ran_under:  # A scenario proves only what it was run under.
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
