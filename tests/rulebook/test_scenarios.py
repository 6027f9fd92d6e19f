"""The executable rulebook runs."""

import re
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from sabot.basics.mistake import Mistake
from sabot.rulebook.run import ScenarioFailed, run
from sabot.rulebook.scenario import Scenario, all_scenarios, read_scenarios
from tests.cli.sabot import sabot

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("scenario", all_scenarios(), ids=lambda scenario: scenario.id)
def test_scenario(scenario: Scenario, record_property: Callable[[str, object], None]) -> None:
    """Each scenario holds under each rule set that it names."""
    record_property("scenario", scenario.id)
    for under in scenario.rule_sets:
        run(scenario, under)


TEXT = """# CROWN 10.1 Traditional Banker
## A win
given rule set crown-traditional
given wager banker 100
when  deal 2S 4H 3D 3C 8S
then  banker net {net}
"""


def test_a_wrong_figure_fails_the_scenario_and_is_pointed_at() -> None:
    (wrong,) = read_scenarios(TEXT.format(net="+96"), "wrong.scenario")
    with pytest.raises(ScenarioFailed, match=r"wrong\.scenario, line 6, .*found \+95\.00"):
        run(wrong, "crown-traditional")
    (right,) = read_scenarios(TEXT.format(net="+95"), "right.scenario")
    run(right, "crown-traditional")


def test_an_unexpected_refusal_fails_the_scenario() -> None:
    (unfinished,) = read_scenarios(TEXT.replace(" 8S", "").format(net="+95"), "unfinished.scenario")
    with pytest.raises(ScenarioFailed, match="card 5 is missing"):
        run(unfinished, "crown-traditional")


def test_a_refusal_that_did_not_happen_fails_the_scenario() -> None:
    (scenario,) = read_scenarios(TEXT.format(net="+95") + "then  refused\n", "accepted.scenario")
    with pytest.raises(ScenarioFailed, match="it was not refused"):
        run(scenario, "crown-traditional")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("# CROWN 99.9\n## x\n", "there is no clause 'CROWN 99.9'"),
        ("# CROWN 9.1\n", "names its clauses with '# ' and its scenarios with '## '"),
        ("# CROWN 9.1\ngiven rule set crown-traditional\n", "line 2: a step before the first"),
        ("# CROWN 9.1\n## x\nwhen deal AS\nthen refused\n", "names no rule set"),
        ("# CROWN 9.1\n## x\ngiven rule set crown-traditional\nwhen deal AS\n", "has no 'then'"),
    ],
)
def test_a_scenario_file_that_could_prove_nothing_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(Mistake, match=sentence):
        read_scenarios(text, "bad.scenario")


def test_a_step_that_nobody_understands_fails_the_scenario() -> None:
    (scenario,) = read_scenarios(TEXT.format(net="+95") + "then  everybody is happy\n", "odd.scenario")
    with pytest.raises(ScenarioFailed, match="no step says this"):
        run(scenario, "crown-traditional")


@pytest.mark.slow
@pytest.mark.parametrize("every", [pytest.param(1, marks=pytest.mark.whole), 20])
def test_the_rulebook_notices_each_rule_that_the_drill_breaks(every: int) -> None:
    ran = sabot("drill", "--every", str(every), "--json")
    assert [outcome for outcome in ran.json if not outcome["noticed"]] == []
    assert ran.code == 0
    assert len(ran.json) >= 200 // every


@pytest.mark.slow
@pytest.mark.whole
def test_a_test_notices_each_defence_that_the_drill_takes_away() -> None:
    ran = sabot("drill", "--defences", "--json")
    assert [outcome for outcome in ran.json if not outcome["noticed"]] == []
    assert ran.code == 0


DRILLS = sorted((ROOT / "drill").rglob("*.toml"))


@pytest.mark.parametrize("file", DRILLS, ids=lambda file: file.stem)
def test_every_rule_to_break_stands_once_in_its_file(file: Path) -> None:
    source = ROOT / "src" / "sabot"
    for one in msgspec.toml.decode(file.read_bytes())["broken"]:
        assert (source / one["file"]).read_text(encoding="utf-8").count(one["rule"]) == 1, one["what"]
        if "test" in one:
            path, *names = one["test"].partition("[")[0].split("::")
            assert (ROOT / path).is_file(), one["what"]
            said = (ROOT / path).read_text(encoding="utf-8")
            assert all(re.search(rf"(?:def|class) {name}\b", said) for name in names), one["what"]
