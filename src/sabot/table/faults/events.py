"""Failures of stations and of the game system."""

from sabot.rules.rule_set import Bet
from sabot.rules.terms import Settlement
from sabot.table.corrections.events import Adjustment
from sabot.table.event import Event
from sabot.table.faults.acts import WatchedClock


class StationFaulted(Event, frozen=True, kw_only=True):
    station: str
    coup: int
    before_close: bool
    fault: str
    failed_ms: int = 0
    """When it failed, which decides what becomes of its wagers."""
    by: str
    signed_by: str = ""
    """The supervisor who signs for that time, where one must."""
    clause: str


class SystemFailed(Event, frozen=True, kw_only=True):
    """The dealer declared a failure of the game system."""

    coup: int
    before_close: bool
    fault: str
    failed_ms: int
    at_ms: int
    awaits_confirmation: bool
    by: str
    signed_by: str = ""
    """The supervisor who signs for the time, where one must."""
    clause: str


class SystemRestarted(Event, frozen=True, kw_only=True, omit_defaults=True):
    last_sign_ms: int
    at_ms: int
    awaits_confirmation: bool
    clause: str
    keeps: int = 0
    """How many of the newest coups the state keeps from now on; 0 changes nothing."""


class ClockJumped(Event, frozen=True, kw_only=True):
    """A clock was put forward or back. The table's own time, and so every deadline, is not moved by it."""

    clock: WatchedClock
    by_ms: int
    """How far, negative where it was put back."""
    at_ms: int
    """By the table's own time."""
    clause: str


class WagersSeen(Event, frozen=True, kw_only=True):
    """What a station shows of its wagers: beside the records, evidence for the confirmation after a failure."""

    station: str
    coup: int
    wagers: dict[Bet, int]
    accepted: bool
    agrees: bool
    """Whether it shows what is on record."""
    clause: str


class RecordsConfirmed(Event, frozen=True, kw_only=True):
    station: str
    coup: int
    by: str
    clause: str


class WagersReversed(Event, frozen=True, kw_only=True):
    """A station's part of a settlement is undone: it could not be confirmed, or a patron in breach made it."""

    station: str
    coup: int
    settlements: dict[str, list[Settlement]]
    """What stays settled."""
    adjustments: dict[str, Adjustment]
    reason: str = ""
    by: str
    clause: str
    case: int = 0
    """The breach that it follows from, or 0 after a fault."""
    from_seized_cents: int = 0
    """What of it was seized on that case already, and is taken from there."""


FaultEvent = (
    StationFaulted | SystemFailed | SystemRestarted | ClockJumped | WagersSeen | RecordsConfirmed | WagersReversed
)
