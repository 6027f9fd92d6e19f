"""What happened in the house. One frozen class each, in the past tense."""

import msgspec

from sabot.basics.role import Role
from sabot.house.state import DeviceKind, HouseSlip, RegisteredTicket, ServiceScope, SlipDirection, SlipPart


class HouseEvent(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False, tag_field="event", tag=True
):
    """Something that concerns more than one table; its tag is the name of its class."""


class HouseConfigured(HouseEvent, frozen=True, kw_only=True):
    time_zone: str
    gaming_day_starts: str
    ticket_validity_days: int
    several_tables: bool = False
    by: str


class TableEntered(HouseEvent, frozen=True, kw_only=True):
    """A table of the house, and which of the optioned side bets it offers."""

    table: str
    offers: tuple[str, ...]
    choices: dict[str, int] = {}
    """How many choices its rule set has for each of them."""
    cited_as: dict[str, str] = {}
    """The house rule that is cited there for each number of the program's."""


class TableBusy(HouseEvent, frozen=True, kw_only=True):
    """Whether a coup is under way at a table."""

    table: str
    busy: bool


class OptionOrdered(HouseEvent, frozen=True, kw_only=True):
    """An option was chosen for all tables; it waits until every table that offers the bet is between coups."""

    option: str
    choice: int
    by: str
    clause: str


class OptionChanged(HouseEvent, frozen=True, kw_only=True):
    """From now on every table that offers the bet plays by this option."""

    option: str
    choice: int
    clause: str


# Staff


class PersonAppointed(HouseEvent, frozen=True, kw_only=True):
    person: str
    roles: tuple[Role, ...]
    by: str
    at_ms: int
    clause: str


class PersonDismissed(HouseEvent, frozen=True, kw_only=True):
    person: str
    reason: str
    by: str
    at_ms: int
    clause: str


class SignOnAnnounced(HouseEvent, frozen=True, kw_only=True):
    """From now on the person asks the house in this role alone (G-99); the table's sign-on bears the number."""

    person: str
    table: str
    role: Role
    number: int
    at_ms: int
    clause: str


class SignOffNoted(HouseEvent, frozen=True, kw_only=True):
    """The person is not signed on at the table any more, or never was under this number."""

    person: str
    table: str
    number: int
    clause: str


class PersonLockedOut(HouseEvent, frozen=True, kw_only=True, omit_defaults=True):
    """So many wrong PINs in a row look like guessing: nobody signs on there in this person's name for now (G-118)."""

    person: str
    failures: int
    at_ms: int
    clause: str
    console: str = ""
    """The console or desk where it was; nothing where the person is locked out everywhere."""
    until_ms: int | None = None
    """When it ends by itself. Records of earlier programs have no end: such a lock-out lasts until it is unlocked."""


class PersonUnlocked(HouseEvent, frozen=True, kw_only=True):
    person: str
    reason: str
    by: str
    at_ms: int
    clause: str


# Devices


class DeviceEnrolled(HouseEvent, frozen=True, kw_only=True):
    device: str
    kind: DeviceKind
    table: str
    key: str
    approval: str
    remote: bool
    station: str = ""
    """The station that it is, or serves; consoles, displays and shoes belong to none."""
    places: dict[str, str] = {}
    """The stations that it is at further tables, by table."""
    by: str
    second: str
    at_ms: int
    clause: str


class DeviceRevoked(HouseEvent, frozen=True, kw_only=True):
    device: str
    reason: str
    by: str
    at_ms: int
    clause: str


# Exclusions


class ExclusionMade(HouseEvent, frozen=True, kw_only=True):
    patron: str
    reason: str
    until_ms: int | None
    source: str
    """The table and case that led to it, if any."""
    by: str
    at_ms: int
    clause: str


class PatronReadmitted(HouseEvent, frozen=True, kw_only=True):
    patron: str
    reason: str
    by: str
    at_ms: int
    clause: str


# Tickets


class TicketRequested(HouseEvent, frozen=True, kw_only=True):
    ticket: str
    table: str
    station: str
    at_ms: int
    clause: str


