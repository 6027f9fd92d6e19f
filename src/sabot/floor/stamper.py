"""The stamper: who gives an act, in which role, and what the house has to say about it.

Every way in asks here: a device's frame, a person at a console, a line of a conversation, the virtual dealer, a desk.
A device is what it was enrolled as, never what a frame says. A station acts for itself; a note acceptor, a printer, a
card reader and a scanning shoe report what they did; a display tells which signs it shows. Which role may give an act
is decided by the table and the house themselves (`table/rules`, `house/decide`); here the role is only found, from the
lists as they are now.
"""

import enum
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, NamedTuple

from msgspec.structs import replace

from sabot.basics.act import Act
from sabot.basics.figures import figures_of, in_english
from sabot.basics.role import PERSONS, Role
from sabot.basics.stamp import Stamp, Withheld
from sabot.house import acts as house_acts
from sabot.house.decide import RULES as HOUSE_RULES
from sabot.house.devices.deciding import GAME_SYSTEM
from sabot.house.escrow.deciding import escrow_held, worth
from sabot.house.exclusions.deciding import exclusion_of
from sabot.house.filed_book import PutAway
from sabot.house.refusal import HouseNo, HouseRefused
from sabot.house.staff.deciding import DESKS, check_not_locked_out, check_on_staff, role_at_work, role_for
from sabot.house.state import DeviceKind, EnrolledDevice, HouseState
from sabot.house.tickets.deciding import check_outstanding, release_held
from sabot.rules.citing import as_cited
from sabot.table import acts
from sabot.table.accounts.deciding import pays_by_ticket
from sabot.table.accounts.state import TableTicketStatus
from sabot.table.decide import decide
from sabot.table.history.wanted import Elsewhere
from sabot.table.refusal import Cause, Refused
from sabot.table.role import GAME_SUPERVISOR_OR_ABOVE, role_to_sign_on_in
from sabot.table.rules import RULES
from sabot.table.signs.posted import DISPLAY
from sabot.table.state import TableState

Acts = frozenset[type[Act]]

GIVES: dict[DeviceKind, Acts] = {
    DeviceKind.STATION: frozenset(
        {
            *acts.TOUCHES,
            *(acts.Leave, acts.Stay, acts.Claim, acts.Seen, acts.ShowsSign, acts.AgreeToConclude),
            *(acts.SetOwnLimit, acts.TakeBreak, acts.AcknowledgeCheck, acts.CallAttendant, acts.EndCall),
        }
    ),
    DeviceKind.NOTE_ACCEPTOR: frozenset({acts.Note, acts.InsertTicket}),
    DeviceKind.PRINTER: frozenset({acts.PrintFailed}),
    DeviceKind.CARD_READER: frozenset({acts.ReadPlayerCard, acts.Leave}),
    DeviceKind.SHOE: frozenset({acts.Card, acts.CuttingCard}),
    DeviceKind.DISPLAY: frozenset({acts.ShowsSign}),
    DeviceKind.DESK: frozenset(),
    DeviceKind.CONSOLE: frozenset(kind for kind, rule in RULES.items() if rule.who & PERSONS),
}
"""What each kind of device gives a table. A station takes no notes and prints nothing: a screen that a patron touches
must not be able to say that money came in."""


class _Cause(NamedTuple):
    clause: str
    sentence: str


class StampCause(_Cause, enum.Enum):
    """Why an act gets no stamp."""

    NOT_ENROLLED = (GAME_SYSTEM, "this device is not enrolled at {table}, or has been revoked")
    NOT_FROM_HERE = (GAME_SYSTEM, "a {kind} does not give {verb}")
    SIGN_ON_FIRST = ("G-118", "nobody is signed on here")
    OTHER_STATION = ("CROWN 4.9", "this is {station}, which acts for no other")
    NO_TOURNAMENTS = ("CROWN 12.1", "no table of this house plays by a document that has tournaments")
    NOBODY_DEALS = ('CROWN 1.1 "Dealer"', "no dealer is signed on at this table, for whom the shoe could speak")

    @property
    def code(self) -> str:
        return self.name.lower()


