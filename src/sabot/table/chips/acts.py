"""The chips in the dealer's rack: fills, credits, and the count of the float."""

from typing import Literal

from sabot.basics.act import Act


class Fill(Act, frozen=True, kw_only=True):
    """Chips come from the cage to the table, on a slip of their own."""

    cents: int | None = None
    """Their value; it may be left out where the chips are listed."""
    slip: str
    brought_by: str = ""
    """Who brought them, by reference."""
    chips: dict[str, int] = {}
    """How many of each value in cents, where that was listed."""


class Credit(Act, frozen=True, kw_only=True):
    """Chips go from the table to the cage, on a slip of their own."""

    cents: int | None = None
    slip: str
    taken_by: str = ""
    chips: dict[str, int] = {}


class CountFloat(Act, frozen=True, kw_only=True):
    """The dealer and a supervisor count the chips in the rack."""

    cents: int | None = None
    when: Literal["opening", "shift_change", "check", "closing"] = "check"
    chips: dict[str, int] = {}


ChipAct = Fill | Credit | CountFloat
