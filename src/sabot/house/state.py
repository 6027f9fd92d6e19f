"""The state of the house, as one value."""

import enum
from collections.abc import Mapping

import msgspec

from sabot.ledger.account import TICKETS
from sabot.ledger.ledger import Ledger
from sabot.rules.role import Role


class TicketStatus(enum.StrEnum):
    REQUESTED = "requested"
    """The number is kept for a station; nothing is owed yet."""
    ISSUED = "issued"
    PRINTED = "printed"
    NOT_PRINTED = "not_printed"
    """A fault is on record at its table, and a payment by hand is open there."""
    PAID = "paid"
    BY_HAND = "by_hand"
    VOID = "void"
    EXPIRED = "expired"


AT_THE_CAGE = frozenset({TicketStatus.ISSUED, TicketStatus.PRINTED})
"""What the cage pays; the printer's report may be lost, so a ticket is good from its issue."""
OUTSTANDING = AT_THE_CAGE | {TicketStatus.NOT_PRINTED}
"""What the house still owes."""


class Ticket(msgspec.Struct, frozen=True, gc=False):
    status: TicketStatus
    table: str
    station: str
    cents: int = 0
    day: int = 0
    """The gaming day of its issue."""
    expires_ms: int | None = None
    faulted: bool = False
    """Whether its table has recorded a fault of the printer, which it does once at most."""


class HouseTable(msgspec.Struct, frozen=True, gc=False):
    offers: tuple[str, ...]
    busy: bool = False


class Device(msgspec.Struct, frozen=True, gc=False):
    kind: str
    table: str
    key: str
    approval: str
    remote: bool
    revoked: bool = False
    station: str = ""
    """The station that it is, or serves."""


class Exclusion(msgspec.Struct, frozen=True, gc=False):
    reason: str
    by: str
    until_ms: int | None


class Day(msgspec.Struct, frozen=True, gc=False):
    """A gaming day's tickets, in cents."""

    date: str = ""
    issued: int = 0
    paid: int = 0
    by_hand: int = 0
    void: int = 0
    expired: int = 0
    reinstated: int = 0


class HouseState(msgspec.Struct, frozen=True, gc=False):
    time_zone: str = ""
    gaming_day_starts: str = ""
    ticket_validity_days: int = 0
    """From issue; 0 where tickets stay good."""
    tables: Mapping[str, HouseTable] = {}
    options: Mapping[str, int] = {}
    ordered: Mapping[str, int] = {}
    """Options that wait until the tables they concern are between coups."""
    staff: Mapping[str, tuple[Role, ...]] = {}
    """Everybody who was ever appointed, by reference; who was dismissed has no role."""
    locked_out: frozenset[str] = frozenset()
    """In whose names nobody signs on until a supervisor has unlocked them."""
    unlocks: Mapping[str, int] = {}
    """How often each person was unlocked: wrong PINs are counted anew from there."""
    devices: Mapping[str, Device] = {}
    keys: Mapping[str, str] = {}
    """Every key that was ever enrolled, with its device."""
    exclusions: Mapping[str, Exclusion] = {}
    exclusion_sources: frozenset[str] = frozenset()
    """The cases of tables that have led to an exclusion, whether it still holds or not."""
    tickets: Mapping[str, Ticket] = {}
    wrong_numbers: Mapping[str, tuple[int, ...]] = {}
    """When each cashier presented numbers of no ticket, since the last alarm."""
    day: int = 1
    """The gaming day that is open, or between days the one to come."""
    day_open: bool = False
    days: Mapping[int, Day] = {}
    ledger: Ledger = Ledger()
    """Tickets outstanding against what the tables owe for them, and the cage that pays."""

    @property
    def liability(self) -> int:
        """What tickets that nobody has presented yet are worth."""
        return self.ledger.balance(TICKETS)
