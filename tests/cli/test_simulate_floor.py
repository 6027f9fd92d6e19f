"""`sabot simulate-floor`: seeds from the command line, and the output for a seed that fails."""

import json
import random

import pytest

from sabot.cli.simulated_worlds import SimulationReport, tell
from sabot.floor.simulator.weather import WorldOptions
from sabot.floor.simulator.world import simulate
from tests.cli.sabot import sabot
from tests.floor.planted.faults import PLANTED


def test_a_range_of_seeds_is_run_in_several_processes_with_the_same_outcome() -> None:
    question = ("simulate-floor", "--seeds", "3..32", "--json", "--processes")
    together, alone = sabot(*question, "2"), sabot(*question, "1", anew=True)
    assert (together.code, alone.code) == (0, 0)
    one, other = json.loads(together.out), json.loads(alone.out)
    assert one["runs"] == 30
    assert one["failing"] == []
    for counted in ("records", "epochs", "coups"):
        assert one[counted] == other[counted]


def test_one_seed_with_other_options() -> None:
    ran = sabot("simulate-floor", "--seeds", "7", "--stations", "5", "--coups", "1")
    assert ran.code == 0
    assert "1 worlds, 0 of them failing" in ran.out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--seeds", "9..3"], "the last one comes before the first"),
        (["--seeds", "all"], "no range of seeds"),
        (["--stations", "51"], "1 to 50 stations"),
        (["--coups", "0"], "1 to 10000 coups"),
        (["--processes", "-1"], "at least one process"),
    ],
)
def test_what_cannot_be_run_is_refused_in_one_sentence(words: list[str], told: str) -> None:
    ran = sabot("simulate-floor", *words)
    assert ran.code == 2
    assert told in ran.error


def test_a_failing_seed_prints_itself_with_its_options(capsys: pytest.CaptureFixture[str]) -> None:
    cast, options = PLANTED["no void on take-over"](), WorldOptions(stations=4, coups=2)
    outcomes = (simulate(seed, options, random.Random(seed).random, cast) for seed in range(100))
    failing = next(outcome for outcome in outcomes if outcome.problem)
    report = SimulationReport(1, [failing], failing.records, failing.epochs, failing.coups, 1.0)
    assert tell(report, json=False) == 1
    shown = " ".join(capsys.readouterr().out.split())
    assert f"seed {failing.seed} fails: {failing.problem}" in shown
    assert f"sabot simulate-floor --seeds {failing.seed} --stations 4 --coups 2" in shown
    assert tell(report, json=True) == 1
    assert json.loads(capsys.readouterr().out)["failing"][0]["seed"] == failing.seed
