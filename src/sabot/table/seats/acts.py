"""Seats: a station out of service, a patron who is moved, a seat that is taken back."""

from sabot.basics.act import Act


class OutOfService(Act, frozen=True, kw_only=True):
    """Take a station out of service."""

    station: str
    reason: str


class BackInService(Act, frozen=True, kw_only=True):
    station: str


class MovePatron(Act, frozen=True, kw_only=True):
    """Move a patron with account and wagers to another station."""

    station: str
    target: str


class CloseIdle(Act, frozen=True, kw_only=True):
    """Close and pay the account of a patron who was asked to vacate and does not play."""

    station: str


SeatAct = OutOfService | BackInService | MovePatron | CloseIdle
