"""Seats: a station out of service, a patron who is moved, a seat that is taken back."""

from sabot.basics.act import Act
from sabot.basics.bounds import NameSaid, TextSaid


class OutOfService(Act, frozen=True, kw_only=True):
    """Take a station out of service."""

    station: NameSaid
    reason: TextSaid


class BackInService(Act, frozen=True, kw_only=True):
    station: NameSaid


class MovePatron(Act, frozen=True, kw_only=True):
    """Move a patron with account and wagers to another station."""

    station: NameSaid
    target: NameSaid


class CloseIdle(Act, frozen=True, kw_only=True):
    """Close and pay the account of a patron who was asked to vacate and does not play."""

    station: NameSaid


SeatAct = OutOfService | BackInService | MovePatron | CloseIdle
