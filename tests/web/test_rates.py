"""Rates: so many at once, so many a minute, and memory for so many names."""

from hypothesis import given
from hypothesis import strategies as st

from sabot.web.socket.rates import MOST_BUCKETS, Rate, Rates


@given(st.integers(1, 50), st.integers(1, 6_000), st.lists(st.integers(0, 5_000), max_size=200))
def test_never_more_than_the_bucket_and_what_flowed_in(at_once: int, a_minute: int, pauses: list[int]) -> None:
    rates, now, taken = Rates(Rate(at_once=at_once, a_minute=a_minute)), 0, 0
    for pause in pauses:
        now += pause
        wait = rates.wait_ms("x", now)
        taken += wait == 0
        assert taken * 60_000 <= at_once * 60_000 + now * a_minute


@given(st.integers(1, 20), st.integers(1, 600))
def test_waiting_as_long_as_told_is_enough_and_no_less(at_once: int, a_minute: int) -> None:
    rates = Rates(Rate(at_once=at_once, a_minute=a_minute))
    assert [rates.wait_ms("x", 0) for _ in range(at_once)] == [0] * at_once
    wait = rates.wait_ms("x", 0)
    assert rates.wait_ms("x", wait - 1) == 1
    assert rates.wait_ms("x", wait) == 0
    assert rates.wait_ms("other", 0) == 0


def test_strangers_push_out_strangers_and_a_clock_that_goes_back_gives_nothing() -> None:
    rates = Rates(Rate(at_once=1, a_minute=1))
    assert [rates.wait_ms("x", 1_000), rates.wait_ms("x", 0)] == [0, 60_000]
    for number in range(MOST_BUCKETS + 5):
        rates.wait_ms(number, 0)
    assert rates.wait_ms(MOST_BUCKETS, 0) == 60_000
    assert rates.wait_ms(0, 0) == 0, "it was forgotten"
