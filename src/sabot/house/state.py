"""The state of the house, as one value."""

import enum
from collections.abc import Iterator, Mapping

import msgspec

from sabot.basics.persistent_map import PersistentMap
from sabot.basics.role import Role
from sabot.house.filed_book import FiledBook
from sabot.ledger.account import TICKETS, AccountKind
from sabot.ledger.ledger import Ledger
from sabot.rules.house_rule import cited


class TicketStatus(enum.StrEnum):
    REQUESTED = "requested"
    """The number is kept for a station; nothing is owed yet."""
    ISSUED = "issued"
    PRINTED = "printed"
    NOT_PRINTED = "not_printed"
    """A fault is on record at its table: the cage does not pay it, and its table may ask to pay it by hand."""
    RELEASED = "released"
    """Its table alone may pay it, by hand, until it hands the release back."""
    IN_ESCROW = "in_escrow"
    """A station's acceptor holds it: its table alone may credit it, until it drops the escrow (G-235)."""
    PAID = "paid"
    TAKEN_IN = "taken_in"
    BY_HAND = "by_hand"
    VOID = "void"
    EXPIRED = "expired"


AT_THE_CAGE = frozenset({TicketStatus.ISSUED, TicketStatus.PRINTED})
"""What the cage pays; the printer's report may be lost, so a ticket is good from its issue."""
AT_THE_TABLE = frozenset({TicketStatus.NOT_PRINTED, TicketStatus.RELEASED})
"""What is paid by hand, if at all."""
OUTSTANDING = AT_THE_CAGE | AT_THE_TABLE | {TicketStatus.IN_ESCROW}
"""What the house still owes."""


class RegisteredTicket(msgspec.Struct, frozen=True, gc=False, array_like=True):
    status: TicketStatus
    table: str
    station: str
    cents: int = 0
    day: int = 0
    """The gaming day of its issue."""
    expires_ms: int | None = None
    faulted: bool = False
    """Whether its table has recorded a fault of the printer, which it does once at most."""
    releases: int = 0
    """How often it was released to its table: the number of the newest release."""
    taken_by: str = ""
    """The station that holds it in escrow or has taken it in, with its table."""


class InEscrow(msgspec.Struct, frozen=True, gc=False):
    """The ticket that a station's acceptor holds."""

    ticket: str
    number: int
    """The number of the escrow; numbers rise over all stations of the house."""
    since_ms: int


class SlipDirection(enum.StrEnum):
    TAKE = "take"
    PAY = "pay"


class SlipPart(enum.StrEnum):
    """The accounts that a slip's money goes to or comes from."""

    PRIZE_POOL = "prize_pool"
    TOURNAMENT_FEES = "tournament_fees"
    STAKES = "stakes"


class HouseSlipStatus(enum.StrEnum):
    OPEN = "open"
    HELD = "held"
    """An investigation is on (CROWN 13.2.3)."""
    TAKEN = "taken"
    PAID = "paid"
    CANCELLED = "cancelled"
    FORFEITED = "forfeited"
    EXPIRED = "expired"


WAITING = frozenset({HouseSlipStatus.OPEN, HouseSlipStatus.HELD})
"""What the cage has yet to take or pay."""


