"""What a table's state has of its float of chips."""

import enum

import msgspec


class FloatMoment(enum.StrEnum):
    """When the float was counted, or should have been."""

    NONE = ""
    OPENING = "opening"
    SHIFT_CHANGE = "shift_change"
    CHECK = "check"
    """At any time between coups."""
    CLOSING = "closing"


class ChipFloat(msgspec.Struct, frozen=True, gc=False):
    """What is known of the chips in the rack beside their value, which is in the ledger."""

    known: bool = False
    """Whether the books know the float: a fill or a count has told them."""
    counted: FloatMoment = FloatMoment.NONE
    """The newest count since the table closed last."""
    counted_cents: int = 0
    difference_cents: int = 0
    """What that count found too much, or below zero what it found missing."""
    missed: FloatMoment = FloatMoment.NONE
    """When a count was due last and nobody counted, until the next count."""
