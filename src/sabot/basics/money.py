"""Money in whole cents of one currency, and the amounts that people read and write."""

import re
from typing import Final, NewType

from sabot.basics.mistake import Mistake

Cents = NewType("Cents", int)

LARGEST_AMOUNT: Final = Cents(10**13)
"""A hundred thousand million units: far above any limit, and exact in programs that keep numbers as doubles."""

_AMOUNT = re.compile(r"([0-9]{1,13})(?:\.([0-9]{1,2}))?")


def read_amount(text: str) -> Cents:
    """Read an amount in currency units: `100`, `12.5` or `12.50`."""
    match = _AMOUNT.fullmatch(text.strip())
    if match is None:
        raise Mistake(f"{text!r} is not an amount: write whole units or units and cents, such as 100 or 12.50")
    units, cents = match.groups(default="")
    return check_stake(Cents(int(units) * 100 + int(cents.ljust(2, "0"))))


def check_stake(cents: int) -> Cents:
    """Refuse a stake that is not above zero or is more than an account can hold."""
    if cents <= 0:
        raise Mistake(f"a wager needs an amount above zero, not {write_amount(cents)}")
    if cents > LARGEST_AMOUNT:
        raise Mistake(f"a wager of {cents} cents is more than the {LARGEST_AMOUNT} that any account can hold")
    return Cents(cents)


def write_amount(cents: int) -> str:
    """Write an amount in currency units with both decimals: `12.50`, `-5.00`, `1,000.00`."""
    units, rest = divmod(abs(cents), 100)
    return f"{'-' if cents < 0 else ''}{units:,}.{rest:02}"


def write_net(cents: int) -> str:
    """Write a profit or loss with its sign: `+95.00`, `-100.00`, `0.00`."""
    return ("+" if cents > 0 else "") + write_amount(cents)
