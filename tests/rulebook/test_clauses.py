"""The clause catalogue is complete, and everything that cites a clause cites one that exists."""

import re
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from sabot.basics.mistake import Mistake
from sabot.floor.records.program_digest import package_digest
from sabot.rulebook.clauses import (
    ClauseKind,
    ClauseText,
    RestsOn,
    clauses,
    find_clauses,
    house_rules_by_id,
    readings,
    resting,
)
from sabot.rulebook.scenario import all_scenarios, read_scenarios
from sabot.rulebook.trace import Results, Status, Traced, cites_readings_only, counts, run_all, told, trace
from sabot.rules.rule_set import RuleSet
from sabot.rules.shipped import all_rule_sets


def test_every_clause_of_the_five_documents_is_there() -> None:
    counts = Counter(clause.document for clause in clauses().values())
    assert counts == {"CROWN": 300, "MBS-R": 52, "MBS-NC": 58, "MBS-B": 58, "RWS": 37}
    assert {f"G-{number:02}" for number in range(1, 150)} <= set(readings())


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
    *("shuffle", "burn_before_coup", "last_coup", "voids"),
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
    own = [clause for clause in clauses().values() if clause.document == "RWS"]
    ids = {clause.id for clause in own}
    results = run_all(scenario for scenario in all_scenarios() if not ids.isdisjoint(scenario.clauses))
    proved = [row for row in trace(own, results) if row.status is Status.PROVED]
    assert len(proved) > 10
    victim = proved[0]
    worse = Results(results.program, results.failures | {victim.scenarios[0]: "wrong"})
    assert {row.id: row.status for row in trace(own, worse)}[victim.id] is Status.FAILING
    assert {row.status for row in trace(clauses().values(), Results("", {}))} == {Status.FAILING}


def test_no_clause_is_without_a_scenario(traced: dict[str, Traced]) -> None:
    """A clause of the documents that nothing is built for yet would be called absent."""
    assert [row.id for row in traced.values() if not row.scenarios] == []
    unknown = ClauseText("CROWN 99.9", "CROWN", ClauseKind.ENFORCE, "Nothing of the kind.")
    assert [row.status for row in trace([unknown], Results("", {}))] == [Status.ABSENT]


@pytest.fixture(scope="module")
def traced() -> dict[str, Traced]:
    """Every clause as if all scenarios had passed, by its id."""
    passed = Results("", {scenario.id: None for scenario in all_scenarios()})
    return {row.id: row for row in trace(clauses().values(), passed)}


def test_a_clause_that_rests_on_a_reading_names_one_and_has_a_scenario(traced: dict[str, Traced]) -> None:
    assert set(resting()) <= set(clauses())
    for clause, rests_on in resting().items():
        assert rests_on.readings
        assert set(rests_on.readings) <= set(readings()) | set(house_rules_by_id())
        assert traced[clause].scenarios, f"{clause} has no scenario"
        assert traced[clause].status == rests_on.status.value
        assert set(rests_on.readings) <= set(traced[clause].readings)
    assert {one.status for one in resting().values()} == set(RestsOn)


def test_a_clause_whose_scenarios_cite_only_readings_is_not_called_proved(traced: dict[str, Traced]) -> None:
    only_readings = {scenario.id for scenario in all_scenarios() if cites_readings_only(scenario)}
    assert only_readings
    for row in traced.values():
        if row.scenarios and set(row.scenarios) <= only_readings:
            assert row.status in (Status.BY_READING, Status.OWN_LAYOUT)
        if row.status in (Status.BY_READING, Status.OWN_LAYOUT):
            assert all(told(identity) for identity in row.readings)
            assert row.readings


@pytest.mark.parametrize(
    ("cited", "only"),
    [("G-80", True), ("HOUSE 5.4", True), ("MBS-HOUSE 5.4", True), ("CROWN 11.2", False), ("MBS-B 5.1.1", False)],
)
def test_what_a_scenario_cites(cited: str, *, only: bool) -> None:
    text = f"# CROWN 9.1\n## x\ngiven rule set crown-traditional\nwhen deal AS\nthen refused by {cited}\n"
    (scenario,) = read_scenarios(text, "cites.scenario")
    assert cites_readings_only(scenario) is only


def test_layouts_of_missing_pictures_are_called_our_own(traced: dict[str, Traced]) -> None:
    own = {row.id for row in traced.values() if row.status is Status.OWN_LAYOUT}
    pictures = {identity for identity in clauses() if "Diagram" in identity}
    assert pictures | {"CROWN 2.1(a)(i)", "CROWN 2.1(a)(iii)", "MBS-NC 2.2", "MBS-B 2.2"} == own


def test_the_summary_counts_each_clause_once(traced: dict[str, Traced]) -> None:
    summary = counts(traced.values())
    assert summary["all"]["clauses"] == len(clauses())
    assert sum(summary["all"][status.value] for status in Status) == len(clauses())
    assert summary["all"][Status.BY_READING.value] > 20
    assert summary["CROWN"]["clauses"] == 300


def test_results_belong_to_one_program() -> None:
    assert re.fullmatch(r"[0-9a-f]{64}", package_digest())
    assert run_all([]).program == package_digest()
