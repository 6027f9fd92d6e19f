"""Refusals of the house, in the order in which the checks come, each with its clause."""

import enum
from typing import NamedTuple

import msgspec

from sabot.basics.figures import Figure, figures_of, in_english
from sabot.house.events import HouseEvent


class _Cause(NamedTuple):
    clause: str
    sentence: str


class HouseCause(_Cause, enum.Enum):
    """Why the house says no; the sentence's gaps are filled with the figures of the case."""

    # Who asks
    NOT_ON_STAFF = ("G-118", "{who} is not on the house's staff list as {role}")
    WRONG_ROLE = ("G-118", "this is for {needed}, not for {role}")
    AT_WORK = ("G-99", "{who} is signed on at {table} as {role}, and asks in no other role")
    SECOND_PERSON_DUE = ("G-99", "nobody does this alone: name a second person, who is {needed}")
    SAME_PERSON = ("G-99", "{who} cannot approve what {who} does")
    SECOND_NOT_ON_STAFF = ("G-118", "{who}, who should approve this, is not on the house's staff list")
    SECOND_ROLE = ("G-99", "the second person must be {needed}, not {role}")
    REASON_MISSING = ("G-118", "a reason is due")
    OUT_OF_RANGE = ("G-195", "{field} lies outside what can be recorded: {least} to {most}")
    TIME_TOO_FAR = ("G-195", "{field} is too far from now: it lies between {earliest_ms} and {latest_ms}")
    TOO_LONG = ("G-195", "{field} has {found} characters or entries, and {most} can be recorded")
    UNFIT_TEXT = ("G-195", "{field} holds what cannot be recorded: {what}")
    # Staff
    SELF_APPOINTMENT = ("G-99", "{who} cannot appoint {who}")
    NOT_A_PERSON = ("G-118", "{who} is not a person's reference, or {role} not a person's role")
    NOT_APPOINTED = ("G-118", "{who} is not on the staff list")
    SIGNED_ON_OTHERWISE = ("G-99", "{who} is signing on at {table} as {role}; try again in a moment")
    LOCKED_OUT = ("G-118", "{who} is locked out after too many wrong PINs; a supervisor can unlock it")
    NOT_LOCKED_OUT = ("G-118", "{who} is not locked out")
    SELF_UNLOCKING = ("G-99", "{who} cannot unlock {who}")
    # Integrity
    NO_SUCH_LIGHT = ("G-232", "no light of this kind waits at {table}: {light}")
    LIGHT_SEEN_TO = ("G-232", "{who} has seen to this light of {table} already: {light}")
    OWN_LIGHT = ("G-232", "{who} cannot see to a light that is about {who}")
    # Service accounts
    SERVICE_NAME_TAKEN = ("G-233", "{service} is the name of a person or of a service account already")
    NO_SUCH_SERVICE = ("G-233", "there is no service account {service}, or it has been revoked")
    SERVICE_OVER = ("G-233", "the service account {service} has expired or has been revoked")
    NOT_IN_SCOPE = ("G-233", "the service account {service} has no scope for this")
    # Options and tables
    UNKNOWN_OPTION = ("CROWN 10.1 note *", "no table of the house offers {option}")
    NO_SUCH_CHOICE = ("CROWN 10.1 note *", "table {table} has options 1 to {choices} for {option}, not {choice}")
    UNKNOWN_TABLE = ("CROWN 1.3", "the house has no table {table}")
    # Devices
    UNAPPROVED = ('CROWN 1.1 "game system"(b)', "a {kind} needs the reference of its approval")
    BAD_KEY = ('CROWN 1.1 "game system"(b)', "a key is named by the 64 hexadecimal digits of its SHA-256")
    ENROLLED_ALREADY = ('CROWN 1.1 "game system"(b)', "{device} is enrolled; revoke it before it is enrolled anew")
    KEY_USED = ('CROWN 1.1 "game system"(b)', "this key was enrolled for {device} before; a key is used once")
    STATION_TAKEN = (
        'CROWN 1.1 "game system"(b)',
        "{device} is enrolled as the {kind} for {station} at {table}; revoke it before another takes its place",
    )
    ONE_TABLE_ONLY = ("G-201", "a {kind} is at one table; only a station can be at several")
    SEVERAL_TABLES_OFF = ("G-201", "this house has stations at one table only; the operator can allow several tables")
    TABLE_TWICE = ("G-201", "a station has one place at {table}, which is named twice")
    NOT_ENROLLED = ('CROWN 1.1 "game system"(b)', "there is no enrolled device {device}")
    # Exclusions
    EXCLUDED_ALREADY = ("CROWN 13.2.2", "{patron} is excluded at least that long already")
    TIME_PAST = ("CROWN 13.2.2", "an exclusion ends in the future or not at all")
    NOT_EXCLUDED = ("CROWN 13.2.2", "{patron} is not excluded")
    # Tickets
    TICKET_NUMBER = ("CROWN 6.7.2", "a ticket needs an unused number of 18 digits, and {why}")
    UNKNOWN_TICKET = (
        "CROWN 6.7.2",
        "ticket {ticket} is not registered; if it was just issued, try again in a moment",
    )
    TICKET_MISREAD = ("G-235", "the number {ticket} was misread: its check digit is wrong")
    IN_ESCROW = ("G-235", "ticket {ticket} is in the acceptor of {place}; try again in a moment")
    STATION_BUSY = ("G-235", "the acceptor of {station} still holds ticket {other}; try again in a moment")
    PAID_ALREADY = ("CROWN 6.7.2", "ticket {ticket} has already been {how}")
    TICKET_VOID = ("CROWN 6.7.2", "ticket {ticket} has been voided")
    TICKET_EXPIRED = ("CROWN 6.7.2", "ticket {ticket} has expired; only a Casino Supervisor can have it reinstated")
    BY_HAND_ONLY = ("CROWN 6.7.2(b)", "ticket {ticket} was not printed: it is paid by hand at its table, not here")
    AT_THE_CAGE = ("CROWN 6.7.2(b)", "ticket {ticket} can be redeemed at the cage, so it is not paid by hand")
    RELEASED = (
        "CROWN 6.7.2(b)",
        "ticket {ticket} is released to {table}, which may pay it by hand; it is handed back there first",
    )
    NOT_THIS_STATION = ("CROWN 6.7.2", "ticket {ticket} was not issued by {station}")
    NOTHING_TO_REINSTATE = ("CROWN 6.7.2", "ticket {ticket} is {status}: there is nothing to reinstate")
    # Slips of tournaments
    BAD_SLIP = ("CROWN 12.2.1(a)", "slip {slip} cannot be registered: {why}")
    TOURNAMENT_CLOSED = ("CROWN 12.2.1(a)", "the books of tournament {tournament} are closed")
    POOL_TOO_SMALL = (
        "CROWN 12.2.1(j)",
        "the {what} of {tournament} would lose {due_cents}, and holds {holds_cents}",
    )
    UNKNOWN_SLIP = ("CROWN 12.2.1(a)", "slip {slip} is not registered; if it was just raised, try again in a moment")
    WRONG_DIRECTION = ("CROWN 12.2.1(a)", "slip {slip} is to be {what} at the cage, and nothing else")
    SLIP_CANCELLED = ("CROWN 12.2.1(a)", "slip {slip} has been cancelled")
    SLIP_EXPIRED = ("CROWN 12.2.1(j)", "slip {slip} has expired; only a Casino Supervisor can release it")
    SLIP_SETTLED = ("CROWN 12.2.1(a)", "slip {slip} has already been {how}")
    SLIP_HELD = ("CROWN 13.2.3", "slip {slip} is held while an investigation is on")
    NOTHING_TO_RELEASE = ("CROWN 13.2.3", "slip {slip} is {status}: there is nothing to release or to forfeit")
    PLAYER_EXCLUDED = ("CROWN 13.2.2", "{player} is excluded from the house, so nothing is taken for slip {slip}")
    SLIPS_OPEN = ("CROWN 12.2.1(a)", "{count} slips of tournament {tournament} are neither settled nor cancelled")
    MONEY_LEFT = (
        "CROWN 12.2.1(j)",
        "the prize pool of {tournament} holds {pool_cents} and its stakes {stakes_cents}; both must be empty",
    )
    # The gaming day
    DAY_OPEN = ("G-91", "gaming day {day} of {date} is open")
    NO_DAY_OPEN = ("G-91", "no gaming day is open")
    BAD_DATE = ("G-91", "{why}")
    COUP_IN_PROGRESS = ("G-101", "a gaming day closes between coups, and one is under way at {tables}")

    @property
    def code(self) -> str:
        return self.name.lower()


class HouseRefused(msgspec.Struct, frozen=True, gc=False):
    """No, and why. Nothing is changed but what `leaves` records: that it was tried."""

    code: str
    clause: str
    text: str
    alarm: str | None = None
    leaves: tuple[HouseEvent, ...] = ()
    values: dict[str, Figure] = {}
    """The figures of the sentence, so that every language can say them."""


class HouseNo(Exception):
    """Raised inside a decision, and caught by `decide`, which turns it into a refusal."""

    def __init__(
        self,
        cause: HouseCause,
        *,
        clause: str | None = None,
        alarm: str | None = None,
        leaves: tuple[HouseEvent, ...] = (),
        **figures: object,
    ) -> None:
        super().__init__(cause.name)
        values = figures_of(figures)
        text = in_english(cause.sentence, values)
        self.refused = HouseRefused(cause.code, clause or cause.clause, text, alarm, leaves, values)
