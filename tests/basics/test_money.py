"""Amounts as people write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.basics.mistake import Mistake
from sabot.basics.money import read_amount, write_amount, write_net


@pytest.mark.parametrize(
    ("text", "cents"), [("100", 10000), ("12.50", 1250), ("12.5", 1250), ("0.01", 1), (" 7 ", 700)]
)
def test_units_and_cents_are_read(text: str, cents: int) -> None:
    assert read_amount(text) == cents


@pytest.mark.parametrize(
    "text", ["", "-5", "+5", "1.005", "1e3", "0x10", "1,000", "12.", ".5", "ten", "１２", "100000000000.01"]
)
def test_what_is_no_amount_is_refused(text: str) -> None:
    with pytest.raises(Mistake):
        read_amount(text)


@pytest.mark.parametrize("text", ["0", "0.00"])
def test_a_wager_of_nothing_is_refused(text: str) -> None:
    with pytest.raises(Mistake, match="above zero"):
        read_amount(text)


@given(st.integers(1, 10**13))
def test_amounts_round_trip(cents: int) -> None:
    assert read_amount(write_amount(cents).replace(",", "")) == cents


def test_nets_carry_their_sign() -> None:
    assert [write_net(cents) for cents in (9500, -10000, 0, 123456789)] == [
        "+95.00",
        "-100.00",
        "0.00",
        "+1,234,567.89",
    ]