class Denied(Exception):
    """Raised where no stamp is given, and caught where one was asked for."""

    def __init__(self, cause: StampCause, **figures: object) -> None:
        super().__init__(cause.name)
        values = figures_of(figures)
        self.refused = Refused(cause.code, cause.clause, in_english(cause.sentence, values), values=values)


class Place(NamedTuple):
    """Where and when an act arrives: a table, its state, and the house that it belongs to."""

    table: str
    state: TableState
    house: HouseState
    at_ms: int
    director: str = ""
    """The Tournament Director who is present, where the table plays a session (CROWN 12.2.5)."""


class Giver(NamedTuple):
    """Who gives an act: a station, a desk under its own name, or a person, and who approves it."""

    by: str
    second: str = ""
    role: Role | None = None
    """The role that the giver states; without one it is found."""


class Fresh(NamedTuple):
    """What only the outside world can give."""

    ticket: Callable[[], str]
    """Draws the number of a new ticket."""
    build: str = ""


HouseRequest = house_acts.RequestTicket | house_acts.ReleaseTicket | house_acts.EscrowTicket | house_acts.AnnounceSignOn
RESTS_ON_THE_HOUSE: Acts = frozenset(
    {
        *(acts.SignOn, acts.BuyIn, acts.InsertTicket, acts.ReadPlayerCard, acts.Nominee),
        *(acts.ManualPay, acts.HandBack),
    }
)
"""Rare acts for which the house is read to its end first, where other processes write to it; so it is where a second
person approves. What follows is as if the act had come before whatever the house decides later."""


class Admitted(NamedTuple):
    """An act's stamp, and what the house must have accepted before the table is asked."""

    stamp: Stamp
    request: HouseRequest | None = None

    def granted(self, house: HouseState) -> Stamp:
        """The stamp with what the house has granted; the table refuses it if that was taken away meanwhile."""
        match self.request:
            case house_acts.ReleaseTicket(ticket=ticket, table=table):
                return replace(self.stamp, release=release_held(house, ticket, table))
            case house_acts.EscrowTicket(ticket=ticket, table=table, station=station):
                held = escrow_held(house, ticket, table, station)
                return replace(self.stamp, escrow=held.number, escrow_cents=held.cents)
            case house_acts.AnnounceSignOn(person=person, table=table, as_role=role):
                known = house.at_work.get(person, {}).get(table)
                return replace(self.stamp, sign_on=known.number) if known and known.role is role else self.stamp
            case _:
                return self.stamp

    def withheld(self, no: Refused) -> Stamp | Refused:
        """What follows where the house refuses: the act is not carried.

        A paper in a station's acceptor is an exception. Its table is asked with the house's refusal, and refuses it on
        record, so that the station can show the patron why the paper comes back.
        """
        if not isinstance(self.request, house_acts.EscrowTicket):
            return no
        return replace(self.stamp, withheld=Withheld(no.code, no.clause, no.text, no.values))


def stamp_from_device(act: Act, device: str, signed: Giver | None, place: Place, fresh: Fresh) -> Admitted | Refused:
    """The stamp for a device's act, or why the act never reaches the table; `signed` acts at a console."""
    try:
        known = place.house.devices.get(device)
        if known is None:
            raise Denied(StampCause.NOT_ENROLLED, table=place.table)
        station = _station_here(known, place)
        _check_gives(known, act)
        if station:
            _check_own(act, station)
            giver = Giver(station)
        elif known.kind is DeviceKind.SHOE:
            giver = _dealer(place)
        elif known.kind is DeviceKind.DISPLAY:
            _check_display(act)
            giver = Giver(Role.CLOCK.value)
        else:
            giver = _person(act, signed, place)
    except Denied as denied:
        return _cited(denied.refused, place)
    except HouseNo as no:
        return _cited(as_refused(no.refused), place)
    return stamp(act, giver, place, fresh)


