"""Failures of stations and of the game system."""

from sabot.rules.terms import Settlement
from sabot.table.events.base import Event
from sabot.table.events.corrections import Adjustment


class StationFaulted(Event, frozen=True, kw_only=True):
    station: str
    coup: int
    before_close: bool
    fault: str
    by: str
    clause: str


class SystemRestarted(Event, frozen=True, kw_only=True):
    last_sign_ms: int
    at_ms: int
    awaits_confirmation: bool
    clause: str


class RecordsConfirmed(Event, frozen=True, kw_only=True):
    station: str
    coup: int
    by: str
    clause: str


class WagersReversed(Event, frozen=True, kw_only=True):
    """A station's settled wagers could not be confirmed: its part of the settlement is undone."""

    station: str
    coup: int
    settlements: dict[str, list[Settlement]]
    """What stays settled."""
    adjustments: dict[str, Adjustment]
    by: str
    clause: str
