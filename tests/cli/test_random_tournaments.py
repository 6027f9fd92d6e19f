"""Tournaments in foul weather: every law holds, the same seed plays the same one, and planted faults are found."""

import msgspec
import pytest

from sabot.cli.random_tournaments import KINDS, trial
from sabot.floor.contests.upsets import FAIR
from tests.cli.sabot import sabot

SEEDS, WHOLE_SEEDS, SEEDS_FOR_FAULTS = 3, 100, 2
UPSETS = {"retaken", "repeated", "invalidated", "corrected", "corrected_late", "sent_away", "director_out"}


@pytest.mark.parametrize("kind", KINDS)
def test_a_tournament_comes_right_whatever_goes_wrong(kind: str) -> None:
    for seed in range(SEEDS):
        assert trial(kind, seed).coups


@pytest.mark.whole
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(SEEDS, WHOLE_SEEDS))
def test_a_hundred_tournaments_come_right(kind: str, seed: int) -> None:
    assert trial(kind, seed).coups


def test_the_weather_is_foul_enough() -> None:
    """Were nothing ever to go wrong, nothing would be proved."""
    seen = [trial("spring", seed).upsets for seed in range(SEEDS)]
    assert {upset for one in seen for upset in one} == UPSETS
    assert trial("night", 0, FAIR).upsets == {}


def test_the_same_seed_plays_the_same_tournament() -> None:
    first, again, other = trial("night", 5), trial("night", 5), trial("night", 6)
    assert first == again
    assert first.digest != other.digest


def test_tournaments_find_each_planted_fault() -> None:
    ran = sabot("drill", "--tournaments", str(SEEDS_FOR_FAULTS), "--json")
    faults = msgspec.json.decode(ran.out)
    assert [fault for fault in faults if not fault["noticed"]] == []
    assert len(faults) >= 6
