"""A time in a sentence reads as people say it."""

import pytest

from sabot.basics.figures import in_english


@pytest.mark.parametrize(
    ("milliseconds", "said"),
    [
        (47_100_000, "13:05:00"),
        (90_000_500, "25:00:00.500"),
        (1_780_715_100_000, "2026-06-06 03:05:00 UTC"),
        (10**18, "277777777777:46:40"),
        (0, "00:00:00"),
    ],
)
def test_a_time_is_said_by_the_clock_or_with_its_day(milliseconds: int, said: str) -> None:
    assert in_english("it opens at {from_ms}", {"from_ms": milliseconds}) == f"it opens at {said}"
