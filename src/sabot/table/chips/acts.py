"""The chips in the dealer's rack: fills, credits, and the count of the float."""

from typing import Literal

from sabot.basics.act import Act
from sabot.basics.bounds import AmountSaid, CountSaid, NameSaid


class Fill(Act, frozen=True, kw_only=True):
    """Chips come from the cage to the table, on a slip of their own."""

    cents: AmountSaid | None = None
    """Their value; it may be left out where the chips are listed."""
    slip: NameSaid
    brought_by: NameSaid = ""
    """Who brought them, by reference."""
    chips: dict[NameSaid, CountSaid] = {}
    """How many of each value in cents, where that was listed."""


class Credit(Act, frozen=True, kw_only=True):
    """Chips go from the table to the cage, on a slip of their own."""

    cents: AmountSaid | None = None
    slip: NameSaid
    taken_by: NameSaid = ""
    chips: dict[NameSaid, CountSaid] = {}


class CountFloat(Act, frozen=True, kw_only=True):
    """The dealer and a supervisor count the chips in the rack."""

    cents: AmountSaid | None = None
    when: Literal["opening", "shift_change", "check", "closing"] = "check"
    chips: dict[NameSaid, CountSaid] = {}


ChipAct = Fill | Credit | CountFloat
