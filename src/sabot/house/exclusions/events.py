"""Patrons who may not play at any table of the house."""

from sabot.house.event import HouseEvent


class ExclusionMade(HouseEvent, frozen=True, kw_only=True):
    patron: str
    reason: str
    until_ms: int | None
    source: str
    """The table and case that led to it, if any."""
    by: str
    at_ms: int
    clause: str


class PatronReadmitted(HouseEvent, frozen=True, kw_only=True):
    patron: str
    reason: str
    by: str
    at_ms: int
    clause: str


ExclusionEvent = ExclusionMade | PatronReadmitted
