"""The simulator: thousands of worlds come right, the same seed makes the same world, and planted faults are found."""

import random
from collections.abc import Callable

import pytest

from sabot.floor.simulator.weather import WorldOptions
from sabot.floor.simulator.world import Cast, WorldOutcome, simulate
from tests.floor.planted.faults import PLANTED

SEEDS, ALL_SEEDS, AT_ONCE = 150, 2_000, 50
MOST_SEEDS = 5_000
"""A planted fault that is not found within so many worlds shows that the simulator does not look there."""

FINDS_IT = {"zombie refusal": 1019, "refused duplicate accepted": 144}
"""The world that finds a planted fault soonest, which is simulated before the others; another may find it, too."""

LONG = WorldOptions(stations=2, coups=12)
ONCE_FAILING = {
    (5091, LONG): "the table's clock stood behind a sign of life after the journal's clock was put back",
    (7510, LONG): "the same, at a later taking",
    (1783, WorldOptions()): "after a restart in a dummy coup, wagers of the coup before could be reversed",
}
"""Worlds that have found something in the program, and what. A change of the simulator makes other worlds of the same
seeds, so tests/floor/test_owner.py tells each such story step by step as well."""


def run(seed: int, options: WorldOptions | None = None, cast: Cast | None = None) -> WorldOutcome:
    return simulate(seed, options or WorldOptions(), random.Random(seed).random, cast)


@pytest.mark.parametrize(
    "first",
    [
        *range(0, SEEDS, AT_ONCE),
        *(pytest.param(first, marks=pytest.mark.whole) for first in range(SEEDS, ALL_SEEDS, AT_ONCE)),
    ],
)
def test_worlds_come_right_whatever_breaks(first: int) -> None:
    for seed in range(first, first + AT_ONCE):
        outcome = run(seed)
        assert outcome.problem is None, f"sabot simulate-floor --seeds {seed}: {outcome.problem}"


@pytest.mark.parametrize(("seed", "options"), ONCE_FAILING)
def test_a_seed_that_once_failed_comes_right(seed: int, options: WorldOptions) -> None:
    assert run(seed, options).problem is None, ONCE_FAILING[seed, options]


@pytest.mark.parametrize("options", [WorldOptions(stations=12, coups=6), WorldOptions(stations=50, coups=2)], ids=str)
def test_larger_worlds_come_right(options: WorldOptions) -> None:
    for seed in range(4):
        assert run(seed, options).problem is None, f"seed {seed} with {options}"


def test_the_same_seed_makes_the_same_world() -> None:
    for seed in range(20):
        assert run(seed) == run(seed)
    assert len({run(seed).digest for seed in range(20)}) == 20


def test_the_worlds_are_bad_enough() -> None:
    """Were nothing ever to break, nothing would be proved: tables change hands, and coups end in every way."""
    outcomes = [run(seed) for seed in range(50)]
    assert sum(outcome.epochs for outcome in outcomes) > 100
    for how in ("settled", "void", "dummy"):
        assert sum(outcome.coups[how] for outcome in outcomes) > 5


@pytest.mark.parametrize("fault", PLANTED)
def test_a_planted_fault_is_found(fault: str, record_property: Callable[[str, object], None]) -> None:
    cast = PLANTED[fault]()
    for seed in (FINDS_IT.get(fault, 0), *range(MOST_SEEDS)):
        outcome = run(seed, cast=cast)
        if outcome.problem is not None:
            record_property("seeds needed", seed + 1)
            record_property("found as", outcome.problem)
            return
    pytest.fail(f"{fault} was not found in {MOST_SEEDS} worlds")
