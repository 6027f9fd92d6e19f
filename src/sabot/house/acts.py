"""Acts: what people and the floor say to the house. One frozen class each, named by its verb.

What the floor carries from the tables' own records comes from the clock.
"""

from typing import Annotated

import msgspec

from sabot.basics.act import Act, Reference
from sabot.basics.bounds import (
    MOST_COUNTED,
    MOST_TOLD,
    AmountTold,
    CountSaid,
    FarTimeSaid,
    NameSaid,
    TextSaid,
    TimeSaid,
    TimeTold,
)
from sabot.basics.role import Role
from sabot.house.state import DeviceKind, HouseSlip, RegisteredTicket, ServiceScope, SlipDirection, SlipPart

TournamentId = Annotated[str, msgspec.Meta(pattern=r"^[A-Z][A-Z0-9-]{0,19}$")]
SlipNumber = Annotated[str, msgspec.Meta(pattern=r"^[A-Z][A-Z0-9-]{0,19}-[0-9]{6,}$")]
"""The tournament's id and a running number: `SPRING-000001`."""
Word = Annotated[str, msgspec.Meta(pattern=r"^[a-z][a-z_]{0,19}$")]
MOST_TABLES = 8
"""Of one station: each has a connection of its own, and a patron has to keep an eye on all of them."""
FurtherPlaces = Annotated[dict[NameSaid, Reference], msgspec.Meta(max_length=MOST_TABLES - 1)]


