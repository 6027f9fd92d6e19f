"""What happened to seats."""

from sabot.rules.rule_set import Bet
from sabot.table.event import Event


class StationTakenOut(Event, frozen=True, kw_only=True):
    """The station is out of service: it takes no buy-in and no wager, and is no seat."""

    station: str
    reason: str
    by: str
    clause: str


class StationPutBack(Event, frozen=True, kw_only=True):
    station: str
    at_ms: int
    by: str
    clause: str


class PatronMoved(Event, frozen=True, kw_only=True):
    """A patron went on at another station, in the same control session, with all that belongs to it."""

    station: str
    target: str
    control: int
    balance_cents: int
    held_cents: int
    owed_cents: int
    payable_cents: int
    seized_cents: int
    """What is held on the patron's open cases (CROWN 13.2.3)."""
    wagers: dict[Bet, int]
    """The wagers of the coup whose wagering is open."""
    by: str
    clause: str


class SeatTakenBack(Event, frozen=True, kw_only=True):
    """A patron who was asked to vacate did not play by the end of the next coup: the account is closed and paid."""

    station: str
    coup: int
    """The coup by whose end the patron was to play."""
    by: str
    clause: str


SeatEvent = StationTakenOut | StationPutBack | PatronMoved | SeatTakenBack
