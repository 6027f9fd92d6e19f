"""The chips in the dealer's rack: fills, credits, and the count of the float."""

from sabot.table.chips.state import FloatMoment
from sabot.table.event import Event


class ChipsFilled(Event, frozen=True, kw_only=True):
    cents: int
    chips: dict[str, int]
    slip: str
    brought_by: str
    by: str
    clause: str


class ChipsCredited(Event, frozen=True, kw_only=True):
    cents: int
    chips: dict[str, int]
    slip: str
    taken_by: str
    by: str
    clause: str


class FloatCounted(Event, frozen=True, kw_only=True):
    """What lies in the rack, beside what the books expect there."""

    when: FloatMoment
    cents: int
    expected_cents: int
    difference_cents: int
    """What is too much, or below zero what is missing."""
    brought_forward_cents: int
    """Of the first count of a table: what lay in the rack before the books knew of it."""
    chips: dict[str, int]
    dealer: str
    """The person who answers for the float."""
    by: str
    clause: str


class FloatUncounted(Event, frozen=True, kw_only=True):
    """A dealer went or the table closed, and nobody had counted the float as it stood then."""

    when: FloatMoment
    expected_cents: int
    dealer: str
    by: str
    clause: str


ChipEvent = ChipsFilled | ChipsCredited | FloatCounted | FloatUncounted