def stamp_touch(act: Act, known: EnrolledDevice, place: Place) -> Stamp | Refused:
    """The same for a touch on the layout, which needs nothing but who gives it. Nothing is asked more often, so the
    caller has looked the device up."""
    try:
        station = _station_here(known, place)
        _check_gives(known, act)
        _check_own(act, station)
    except Denied as denied:
        return _cited(denied.refused, place)
    return Stamp(by=station, role=Role.STATION)


def stamp(act: Act, giver: Giver, place: Place, fresh: Fresh) -> Admitted | Refused:
    """The stamp for the act of a known giver, or why the act never reaches the table."""
    try:
        role = _role(act, giver, place)
        return _completed(act, Stamp(by=giver.by, role=role, at_ms=place.at_ms, second=giver.second), place, fresh)
    except Denied as denied:
        return _cited(denied.refused, place)
    except HouseNo as no:
        return _cited(as_refused(no.refused), place)


def _cited(no: Refused, place: Place) -> Refused:
    """With the clause as the table cites it."""
    return as_cited((no,), place.state.cites)[0]


def as_refused(no: HouseRefused) -> Refused:
    """A refusal of the house as an answer of the table."""
    return Refused(no.code, no.clause, no.text, no.alarm, no.values)


def stamp_for_house(kind: type[Act], giver: Giver, house: HouseState) -> Stamp:
    """The stamp for an act to the house, which holds it to who works at a table when it decides (G-99)."""
    role = Role(giver.by) if giver.by in DESKS else giver.role or role_at_the_house(house, giver.by, kind)
    second = giver.second
    second_role = role_at_the_house(house, second, kind) if second else None
    return Stamp(by=giver.by, role=role or Role.DEALER, second=second, second_role=second_role)


def stamp_printed(device: str, house: HouseState) -> tuple[str, Stamp] | Refused:
    """The table and the stamp for a printer's word that a ticket came out."""
    known = house.devices.get(device)
    if known is None or known.revoked:
        return Denied(StampCause.NOT_ENROLLED, table="this house").refused
    if known.kind is not DeviceKind.PRINTER:
        return Denied(StampCause.NOT_FROM_HERE, kind=known.kind.replace("_", " "), verb="printed").refused
    return known.table, Stamp(by=known.station, role=Role.STATION)


def role_at_the_house(house: HouseState, person: str, kind: type[Act]) -> Role | None:
    """The role in which a person asks the house: the one signed on in at a table, if any (G-99)."""
    admitted = HOUSE_RULES[kind].who | HOUSE_RULES[kind].second
    return role_at_work(house, person, admitted) or role_for(house, person, admitted)


def _station_here(known: EnrolledDevice, place: Place) -> str:
    """The station that a device is or serves at this table; none for what belongs to the table as a whole."""
    station = known.station if known.table == place.table else known.places.get(place.table)
    if known.revoked or station is None:
        raise Denied(StampCause.NOT_ENROLLED, table=place.table)
    return station


def _check_gives(known: EnrolledDevice, act: Act) -> None:
    if type(act) not in GIVES[known.kind]:
        raise Denied(StampCause.NOT_FROM_HERE, kind=known.kind.replace("_", " "), verb=act.verb)


def _check_own(act: Act, own: str) -> None:
    for named in (getattr(act, "station", ""), getattr(act, "location", "")):
        if named not in ("", own):
            raise Denied(StampCause.OTHER_STATION, station=own)


def _check_display(act: Act) -> None:
    """A display speaks for nothing but itself."""
    if getattr(act, "location", "") not in ("", DISPLAY):
        raise Denied(StampCause.OTHER_STATION, station=DISPLAY)


