"""The acceptance cases of rule 12: each is proved by a scenario of the rulebook or by a test of its own."""

import re
from pathlib import Path

import pytest

from sabot.rulebook.scenario import all_scenarios
from tests.tables import rows

ROOT = Path(__file__).resolve().parents[2]
TABLE = rows("tournament_cases.tsv")
SET_ASIDE = ("skip", "xfail", "slow", "whole")
"""Marks of tests that a run may leave out."""


def test_every_case_is_proved() -> None:
    assert {int(row["case"]) for row in TABLE} == set(range(1, 56))


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row['case']} {row['given']}")
def test_what_proves_a_case_is_run_with_all_the_others(row: dict[str, str]) -> None:
    """Scenarios are run one by one in `tests/rulebook`; a failing proof is red there."""
    proof = row["proved_by"]
    if "::" not in proof:
        assert proof in {scenario.id for scenario in all_scenarios()}
        return
    file, _, name = proof.partition("::")
    text = (ROOT / file).read_text(encoding="utf-8")
    found = re.search(rf"((?:^@.*\n)*)^(?:async )?def {name}\(", text, re.MULTILINE)
    assert found is not None, f"{file} has no {name}"
    assert not [mark for mark in SET_ASIDE if f"mark.{mark}" in found[1]]