class TicketRegistered(HouseEvent, frozen=True, kw_only=True):
    ticket: str
    cents: int
    table: str
    station: str
    issued_ms: int
    expires_ms: int | None
    """When it expires, fixed at issue, or nothing."""
    clause: str


class TicketPrinted(HouseEvent, frozen=True, kw_only=True):
    ticket: str
    by: str
    clause: str


class TicketClosedToTheCage(HouseEvent, frozen=True, kw_only=True):
    """It was not printed: only a payment by hand is open."""

    ticket: str
    fault: str
    clause: str


class TicketReleased(HouseEvent, frozen=True, kw_only=True):
    """Its table alone may pay it from now on; the payment names this release."""

    ticket: str
    table: str
    release: int
    at_ms: int
    clause: str


class TicketReleaseEnded(HouseEvent, frozen=True, kw_only=True):
    """Its table has handed the release back."""

    ticket: str
    release: int
    clause: str


class TicketSettledByHand(HouseEvent, frozen=True, kw_only=True):
    ticket: str
    clause: str


class TicketRedeemed(HouseEvent, frozen=True, kw_only=True):
    ticket: str
    cents: int
    by: str
    at_ms: int
    clause: str


class TicketVoided(HouseEvent, frozen=True, kw_only=True):
    ticket: str
    cents: int
    reason: str
    by: str
    second: str
    clause: str


class TicketReinstated(HouseEvent, frozen=True, kw_only=True):
    ticket: str
    reason: str
    expires_ms: int | None
    by: str
    second: str
    clause: str


class TicketExpired(HouseEvent, frozen=True, kw_only=True):
    ticket: str
    cents: int
    at_ms: int
    clause: str


class WrongNumberTried(HouseEvent, frozen=True, kw_only=True):
    """A cashier presented a number that is no ticket's. The number is not kept: it may be nearly right."""

    by: str
    at_ms: int
    clause: str


class GuessingAlarmed(HouseEvent, frozen=True, kw_only=True):
    """So many wrong numbers within minutes look like guessing."""

    by: str
    tries: int
    at_ms: int
    clause: str


# Slips of tournaments


class SlipRegistered(HouseEvent, frozen=True, kw_only=True):
    """A slip to be paid is owed from now on."""

    slip: str
    tournament: str
    direction: SlipDirection
    cents: int
    parts: dict[SlipPart, int]
    purpose: str
    entrant: int
    player: str
    expires_ms: int | None
    clause: str


class SlipTaken(HouseEvent, frozen=True, kw_only=True):
    slip: str
    cents: int
    tender: str
    by: str
    at_ms: int
    clause: str


class SlipPaid(HouseEvent, frozen=True, kw_only=True):
    slip: str
    cents: int
    by: str
    second: str
    at_ms: int
    clause: str


class SlipCancelled(HouseEvent, frozen=True, kw_only=True):
    """The tournament has withdrawn it before the cage settled it."""

    slip: str
    cents: int
    clause: str


class SlipHeld(HouseEvent, frozen=True, kw_only=True):
    slip: str
    reason: str
    by: str
    at_ms: int
    clause: str


class SlipReleased(HouseEvent, frozen=True, kw_only=True):
    """The cage may pay it again."""

    slip: str
    reason: str
    expires_ms: int | None
    by: str
    at_ms: int
    clause: str


class SlipForfeited(HouseEvent, frozen=True, kw_only=True):
    """An investigation ended with the house keeping it."""

    slip: str
    cents: int
    reason: str
    by: str
    at_ms: int
    clause: str


class SlipExpired(HouseEvent, frozen=True, kw_only=True):
    slip: str
    cents: int
    at_ms: int
    clause: str


class PoolRaised(HouseEvent, frozen=True, kw_only=True):
    """What the house adds to the prizes of a tournament in all."""

    tournament: str
    cents: int
    clause: str


class StakesSettled(HouseEvent, frozen=True, kw_only=True):
    """What the house won of a cash sitting in all, or lost where it is below zero."""

    tournament: str
    sitting: str
    won_cents: int
    clause: str


