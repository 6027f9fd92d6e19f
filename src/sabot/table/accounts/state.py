"""What a table's state has of stations, patrons, buy-ins and tickets, beside the ledger."""

import enum
from collections.abc import Mapping

import msgspec

from sabot.rules.rule_set import Bet
from sabot.table.care.state import NO_CARE, Care


class TableTicketStatus(enum.StrEnum):
    ISSUED = "issued"
    PRINT_FAILED = "print_failed"
    PAID_MANUALLY = "paid_manually"


class StationState(msgspec.Struct, frozen=True, gc=False):
    """A station beside its purse: who controls it, and what is kept for it."""

    control: int = 0
    """The number of the control session, or 0 while the station is closed (CROWN 1.5)."""
    patron: str = ""
    nominee: str = ""
    leaving: bool = False
    directed_to_leave: bool = False
    undo: tuple[Mapping[Bet, int], ...] = ()
    """Earlier layouts of this coup, newest last."""
    last_wagers: Mapping[Bet, int] = {}
    brought: int = 0
    """What the patron in control has bought in with."""
    brought_while_owing: int = 0
    """The part of it that came while the patron owed something: no debt is taken from that (G-89)."""
    brought_while_frozen: int = 0
    """The part of it that came in notes since the accounts were frozen: no recalculation touches it (G-59)."""
    idle_in: tuple[int, ...] = ()
    """Coups in a row in which the patron could wager and did not while every other seat was in use (CROWN 13.8)."""
    vacate_by: int | None = None
    """Once the patron was asked to vacate: the coup by whose end the patron plays, or may be closed and paid."""
    wagered_ms: int = 0
    """When the station was last heard with a wager of the newest coup: until then it worked, and the game system."""
    care: Care = NO_CARE

    @property
    def idle(self) -> int:
        return len(self.idle_in)

    @property
    def is_open(self) -> bool:
        return self.control > 0


class Deferred(msgspec.Struct, frozen=True, gc=False):
    """A buy-in that the dealer took while the accounts were frozen."""

    station: str
    cents: int
    tender: str
    reference: str
    patron: str
    by: str


class Tendered(msgspec.Struct, frozen=True, gc=False):
    """A buy-in that was credited, as it stands after any correction of it."""

    station: str
    control: int
    cents: int
    tender: str
    reference: str
    while_owing: bool
    """Whether its patron owed something then: no debt is taken from it (G-89)."""
    day: str
    """The date of the gaming day that had ended last when it was tendered."""


class TableTicket(msgspec.Struct, frozen=True, gc=False):
    station: str
    cents: int
    status: TableTicketStatus
    issued_ms: int
    handed_back: int = 0
    """The newest release of the house that was handed back unpaid."""
    release: int = 0
    """The release on which it was paid by hand."""


class StationEscrow(msgspec.Struct, frozen=True, gc=False):
    """The newest escrow of a ticket that is over at a station: it was credited, or dropped."""

    number: int
    """The house's number, which rises."""
    ticket: str
    is_credited: bool


NO_ESCROW = StationEscrow(0, "", is_credited=False)


class ControlSession(msgspec.Struct, frozen=True, gc=False):
    """A control session, which is kept when its patron has left: who was given which station, and when."""

    station: str
    patron: str
    from_ms: int
