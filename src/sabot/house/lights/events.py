"""Alarms of the tables' integrity."""

from sabot.house.event import HouseEvent


class LightRaised(HouseEvent, frozen=True, kw_only=True):
    """A light of a table's integrity is an alarm: what was recorded is far from an honest table."""

    table: str
    kind: str
    subject: str
    evidence: int
    coups: int
    until_ms: int
    """The end of the table's gaming day, until which it is not raised again."""
    at_ms: int
    clause: str


class LightSeenTo(HouseEvent, frozen=True, kw_only=True):
    table: str
    kind: str
    subject: str
    reason: str
    by: str
    at_ms: int
    clause: str


LightEvent = LightRaised | LightSeenTo