class ConfigureHouse(Act, frozen=True, kw_only=True):
    """Say where and when the house keeps its days, how long tickets are good, and whether a station may be at several
    tables; what is not said stays."""

    time_zone: Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z_]+(/[A-Za-z_+-]+)*$")] | None = None
    gaming_day_starts: Annotated[str, msgspec.Meta(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")] | None = None
    ticket_validity_days: Annotated[int, msgspec.Meta(ge=0, le=3650)] | None = None
    """Days of 24 hours from issue; with 0 tickets stay good."""
    several_tables: bool | None = None


class EnterTable(Act, frozen=True, kw_only=True):
    """A table joins the house, or changes what it offers; told again it changes nothing."""

    table: NameSaid
    offers: dict[NameSaid, CountSaid]
    """The choice by which it plays each optioned side bet."""
    choices: dict[NameSaid, CountSaid] = {}
    """How many choices its rule set has for each of them."""
    staff: dict[NameSaid, tuple[Role, ...]] = {}
    cited_as: dict[NameSaid, NameSaid] = {}
    """The house rule that is cited there for each number of the program's; none under CROWN's document."""
    time_zone: NameSaid | None = None
    gaming_day_starts: NameSaid | None = None


class TellBusy(Act, frozen=True, kw_only=True):
    """A coup has begun or ended at a table."""

    table: NameSaid
    busy: bool


class Option(Act, frozen=True, kw_only=True):
    option: NameSaid
    choice: CountSaid


# Staff


class Appoint(Act, frozen=True, kw_only=True):
    """Put a person on the staff list, or change the person's roles."""

    person: Reference
    roles: Annotated[tuple[Role, ...], msgspec.Meta(min_length=1)]


class Dismiss(Act, frozen=True, kw_only=True):
    person: NameSaid
    reason: TextSaid


class AnnounceSignOn(Act, frozen=True, kw_only=True):
    """A person is about to sign on at a table; asked again for the same role it is the same sign-on."""

    person: NameSaid
    table: NameSaid
    as_role: Role
    number: Annotated[int, msgspec.Meta(ge=0, extra={"most": MOST_COUNTED})] | None = None
    """Where the table has signed the person on already, under this number: as one does whom the house did not know."""


class NoteSignedOff(Act, frozen=True, kw_only=True):
    """A table has signed a person off, or will never sign the person on under this number or an earlier one."""

    person: NameSaid
    table: NameSaid
    number: Annotated[int, msgspec.Meta(ge=0, extra={"most": MOST_COUNTED})]


class LockOut(Act, frozen=True, kw_only=True):
    """Too many wrong PINs were given for a person, who cannot sign on there before the time or an unlocking."""

    person: NameSaid
    failures: Annotated[int, msgspec.Meta(ge=1, extra={"most": MOST_COUNTED})] = 5
    console: NameSaid = ""
    until_ms: TimeSaid | None = None


class Unlock(Act, frozen=True, kw_only=True):
    """Let a person who is locked out try again."""

    person: NameSaid
    reason: TextSaid


# Devices


class Enrol(Act, frozen=True, kw_only=True):
    """Admit a device to the floor under a key that only it holds."""

    device: Reference
    kind: DeviceKind
    table: NameSaid
    key: NameSaid
    """The SHA-256 of its public key, in hexadecimal."""
    approval: NameSaid = ""
    remote: bool = False
    station: Reference | None = None
    """The station that it is, or serves; one that is not told bears its station's name."""
    places: FurtherPlaces = {}
    """The stations that it is at further tables, by table."""


class Revoke(Act, frozen=True, kw_only=True):
    device: NameSaid
    reason: TextSaid


# Service accounts


class MakeService(Act, frozen=True, kw_only=True):
    """Let a program of others in under a name and a secret of its own. The floor draws the secret."""

    service: Reference
    scopes: Annotated[tuple[ServiceScope, ...], msgspec.Meta(min_length=1)]
    key: NameSaid
    """The SHA-256 of its secret, in hexadecimal."""
    until_ms: TimeSaid
    a_minute: Annotated[int, msgspec.Meta(ge=1, extra={"most": 100_000})] = 600
    purpose: TextSaid
    """What it is for, and whose it is."""


class RevokeService(Act, frozen=True, kw_only=True):
    service: NameSaid
    reason: TextSaid


class NoteServiceUsed(Act, frozen=True, kw_only=True):
    """A service account is in use. Told again within an hour it changes nothing."""

    service: NameSaid


# Exclusions


class Exclude(Act, frozen=True, kw_only=True):
    patron: Reference
    reason: TextSaid
    until_ms: FarTimeSaid | None = None
    """Without it, for good."""


class CarryExclusion(Act, frozen=True, kw_only=True):
    """A table's case has led to an exclusion; told again it changes nothing."""

    patron: Reference
    reason: TextSaid
    source: NameSaid
    """The table and the case."""
    decided_by: NameSaid


class Readmit(Act, frozen=True, kw_only=True):
    patron: NameSaid
    reason: TextSaid


# Tickets


class RequestTicket(Act, frozen=True, kw_only=True):
    """Keep a number for a station that is about to issue a ticket, so that no other table can use it."""

    ticket: NameSaid
    table: NameSaid
    station: NameSaid


class RegisterTicket(Act, frozen=True, kw_only=True):
    """Take note of a ticket that a table has issued; telling it again changes nothing."""

    ticket: NameSaid
    cents: AmountTold
    table: NameSaid
    station: NameSaid
    issued_ms: TimeTold


class Printed(Act, frozen=True, kw_only=True):
    ticket: NameSaid
    table: NameSaid = ""


class CloseToTheCage(Act, frozen=True, kw_only=True):
    """A table has recorded that the ticket was not printed: only a payment by hand is open from now on."""

    ticket: NameSaid
    fault: TextSaid


class ReleaseTicket(Act, frozen=True, kw_only=True):
    """Let its table, and nobody else, pay a ticket by hand; asked again for the same table it is the same release."""

    ticket: NameSaid
    table: NameSaid


class NoteHandedBack(Act, frozen=True, kw_only=True):
    """A table has handed a release back, and never pays on it."""

    ticket: NameSaid
    release: Annotated[int, msgspec.Meta(ge=1, extra={"most": MOST_COUNTED})]


class NotePaidByHand(Act, frozen=True, kw_only=True):
    """A table has paid it by hand."""

    ticket: NameSaid


class Redeem(Act, frozen=True, kw_only=True):
    ticket: NameSaid


class VoidTicket(Act, frozen=True, kw_only=True):
    ticket: NameSaid
    reason: TextSaid


class Reinstate(Act, frozen=True, kw_only=True):
    """Let the cage pay a ticket after all: one that expired, or that was printed although a fault was reported."""

    ticket: NameSaid
    reason: TextSaid


class Expire(Act, frozen=True, kw_only=True):
    """Let every ticket expire whose time has come, and every slip that nobody came to be paid for."""


# Slips of tournaments


class RegisterSlip(Act, frozen=True, kw_only=True):
    """Take note of a slip that a tournament has raised; telling it again changes nothing."""

    slip: SlipNumber
    tournament: TournamentId
    direction: SlipDirection
    cents: AmountTold
    parts: dict[SlipPart, AmountTold]
    """What of it goes to which account, or comes from it."""
    purpose: Word
    """`fee`, `buy_in`, `buy_back`, `refund`, `balance` or `prize`."""
    entrant: Annotated[int, msgspec.Meta(ge=0, extra={"most": MOST_COUNTED})]
    player: NameSaid = ""
    """The reference of the entrant's patron."""


class CancelSlip(Act, frozen=True, kw_only=True):
    """The tournament has withdrawn a slip; one that is settled stays settled."""

    slip: SlipNumber


class RaisePool(Act, frozen=True, kw_only=True):
    """What the house adds to a tournament's prizes: to the pool, to the guarantee and for prizes of a fixed amount.

    The figure is whole; told again it changes nothing, and another figure moves the difference.
    """

    tournament: TournamentId
    cents: Annotated[int, msgspec.Meta(ge=0, extra={"most": MOST_TOLD})]


class SettleStakes(Act, frozen=True, kw_only=True):
    """What the house won of a closed cash sitting, or lost where it is below zero (G-135); a whole figure too."""

    tournament: TournamentId
    sitting: NameSaid
    won_cents: Annotated[int, msgspec.Meta(extra={"least": -MOST_TOLD, "most": MOST_TOLD})]


class CloseTournament(Act, frozen=True, kw_only=True):
    """Close a tournament's books: its fees are earned."""

    tournament: TournamentId


class TakeSlip(Act, frozen=True, kw_only=True):
    slip: SlipNumber
    tender: Word = "cash"


class PaySlip(Act, frozen=True, kw_only=True):
    slip: SlipNumber


class HoldSlip(Act, frozen=True, kw_only=True):
    """Keep a slip from being paid while an investigation is on (CROWN 13.2.3)."""

    slip: SlipNumber
    reason: TextSaid


class ReleaseSlip(Act, frozen=True, kw_only=True):
    """Let the cage pay a slip that is held or has expired, or let what is held be forfeited."""

    slip: SlipNumber
    forfeit: bool = False
    reason: TextSaid


# What was put away


class RecallPapers(Act, frozen=True, kw_only=True):
    """Bring back into the state what was put away, because the next act names it."""

    tickets: dict[str, RegisteredTicket] = {}
    slips: dict[str, HouseSlip] = {}


# The gaming day


class OpenDay(Act, frozen=True, kw_only=True):
    date: NameSaid


class CloseDay(Act, frozen=True, kw_only=True):
    pass


# Integrity


class RaiseLight(Act, frozen=True, kw_only=True):
    """A light of a table's integrity is an alarm. Told again in the same gaming day of the table it changes nothing."""

    table: NameSaid
    kind: Word
    """What the light is about."""
    subject: TextSaid
    """The bet, dealer or seat; empty for the table."""
    evidence: CountSaid
    """An honest table shows this on one of so many days at most; the most that can be recorded stands for more."""
    coups: CountSaid
    day_ends_ms: TimeTold
    """The end of the table's gaming day."""


class SeeToLight(Act, frozen=True, kw_only=True):
    """Say what was found about an alarm of a table's integrity."""

    table: NameSaid
    kind: Word
    subject: TextSaid = ""
    reason: TextSaid
    """What was looked at, and what came of it."""


SettingAct = ConfigureHouse | Option | OpenDay | CloseDay
StaffAct = Appoint | Dismiss | Unlock
FloorDeviceAct = Enrol | Revoke
ExclusionAct = Exclude | Readmit
TicketAct = Printed | Redeem | VoidTicket | Reinstate | Expire
SlipAct = TakeSlip | PaySlip | HoldSlip | ReleaseSlip
DeskAct = SettingAct | StaffAct | FloorDeviceAct | ExclusionAct | TicketAct | SlipAct | SeeToLight | RevokeService
"""What people ask at a desk or a console."""
CarriedTicketAct = RequestTicket | RegisterTicket | CloseToTheCage | ReleaseTicket | NoteHandedBack | NotePaidByHand
CarriedSlipAct = RegisterSlip | CancelSlip | RaisePool | SettleStakes | CloseTournament
CarriedStaffAct = AnnounceSignOn | NoteSignedOff | LockOut
CarriedFloorAct = EnterTable | TellBusy | CarryExclusion | RaiseLight | RecallPapers
CarriedServiceAct = MakeService | NoteServiceUsed
CarriedAct = CarriedFloorAct | CarriedStaffAct | CarriedTicketAct | CarriedSlipAct | CarriedServiceAct
"""What the floor carries; no device may send it."""
HouseAct = DeskAct | CarriedAct