def _dealer(place: Place) -> Giver:
    """A scanning shoe types for the dealer; what it reads is as good as the dealer's own entry."""
    dealer = place.state.dealer
    if dealer is None:
        raise Denied(StampCause.NOBODY_DEALS)
    return Giver(dealer, role=place.state.signed_on[dealer])


def _person(act: Act, signed: Giver | None, place: Place) -> Giver:
    """A giver at a console is on the house's staff list, and a person, even under a station's name."""
    if signed is None or not signed.by:
        raise Denied(StampCause.SIGN_ON_FIRST)
    if not place.house.staff.get(signed.by):
        check_on_staff(place.house, signed.by, _listed(place.state, signed.by) or (Role.DEALER,))
    return signed._replace(role=_role_of_person(act, signed.by, place))


def _role(act: Act, giver: Giver, place: Place) -> Role:
    if giver.by in place.state.stations:
        if giver.role in (None, Role.STATION):
            return Role.STATION
    elif giver.by in DESKS:
        return giver.role or Role(giver.by)
    role = giver.role or _role_of_person(act, giver.by, place)
    if isinstance(act, acts.SignOn):
        check_not_locked_out(place.house, giver.by)
        role_wanted = act.as_role or role_to_sign_on_in(_listed(place.state, giver.by))
        _check_on_staff(place, giver.by, role_wanted)
    else:
        _check_on_staff(place, giver.by, role)
    if giver.second:
        _check_approving(place, giver.second)
    return role


def _role_of_person(act: Act, person: str, place: Place) -> Role:
    """The role signed on in; else, of those that table and house both give, the one that may; else the first.

    Where they have none in common, a role that only the table gives is found and then refused by the house's list.
    """
    signed_on = place.state.signed_on.get(person)
    if signed_on is not None:
        return signed_on
    listed, known = _listed(place.state, person), place.house.staff.get(person, ())
    roles = [role for role in listed if role in known] or [*known, *listed] or [Role.DEALER]
    return next((role for role in roles if role in RULES[type(act)].who), roles[0])


def _listed(state: TableState, person: str) -> tuple[Role, ...]:
    """The roles that the table's own list gives a person."""
    return state.configuration.staff.get(person, ())


def _check_on_staff(place: Place, person: str, role: Role | None) -> None:
    """A person whom the table lists in this role must be on the house's list, too."""
    check_on_staff(place.house, person, [one for one in _listed(place.state, person) if one == role])


def _check_approving(place: Place, person: str) -> None:
    """A second person approves as a supervisor."""
    check_not_locked_out(place.house, person)
    supervises = [role for role in _listed(place.state, person) if role in GAME_SUPERVISOR_OR_ABOVE]
    check_on_staff(place.house, person, supervises)


def _completed(act: Act, stamp: Stamp, place: Place, fresh: Fresh) -> Admitted:
    """Add what the house and the outside world have to say."""
    complete = _COMPLETE.get(type(act))
    return Admitted(stamp) if complete is None else complete(act, stamp, place, fresh)


def _admitting(act: acts.BuyIn | acts.ReadPlayerCard | acts.Nominee, stamp: Stamp, place: Place, _: Fresh) -> Admitted:
    named = act.nominee if isinstance(act, acts.Nominee) else act.patron
    return Admitted(replace(stamp, excluded=_is_excluded(place, act.station or stamp.by, [named])))


def _inserting(act: acts.InsertTicket, stamp: Stamp, place: Place, _: Fresh) -> Admitted:
    """Have the house put a ticket into escrow for the station that wants nothing else to credit it."""
    station = act.station or stamp.by
    stamp = replace(stamp, excluded=_is_excluded(place, station, []), escrow_cents=worth(place.house, act.ticket))
    if not _lacks(Cause.NOT_IN_ESCROW, act, stamp, place):
        return Admitted(stamp)
    return Admitted(stamp, house_acts.EscrowTicket(ticket=act.ticket, table=place.table, station=station))