class HouseSlip(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A tournament's order to the cage to take or pay an amount once (CROWN 12.2.1(a))."""

    status: HouseSlipStatus
    tournament: str
    direction: SlipDirection
    cents: int
    parts: Mapping[SlipPart, int]
    purpose: str
    entrant: int
    player: str
    day: int
    """The gaming day of its registration."""
    expires_ms: int | None
    """When a slip to be paid expires, or nothing."""
    tender: str = ""

    @property
    def is_owed(self) -> bool:
        return self.direction is SlipDirection.PAY and self.status in WAITING


class HouseTournament(msgspec.Struct, frozen=True, gc=False):
    """What the house has booked for a tournament besides its slips."""

    added: int = 0
    """What the house added to the prizes, in cents."""
    won: Mapping[str, int] = {}
    """What the house won of each cash sitting, in cents."""
    closed: bool = False


class HouseTable(msgspec.Struct, frozen=True, gc=False):
    offers: tuple[str, ...]
    busy: bool
    since_day: int
    """The gaming day in which it entered first, or between days the one to come: earlier ones do not concern it."""
    choices: dict[str, int] = {}
    """How many choices its rule set has for each optioned side bet."""
    cited_as: Mapping[str, str] = {}
    """The house rule that is cited there for each number of the program's."""


class DeviceKind(enum.StrEnum):
    """A screen, or a machine beside one."""

    STATION = "station"
    CONSOLE = "console"
    DISPLAY = "display"
    NOTE_ACCEPTOR = "note_acceptor"
    PRINTER = "printer"
    CARD_READER = "card_reader"
    SHOE = "shoe"
    DESK = "desk"
    """A screen of the floor's desk or the cage; it belongs to no table."""


ANEW = "#"
"""Stands in no reference, so no device can bear the name of another one's enrolment."""


class EnrolledDevice(msgspec.Struct, frozen=True, gc=False, array_like=True):
    kind: DeviceKind
    table: str
    key: str
    approval: str
    remote: bool
    revoked: bool = False
    station: str = ""
    """The station that it is, or serves."""
    number: int = 1
    """Which enrolment of its name it is: a name that was revoked may be enrolled anew, as something else."""
    places: Mapping[str, str] = {}
    """The stations that it is at further tables, by table (G-201)."""

    def enrolment_of(self, device: str) -> str:
        """What one enrolment is called wherever something is remembered of it: `A2`, and `A2#2` when enrolled anew."""
        return device if self.number == 1 else f"{device}{ANEW}{self.number}"

    @property
    def all_places(self) -> dict[str, str]:
        """Its station at each of its tables, its first table's first; none for what belongs to a table as a whole."""
        return {self.table: self.station, **self.places} if self.table else {}


def device_of(enrolment: str) -> str:
    """The device's name in the name of one of its enrolments."""
    return enrolment.partition(ANEW)[0]


_NO_DEVICES: PersistentMap[EnrolledDevice] = PersistentMap()
_NO_PLACES: PersistentMap[str] = PersistentMap()


class DeviceBook(Mapping[str, EnrolledDevice]):
    """All devices by name, and those that hold a place at a station by that place.

    A floor has tens of thousands: neither an enrolment nor the check that its place is free goes through all of them.
    """

    __slots__ = ("_at", "by_name")

    def __init__(
        self, by_name: PersistentMap[EnrolledDevice] = _NO_DEVICES, at: PersistentMap[str] = _NO_PLACES
    ) -> None:
        self.by_name, self._at = by_name, at

    @classmethod
    def of(cls, devices: Mapping[str, EnrolledDevice]) -> "DeviceBook":
        at = {place: name for name, one in devices.items() for place in _places(one)}
        return cls(PersistentMap(devices), PersistentMap(at))

    def put(self, name: str, device: EnrolledDevice) -> "DeviceBook":
        before, at = self.by_name.get(name), self._at
        for place in _places(before) if before is not None else ():
            at = at.without(place)
        for place in _places(device):
            at = at.put(place, name)
        return DeviceBook(self.by_name.put(name, device), at)

    def at_station(self, kind: DeviceKind, table: str, station: str) -> str | None:
        """The device of this kind that holds the place: two there could each act for its patron."""
        return self._at.get(f"{kind}/{table}/{station}")

    def whole(self) -> dict[str, EnrolledDevice]:
        return self.by_name.whole()

    def __getitem__(self, name: str) -> EnrolledDevice:
        return self.by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.by_name)

    def __len__(self) -> int:
        return len(self.by_name)

    def __repr__(self) -> str:
        return f"DeviceBook({dict(sorted(self.items()))!r})"


def _places(device: EnrolledDevice) -> Iterator[str]:
    """The places at stations that the device holds."""
    if device.station and not device.revoked:
        yield f"{device.kind}/{device.table}/{device.station}"
        for table, station in device.places.items():
            yield f"{device.kind}/{table}/{station}"


class AtWork(msgspec.Struct, frozen=True, gc=False):
    """A person's work at one table, from before the table signs the person on until it has told of the end."""

    role: Role
    number: int
    """The number of the sign-on, by which a word about an earlier one is known as late."""
    since_ms: int


class Exclusion(msgspec.Struct, frozen=True, gc=False):
    reason: str
    by: str
    until_ms: int | None


class Day(msgspec.Struct, frozen=True, gc=False):
    """A gaming day's tickets and slips, in cents."""

    date: str = ""
    issued: int = 0
    paid: int = 0
    by_hand: int = 0
    taken_in: int = 0
    void: int = 0
    expired: int = 0
    reinstated: int = 0
    slips_taken: int = 0
    slips_paid: int = 0


KEPT_GAMING_DAYS = 400
"""Gaming days whose figures stay in the state one by one: a table that nobody served for a year still ends each."""


class PapersAway(msgspec.Struct, frozen=True, gc=False):
    """What was put away and not recalled since: how much, and what the house's sums need of it, in cents."""

    tickets: int = 0
    slips: int = 0
    unclaimed_cents: int = 0
    slips_taken_cents: int = 0
    slips_paid_cents: int = 0


class RaisedLight(msgspec.Struct, frozen=True, gc=False):
    """The newest alarm of a table's integrity about one subject (G-232)."""

    subject: str
    until_ms: int
    """The end of the table's gaming day, until which it is not raised again."""
    at_ms: int
    seen_by: str = ""
    """Who has seen to it; empty until then."""
    found: str = ""
    """What that person has found, in the person's own words."""
    seen_ms: int = 0


def light_key(table: str, kind: str, subject: str) -> str:
    return f"{table}/{kind}/{subject}"


