"""House rules: what a table cites where its document is silent."""

import msgspec
import pytest

from sabot.rulebook.clauses import clauses, readings
from sabot.rules.house_rule import SHIPPED, HouseRules, house_rules
from sabot.rules.rule_set_file import RuleSetRefused, digest, read_rule_set, write_rule_set
from sabot.rules.shipped import all_rule_sets, figures_of, rule_set


@pytest.mark.parametrize("house", [house_rules(identity) for identity in SHIPPED], ids=SHIPPED)
def test_every_clause_that_the_program_numbers_has_a_house_rule(house: HouseRules) -> None:
    own = {rule.id for rule in house.rules}
    crown = [clause for clause in clauses() if clause.startswith("CROWN ") and not clause.startswith("CROWN 12")]
    assert {house.cite(clause) for clause in crown} <= own
    unreached = own - {house.cite(clause) for clause in (*crown, *readings())}
    assert unreached == set()


@pytest.mark.parametrize(
    ("clause", "rule"),
    [
        ("CROWN 13.2.1", "9.2"),
        ("CROWN 13.2", "9.1"),
        ("CROWN 13.2.9", "9.1"),
        ("CROWN 5 footnote s66(2)", "4.1"),
        ("CROWN 11.15(b)", "6.2"),
        ('CROWN 1.1 "game system"(b)', "1.2"),
        ("CROWN 10.1 note *", "5.1"),
        ("CROWN 99", "1.1"),
        ("G-192", "3.5"),
    ],
)
def test_the_longest_clause_that_fits_decides_which_house_rule_is_cited(clause: str, rule: str) -> None:
    assert house_rules("mbs").cite(clause) == f"MBS-HOUSE {rule}"


def test_other_clauses_and_readings_are_cited_as_they_are() -> None:
    assert [house_rules("rws").cite(one) for one in ("RWS 5.1", "G-82", "")] == ["RWS 5.1", "G-82", ""]


def test_rule_sets_of_other_documents_have_house_rules_and_crown_has_none() -> None:
    assert {one.id: one.house_rules is None for one in all_rule_sets()} == {
        one.id: one.document == "CROWN" for one in all_rule_sets()
    }
    assert figures_of(rule_set("mbs-baccarat")).notice_clause == "MBS-HOUSE 4.1"


def test_a_rule_set_file_names_shipped_house_rules_or_holds_its_own() -> None:
    mbs = rule_set("mbs-baccarat")
    again = read_rule_set(write_rule_set(mbs), "own.json")
    assert digest(again) == digest(mbs)
    written = msgspec.json.decode(write_rule_set(mbs))
    written["house_rules"]["figures"]["notice_minutes"] = 30
    own = read_rule_set(msgspec.json.encode(written), "own.json")
    assert figures_of(own).notice_minutes == 30
    assert digest(own) != digest(mbs)
    written["house_rules"] = "atlantis"
    with pytest.raises(RuleSetRefused, match=r"own\.json: house_rules: there are no house rules 'atlantis'"):
        read_rule_set(msgspec.json.encode(written), "own.json")
