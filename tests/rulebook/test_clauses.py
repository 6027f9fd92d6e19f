"""The clause catalogue is complete, and everything that cites a clause cites one that exists."""

import re
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from sabot.basics.mistake import Mistake
from sabot.floor.records.program_digest import package_digest
from sabot.rulebook.clauses import clauses, find_clauses, readings
from sabot.rulebook.scenario import all_scenarios
from sabot.rulebook.trace import Results, Status, run_all, trace
from sabot.rules.rule_set import RuleSet
from sabot.rules.shipped import all_rule_sets


def test_every_clause_of_the_five_documents_is_there() -> None:
    counts = Counter(clause.document for clause in clauses().values())
    assert counts == {"CROWN": 300, "MBS-R": 52, "MBS-NC": 58, "MBS-B": 58, "RWS": 37}
    assert len(readings()) >= 119


def _citations(value: object) -> set[str]:
    """Every string under a key that names a clause, however deep."""
    found: set[str] = set()
    if isinstance(value, dict):
        for key, inner in value.items():
            names_a_clause = "clause" in key or key in CITING
            if names_a_clause and isinstance(inner, str):
                found.add(inner)
            elif names_a_clause and isinstance(inner, dict) and all(isinstance(one, str) for one in inner.values()):
                found |= set(inner.values())
            else:
                found |= _citations(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            found |= _citations(inner)
    return found


CITING = {
    *("accounts", "confirmation", "placing", "otherwise", "countdown", "first_card_closes", "initial_deal", "natural"),
    *("shuffle", "burn_before_coup", "last_coup", "earlier_results", "voids"),
}


@pytest.mark.parametrize("rule_set", all_rule_sets(), ids=lambda one: one.id)
def test_rule_sets_cite_clauses_of_their_own_document_or_readings(rule_set: RuleSet) -> None:
    cited = _citations(msgspec.to_builtins(rule_set, enc_hook=str))
    assert len(cited) > 20
    own = {rule.id for rule in rule_set.house_rules.rules} if rule_set.house_rules else set()
    unknown = {clause for clause in cited - own if clause not in clauses() and clause not in readings()}
    assert not unknown
    foreign = {clause for clause in cited & set(clauses()) if clauses()[clause].document != rule_set.document}
    assert not foreign


def test_tests_cite_clauses_that_exist() -> None:
    marker = re.compile(r"mark\.clause\(([^)]*(?:\([^)]*\)[^)]*)*)\)")
    cited = set()
    for file in Path(__file__).parents[1].rglob("test_*.py"):
        for arguments in marker.findall(file.read_text(encoding="utf-8")):
            cited |= {single or double for single, double in re.findall(r"'([^']+)'|\"([^\"]+)\"", arguments)}
    assert cited
    assert cited <= set(clauses()) | set(readings())


def test_a_clause_is_found_without_its_typographic_dash_and_by_its_beginning() -> None:
    assert [one.id for one in find_clauses("crown 9 table 1 row 0-5")] == ["CROWN 9 Table 1 row 0–5"]
    assert len(find_clauses("CROWN 9 Table 2")) == 10
    with pytest.raises(Mistake, match="no clause is called 'CROWN 99'"):
        find_clauses("CROWN 99")


def test_a_failing_scenario_makes_its_clause_failing() -> None:
    results = run_all(all_scenarios())
    proved = [row for row in trace(clauses().values(), results) if row.status is Status.PROVED]
    assert len(proved) > 100
    victim = proved[0]
    worse = Results(results.program, results.failures | {victim.scenarios[0]: "wrong"})
    assert {row.id: row.status for row in trace(clauses().values(), worse)}[victim.id] is Status.FAILING
    assert {row.status for row in trace(clauses().values(), Results("", {}))} == {Status.FAILING, Status.ABSENT}


def test_results_belong_to_one_program() -> None:
    assert re.fullmatch(r"[0-9a-f]{64}", package_digest())
    assert run_all([]).program == package_digest()
