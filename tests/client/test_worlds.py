"""The client's protocol in simulated worlds: what every device believes is on record, whatever breaks."""

import random

import pytest

from sabot.floor.simulator.weather import WorldOptions
from sabot.floor.simulator.world import Cast, WorldOutcome, simulate
from tests.client.planted import PLANTED
from tests.client.wired import WIRED

SEEDS, AT_ONCE = 120, 20
MOST_SEEDS = 200


def run(seed: int, cast: Cast = WIRED) -> WorldOutcome:
    return simulate(seed, WorldOptions(), random.Random(seed).random, cast)


@pytest.mark.parametrize("first", range(0, SEEDS, AT_ONCE))
def test_wired_worlds_come_right_whatever_breaks(first: int) -> None:
    for seed in range(first, first + AT_ONCE):
        outcome = run(seed)
        assert outcome.problem is None, f"seed {seed}: {outcome.problem}"


@pytest.mark.parametrize("fault", PLANTED)
def test_a_fault_planted_in_the_client_is_found(fault: str) -> None:
    assert any(run(seed, PLANTED[fault]).problem is not None for seed in range(MOST_SEEDS))
