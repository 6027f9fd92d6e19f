"""What patrons set for their own play, and calls for an attendant."""

from collections.abc import Mapping

from sabot.table.care.state import OwnLimit, OwnLimitKind
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


class OwnLimitsCarried(Event, frozen=True, kw_only=True):
    """Limits and a break of an earlier stay go on in the one that begins."""

    station: str
    control: int
    patron: str
    limits: Mapping[OwnLimitKind, OwnLimit]
    break_until_ms: int
    """0 where there is none."""
    lost_cents: int
    """What was lost earlier in the gaming day, which a limit of loss counts in."""
    since_ms: int
    """From when a limit of time counts."""
    at_ms: int
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


CareEvent = OwnLimitSet | BreakTaken | OwnLimitsCarried | CheckAcknowledged | AttendantCalled | CallAnswered | CallEnded
