"""Odds as the documents print them: exact fractions of the stake, never decimals."""

import re
from fractions import Fraction
from typing import Final

from sabot.basics.mistake import Mistake
from sabot.basics.money import Cents

_WRITTEN: Final = re.compile(r"([0-9]{1,4})(?:/([1-9][0-9]{0,3}))?")


class Odds(Fraction):
    """A multiple of the stake: `Odds("8")` pays 8 to 1, `Odds("1/20")` is five per cent."""

    @staticmethod
    def read(text: str) -> "Odds":
        if _WRITTEN.fullmatch(text) is None:
            raise Mistake(f"{text!r} are not odds: write a whole number or a fraction of them, such as 8 or 1/20")
        return Odds(text)

    def __str__(self) -> str:
        return f"{self.numerator}" if self.denominator == 1 else f"{self.numerator}/{self.denominator}"

    def of(self, stake: Cents) -> Cents:
        """The winnings on a stake; a fraction of a cent is refused, never rounded (G-50)."""
        cents, rest = divmod(stake * self.numerator, self.denominator)
        if rest:
            raise FractionOfACent(self, stake)
        return cents  # type: ignore[return-value]  # A call of `Cents` costs as much as the division.


class FractionOfACent(Mistake):
    """A wager whose winnings would not be whole cents."""

    def __init__(self, odds: Odds, stake: Cents) -> None:
        super().__init__(
            f"{odds} of {stake} cents is not a whole number of cents; "
            f"wager a multiple of {odds.denominator} cents (G-50)"
        )