class TournamentClosed(HouseEvent, frozen=True, kw_only=True):
    """Its books are closed, and its fees are the house's income."""

    tournament: str
    fees_cents: int
    at_ms: int
    clause: str


# The gaming day


class GamingDayOpened(HouseEvent, frozen=True, kw_only=True):
    day: int
    date: str
    by: str
    at_ms: int
    clause: str


class GamingDayClosed(HouseEvent, frozen=True, kw_only=True):
    """The day's tickets and slips in cents, and what is outstanding at its end."""

    day: int
    date: str
    issued_cents: int
    paid_cents: int
    by_hand_cents: int
    void_cents: int
    expired_cents: int
    reinstated_cents: int
    outstanding_cents: int
    slips_taken_cents: int = 0
    slips_paid_cents: int = 0
    slips_owed_cents: int = 0
    """What the cage has yet to pay for tournaments."""
    by: str
    at_ms: int
    clause: str


class PapersPutAway(HouseEvent, frozen=True, kw_only=True):
    """Tickets and slips that ended up to this day, counted from 1970, are not in the state any more.

    Exclusions that ended by then are forgotten, which changes no answer.
    """

    until_day: int


class PapersRecalled(HouseEvent, frozen=True, kw_only=True):
    """Something that was put away is in the state again, as it was."""

    tickets: dict[str, RegisteredTicket] = {}
    slips: dict[str, HouseSlip] = {}
    at_ms: int


# Integrity


class LightRaised(HouseEvent, frozen=True, kw_only=True):
    """A light of a table's integrity is an alarm: what was recorded is far from an honest table."""

    table: str
    kind: str
    subject: str
    evidence: int
    coups: int
    until_ms: int
    """The end of the table's gaming day, until which it is not raised again."""
    at_ms: int
    clause: str


class LightSeenTo(HouseEvent, frozen=True, kw_only=True):
    table: str
    kind: str
    subject: str
    reason: str
    by: str
    at_ms: int
    clause: str


# Service accounts


class ServiceMade(HouseEvent, frozen=True, kw_only=True):
    service: str
    scopes: tuple[ServiceScope, ...]
    key: str
    until_ms: int
    a_minute: int
    purpose: str
    by: str
    at_ms: int
    clause: str


class ServiceRevoked(HouseEvent, frozen=True, kw_only=True):
    service: str
    reason: str
    by: str
    at_ms: int
    clause: str


class ServiceUsed(HouseEvent, frozen=True, kw_only=True):
    """The account is in use; it is put on record once an hour at most."""

    service: str
    at_ms: int
    clause: str


AnyHouseEvent = (
    HouseConfigured
    | TableEntered
    | TableBusy
    | OptionOrdered
    | OptionChanged
    | PersonAppointed
    | PersonDismissed
    | SignOnAnnounced
    | SignOffNoted
    | PersonLockedOut
    | PersonUnlocked
    | DeviceEnrolled
    | DeviceRevoked
    | ExclusionMade
    | PatronReadmitted
    | TicketRequested
    | TicketRegistered
    | TicketPrinted
    | TicketClosedToTheCage
    | TicketReleased
    | TicketReleaseEnded
    | TicketSettledByHand
    | TicketRedeemed
    | TicketVoided
    | TicketReinstated
    | TicketExpired
    | WrongNumberTried
    | GuessingAlarmed
    | SlipRegistered
    | SlipTaken
    | SlipPaid
    | SlipCancelled
    | SlipHeld
    | SlipReleased
    | SlipForfeited
    | SlipExpired
    | PoolRaised
    | StakesSettled
    | TournamentClosed
    | GamingDayOpened
    | GamingDayClosed
    | PapersPutAway
    | PapersRecalled
    | LightRaised
    | LightSeenTo
    | ServiceMade
    | ServiceRevoked
    | ServiceUsed
)
"""Every event, as one type to decode into."""


def schema() -> dict[str, object]:
    """The JSON Schema of the house's events; generated, never written by hand."""
    return msgspec.json.schema(AnyHouseEvent)
