"""Traces each clause to the scenarios that prove it and to their results.

A clause is proved by its scenarios where the document's own words say what they assert. Where a reading or a house rule
says it, because the document is silent, the clause is called *by reading*. Where the document points to a picture that
our copy lacks, it is called *layout of our own* (`clauses/rests_on.tsv`). A clause all of whose scenarios cite nothing
but readings and house rules is by reading, too, whether or not the file names it.
"""

import enum
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from sabot.floor.records.program_digest import package_digest
from sabot.rulebook.clauses import DOCUMENTS, ClauseKind, ClauseText, RestsOn, house_rules_by_id, readings, resting
from sabot.rulebook.clauses import clauses as all_clauses
from sabot.rulebook.run import ScenarioFailed, run
from sabot.rulebook.scenario import Scenario, all_scenarios
from sabot.rules.rule_set import RuleSet
from sabot.rules.shipped import rule_set

_READING = re.compile(r"\bG-[0-9]+\b")
_HOUSE_RULE = re.compile(r"\b(?:[A-Z]+-)?HOUSE [0-9]+(?:\.[0-9]+)*")
_DOCUMENTS_OWN = re.compile(rf"\b(?:{'|'.join(DOCUMENTS)}) (?:[0-9]|Diagram)")


class Status(enum.StrEnum):
    PROVED = "proved"
    """At least one scenario, all of them passed, and they rest on the document's words."""
    BY_READING = RestsOn.READING.value
    """All its scenarios passed, and what they assert is said by a reading or a house rule."""
    OWN_LAYOUT = RestsOn.OWN_LAYOUT.value
    """All its scenarios passed, on a layout that we drew, since our copy lacks the document's picture."""
    FAILING = "failing"
    ABSENT = "absent"
    """No scenario yet: the capability that the clause asks for has not been built."""


class Traced(msgspec.Struct, frozen=True):
    id: str
    document: str
    kind: ClauseKind
    status: Status
    scenarios: list[str]
    readings: list[str]
    """The readings and house rules that the clause rests on, or that its scenarios cite beside the document."""


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
    by_clause: dict[str, list[Scenario]] = {}
    for scenario in all_scenarios():
        ran_under = {rule_set(one).document for one in scenario.rule_sets}
        for clause in scenario.clauses:
            known = all_clauses().get(clause)  # A house rule is none of a document's clauses.
            if known is not None and known.document in ran_under:  # A scenario proves only what it was run under.
                by_clause.setdefault(clause, []).append(scenario)
    return [_traced(clause, by_clause.get(clause.id, []), results.failures) for clause in clauses]


def counts(rows: Iterable[Traced]) -> dict[str, dict[str, int]]:
    """How many clauses have each status, for each document that has any and for `all`."""
    found = Counter((row.document, row.status) for row in rows)
    by_document = {one: {status.value: found[one, status] for status in Status} for one in DOCUMENTS}
    shown = {document: {"clauses": sum(line.values()), **line} for document, line in by_document.items()}
    shown = {document: line for document, line in shown.items() if line["clauses"]}
    names = ("clauses", *(status.value for status in Status))
    return {**shown, "all": {name: sum(line[name] for line in shown.values()) for name in names}}


def told(identity: str) -> str:
    """What a reading or a house rule says."""
    reading = readings().get(identity)
    if reading is not None:
        return reading.reading
    return house_rules_by_id()[identity].says


def cites_readings_only(scenario: Scenario) -> bool:
    """Whether the scenario's assertions cite readings or house rules, and nothing of a document's own."""
    said = _asserted(scenario)
    cited = _READING.search(said) or _HOUSE_RULE.search(said)
    return cited is not None and _DOCUMENTS_OWN.search(said) is None


def _traced(clause: ClauseText, proofs: Sequence[Scenario], failures: Mapping[str, str | None]) -> Traced:
    rests_on = resting().get(clause.id)
    named = rests_on.readings if rests_on else ()
    cited = dict.fromkeys((*named, *(one for proof in proofs for one in _readings_in(proof))))
    ids = [proof.id for proof in proofs]
    return Traced(clause.id, clause.document, clause.kind, _status(clause.id, proofs, failures), ids, list(cited))


def _status(clause: str, proofs: Sequence[Scenario], failures: Mapping[str, str | None]) -> Status:
    if not proofs:
        return Status.ABSENT
    if any(failures.get(proof.id, "was not run") is not None for proof in proofs):
        return Status.FAILING
    rests_on = resting().get(clause)
    if rests_on is not None:
        return Status(rests_on.status.value)
    return Status.BY_READING if all(map(cites_readings_only, proofs)) else Status.PROVED


def _readings_in(scenario: Scenario) -> list[str]:
    """The readings and house rules that the assertions cite, those of the house by the names of their rule sets."""
    said = _asserted(scenario)
    found = [identity for identity in _READING.findall(said) if identity in readings()]
    houses = [_house_of(rule_set(one)) for one in scenario.rule_sets]
    for rule in _HOUSE_RULE.findall(said):
        named = [rule.replace("HOUSE", house, 1) for house in houses] if rule.startswith("HOUSE") else [rule]
        found += [identity for identity in named if identity in house_rules_by_id()]
    return found


def _house_of(rules: RuleSet) -> str:
    return rules.house_rules.document if rules.house_rules else ""


def _asserted(scenario: Scenario) -> str:
    return "\n".join(step.text for step in scenario.steps if step.keyword == "then")