def _signing_on(act: acts.SignOn, stamp: Stamp, place: Place, _: Fresh) -> Admitted:
    """Have the house know who works at the table, and as what, before the table signs the person on (G-99)."""
    role = act.as_role or role_to_sign_on_in(_listed(place.state, stamp.by))
    if role is None or not _lacks(Cause.NOT_ANNOUNCED, act, stamp, place):
        return Admitted(stamp)
    return Admitted(stamp, house_acts.AnnounceSignOn(person=stamp.by, table=place.table, as_role=role))


def _opening(_: acts.OpenTable, stamp: Stamp, __: Place, fresh: Fresh) -> Admitted:
    return Admitted(replace(stamp, build=fresh.build))


def _wagering(_: acts.Open, stamp: Stamp, place: Place, __: Fresh) -> Admitted:
    return Admitted(replace(stamp, director=place.director) if place.state.session else stamp)


def _is_excluded(place: Place, station: str, named: Iterable[str]) -> bool:
    """Whether the house excludes one of those named, or the patron in control of the station."""
    known = place.state.stations.get(station)
    patrons = (*named, known.patron if known and known.is_open else "")
    return any(exclusion_of(place.house, patron, place.at_ms) is not None for patron in patrons)


def _print_failed(act: acts.PrintFailed, stamp: Stamp, place: Place, _: Fresh) -> Admitted:
    """A fault of the printer concerns nobody once the ticket was paid. It moves nothing, so an old picture will do."""
    known = place.state.tickets.get(act.ticket)
    if known is not None and known.status is TableTicketStatus.ISSUED:
        with suppress(PutAway):  # It ended long ago, which the house says when it is to be paid.
            check_outstanding(place.house, act.ticket)
    return Admitted(stamp)


def _paying_by_hand(act: acts.ManualPay, stamp: Stamp, place: Place, _: Fresh) -> Admitted:
    """Have the house release a ticket to the table that wants nothing else to pay it by hand."""
    try:
        lacks = _lacks(Cause.NOT_RELEASED, act, stamp, place)
    except Elsewhere:  # A ticket that the table must bring back first: the house knows of the printer's fault, too.
        known = place.house.tickets.get(act.ticket)
        lacks = known is not None and known.faulted
    if not lacks:
        return Admitted(stamp)
    return Admitted(stamp, house_acts.ReleaseTicket(ticket=act.ticket, table=place.table))


def _lacks(grant: Cause, act: Act, stamp: Stamp, place: Place) -> bool:
    """Whether the table would do it now if only the house had granted it."""
    decision = decide(place.state, act, stamp)
    return isinstance(decision, Refused) and decision.code == grant.code


def _handing_back(act: acts.HandBack, stamp: Stamp, place: Place, _: Fresh) -> Admitted:
    return Admitted(replace(stamp, release=release_held(place.house, act.ticket, place.table)))


def _leaving(act: acts.Leave, stamp: Stamp, place: Place, fresh: Fresh) -> Admitted:
    """Keep a number with the house before a station that pays by ticket uses it."""
    station = act.station or stamp.by
    if station not in place.state.stations or not pays_by_ticket(place.state, station):
        return Admitted(stamp)
    number = fresh.ticket()
    request = house_acts.RequestTicket(ticket=number, table=place.table, station=station)
    return Admitted(replace(stamp, ticket=number), request)


_COMPLETE: dict[type[Act], Callable[[Any, Stamp, Place, Fresh], Admitted]] = {
    acts.BuyIn: _admitting,
    acts.InsertTicket: _inserting,
    acts.ReadPlayerCard: _admitting,
    acts.Nominee: _admitting,
    acts.SignOn: _signing_on,
    acts.PrintFailed: _print_failed,
    acts.ManualPay: _paying_by_hand,
    acts.HandBack: _handing_back,
    acts.OpenTable: _opening,
    acts.Open: _wagering,
    acts.Leave: _leaving,
}
"""What is added to the stamps of these acts."""
