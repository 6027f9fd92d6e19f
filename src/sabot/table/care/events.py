"""What patrons set for their own play, and calls for an attendant."""

from sabot.table.care.state import OwnLimitKind
from sabot.table.event import Event


class OwnLimitSet(Event, frozen=True, kw_only=True):
    """A limit in cents, or in minutes for the time; 0 is none."""

    station: str
    control: int
    patron: str
    limit: OwnLimitKind
    was: int
    most: int
    at_ms: int
    from_ms: int
    """When it takes effect: at once, or later where it is a raise."""
    clause: str


class BreakTaken(Event, frozen=True, kw_only=True):
    station: str
    control: int
    patron: str
    at_ms: int
    until_ms: int
    clause: str


class CheckAcknowledged(Event, frozen=True, kw_only=True):
    """What the patron was shown and has acknowledged."""

    station: str
    control: int
    patron: str
    played_ms: int
    net_cents: int
    at_ms: int
    clause: str


class AttendantCalled(Event, frozen=True, kw_only=True):
    station: str
    at_ms: int
    clause: str


class CallAnswered(Event, frozen=True, kw_only=True):
    station: str
    at_ms: int
    by: str
    clause: str


class CallEnded(Event, frozen=True, kw_only=True):
    station: str
    at_ms: int
    by: str
    served: bool
    """Whether staff ended it; else the patron took it back."""
    clause: str


CareEvent = OwnLimitSet | BreakTaken | CheckAcknowledged | AttendantCalled | CallAnswered | CallEnded