class ServiceScope(enum.StrEnum):
    """What a service account may do (G-233)."""

    METERS = "meters"
    """Read the meters of the tables, and the figures of the process."""
    OUTBOX = "outbox"
    """Follow the significant events."""
    PATRON_CARDS = "patron_cards"
    """Read how patrons who gave a reference have played."""
    CAGE = "cage"
    """Redeem tickets."""


class ServiceAccount(msgspec.Struct, frozen=True, gc=False):
    """A program of others, which acts under its own name with a secret (G-233)."""

    scopes: tuple[ServiceScope, ...]
    key: str
    """The SHA-256 of its secret, in hexadecimal."""
    until_ms: int
    a_minute: int
    """How many requests it may make in a minute."""
    purpose: str
    by: str
    made_ms: int
    used_ms: int = 0
    """When it was in use, to the hour; 0 where it never was."""
    revoked: bool = False


class HouseState(msgspec.Struct, frozen=True, gc=False):
    time_zone: str = ""
    gaming_day_starts: str = ""
    ticket_validity_days: int = 0
    """From issue; 0 where tickets stay good."""
    several_tables: bool = False
    """Whether a station may be enrolled for several tables (G-201)."""
    tables: Mapping[str, HouseTable] = {}
    options: Mapping[str, int] = {}
    ordered: Mapping[str, int] = {}
    """Options that wait until the tables they concern are between coups."""
    staff: Mapping[str, tuple[Role, ...]] = {}
    """Everybody who was ever appointed, by reference; who was dismissed has no role."""
    at_work: Mapping[str, Mapping[str, AtWork]] = {}
    """Who is signed on, or about to be, at which tables, and as what (G-99)."""
    sign_ons: int = 0
    """The number of the newest sign-on at any table."""
    locked_out: tuple[str, ...] = ()
    """In whose names nobody signs on until they are unlocked: lock-outs of earlier programs, which had no end."""
    locked_at: Mapping[str, Mapping[str, int]] = {}
    """Until when each person is locked out at a console or desk, and under no name everywhere (G-118)."""
    unlocks: Mapping[str, int] = {}
    """How often each person was unlocked: wrong PINs are counted anew from there."""
    devices: DeviceBook = DeviceBook()
    keys: PersistentMap[str] = PersistentMap()
    """Every key that was ever enrolled, with its device."""
    exclusions: Mapping[str, Exclusion] = {}
    exclusion_sources: Mapping[str, str] = {}
    """The cases of tables that have led to an exclusion, whether it still holds or not, each with its patron."""
    tickets: FiledBook[RegisteredTicket] = FiledBook()
    """Those that are owed; those that are over, and numbers that are only kept for a station, by day."""
    in_escrow: Mapping[str, Mapping[str, InEscrow]] = {}
    """By table and station (G-235)."""
    escrows: int = 0
    """The number of the newest escrow."""
    slips: FiledBook[HouseSlip] = FiledBook()
    """Those of tournaments whose books are open, with what is owed; those of the others by day."""
    away: PapersAway = PapersAway()
    absent: tuple[str, ...] = ()
    """Numbers that were looked for on the shelf and are not there: for one decision, and never kept."""
    tournaments: Mapping[str, HouseTournament] = {}
    wrong_numbers: Mapping[str, tuple[int, ...]] = {}
    """When each cashier presented numbers of no ticket, since the last alarm."""
    day: int = 1
    """The gaming day that is open, or between days the one to come."""
    day_open: bool = False
    days: Mapping[int, Day] = {}
    """The newest ones."""
    days_before: Day = Day()
    """All earlier ones together."""
    lights: Mapping[str, RaisedLight] = {}
    """Alarms of the tables' integrity, by table, kind and subject."""
    services: Mapping[str, ServiceAccount] = {}
    """Every service account that was ever made, by name (G-233)."""
    ledger: Ledger = Ledger()
    """Tickets outstanding against what the tables owe for them, the money of tournaments, and the cage."""

    def enrolled(self, enrolment: str) -> EnrolledDevice | None:
        """The device of an enrolment that holds now: neither revoked nor followed by another of the same name."""
        device = device_of(enrolment)
        known = self.devices.get(device)
        holds = known is not None and not known.revoked and known.enrolment_of(device) == enrolment
        return known if holds else None

    def cites(self, clause: str) -> str:
        """The clause as the house cites it: by its own rules, unless one of its tables plays by CROWN's document."""
        own = [table.cited_as for table in self.tables.values()]
        return cited(clause, own[0]) if own and all(own) else clause

    @property
    def liability(self) -> int:
        """What tickets that nobody has presented yet are worth."""
        return self.ledger.balance(TICKETS)

    @property
    def slips_owed(self) -> int:
        """What slips are worth that the cage has yet to pay."""
        return sum(cents for account, cents in self.ledger.books.items() if account.kind is AccountKind.PAYOUTS)
