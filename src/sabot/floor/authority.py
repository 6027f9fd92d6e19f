"""Who may give which command over the wire, and the stamp that says who gave it.

A device is what it was enrolled as, never what a frame says. A station acts for itself; a note acceptor, a printer and
a scanning shoe report what they did; a display says nothing; at a console acts whoever is signed on there. Which role
may give a command is the table's and the house's own affair (`table/decide`, `house/decide`): here it is only found
out, from the lists as they are now, in which role a person asks.
"""

import enum
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeVar

import msgspec

from sabot.basics.mistake import Mistake, told_of
from sabot.basics.role import Role
from sabot.floor.stamping import (
    Place,
    check_approving,
    check_asking,
    check_signing_on,
    check_ticket,
    is_excluded,
    listed,
    role_at_the_house,
    ticket_request,
)
from sabot.house import commands as house_commands
from sabot.house.decide import RULES as HOUSE_RULES
from sabot.house.devices import GAME_SYSTEM
from sabot.house.refusal import No
from sabot.house.staff import check_on_staff
from sabot.house.state import Device, HouseState
from sabot.table import acts as c
from sabot.table.conversation import VERBS, wanted_configuration
from sabot.table.decide import RULES
from sabot.table.refusal import Refused

K = TypeVar("K", bound=c.Command | house_commands.Command)

NOT_PERSONS = frozenset({Role.STATION, Role.CLOCK})
GIVES: dict[str, frozenset[str]] = {
    "station": frozenset({"leave", "set_wager", "move", "undo", "clear", "repeat", "double", "claim", "seen"}),
    "note_acceptor": frozenset({"note"}),
    "printer": frozenset({"print_failed"}),
    "shoe": frozenset({"card", "cutting_card"}),
    "display": frozenset(),
    "console": frozenset(verb for verb, kind in VERBS.items() if RULES[kind].who - NOT_PERSONS),
}
"""What each kind of device gives a table. A station takes no notes and prints nothing: a screen that a patron touches
must not be able to say that money came in."""
TOUCHES: frozenset[type[c.Command]] = frozenset({c.SetWager, c.MoveWager, c.Undo, c.Clear, c.Repeat, c.Double})
"""What a station does to its own layout, and needs nothing stamped but who does it."""
PERSONS_GIVE_THE_HOUSE = {
    str(kind.__struct_config__.tag): kind for kind, rule in HOUSE_RULES.items() if rule.who - NOT_PERSONS
}
STAMPED = frozenset({"by", "role", "at_ms", "second", "second_role"})
"""What the server writes on every command, and nobody else."""
STAMPED_BESIDES: dict[str, frozenset[str]] = {
    "buy_in": frozenset({"excluded"}),
    "nominee": frozenset({"excluded"}),
    "leave": frozenset({"ticket"}),
    "close": frozenset({"salts"}),
    "tick": frozenset({"salts"}),
    "card": frozenset({"salts"}),
    "open_table": frozenset({"build"}),
    "exclude": frozenset({"source", "decided_by"}),
}
"""What it writes on some of them besides."""


class _Cause(NamedTuple):
    clause: str
    sentence: str


class Cause(_Cause, enum.Enum):
    """Why a command from the wire gets no stamp."""

    NOT_ENROLLED = (GAME_SYSTEM, "this device is not enrolled at {table}, or has been revoked")
    UNKNOWN_COMMAND = ("", "there is no command {verb!r}")
    NOT_FROM_HERE = (GAME_SYSTEM, "a {kind} does not give {verb}")
    SIGN_ON_FIRST = ("G-118", "nobody is signed on here")
    OTHER_STATION = ("CROWN 4.9", "this is {station}, which acts for no other")
    STAMPED_HERE = ("G-118", "{field} is for the server to say")
    NOBODY_DEALS = ('CROWN 1.1 "Dealer"', "no dealer is signed on at this table, for whom the shoe could speak")
    MALFORMED = ("", "{why}")

    @property
    def code(self) -> str:
        return self.name.lower()


class Denied(Exception):
    """Raised where no stamp is given, and caught where one was asked for."""

    def __init__(self, cause: Cause, **figures: object) -> None:
        super().__init__(cause.name)
        self.refused = Refused(cause.code, cause.clause, cause.sentence.format(**figures))


class Signed(NamedTuple):
    """Whose tokens came with a command: who acts, and who approves."""

    person: str = ""
    second: str = ""


class Fresh(NamedTuple):
    """What only the outside world can give; drawn anew for each command that needs it."""

    salts: Mapping[str, str] = {}
    ticket: str = ""
    build: str = ""


class Stamped(NamedTuple):
    command: c.Command
    request: house_commands.RequestTicket | None = None
    """What the house must have accepted before the table is asked."""


def stamp(
    line: Mapping[str, Any], device: str, signed: Signed, place: Place, fresh: Fresh | None = None
) -> Stamped | Refused:
    """A frame's words as the command that the table decides, or why it never gets there."""
    try:
        return _stamped(line, device, signed, place, fresh or Fresh())
    except Denied as denied:
        return denied.refused
    except No as no:
        return Refused(no.refused.code, no.refused.clause, no.refused.text, no.refused.alarm)
    except Mistake as mistake:
        return Denied(Cause.MALFORMED, why=mistake).refused


def stamp_touch(kind: type[c.Command], fields: dict[str, Any], device: str, place: Place) -> c.Command | Refused:
    """The same for a touch on the layout, whose fields have been read strictly. Nothing is asked more often."""
    try:
        known = _enrolled(place, device)
        verb = str(kind.__struct_config__.tag)
        if verb not in GIVES[known.kind]:
            raise Denied(Cause.NOT_FROM_HERE, kind=known.kind.replace("_", " "), verb=verb)
        _as_the_station(known.station, kind, fields)
    except Denied as denied:
        return denied.refused
    return kind(by=known.station, role=Role.STATION, at_ms=place.at_ms, **fields)


def stamp_for_the_house(
    line: Mapping[str, Any], signed: Signed, house: HouseState, signed_on: Mapping[str, Role], at_ms: int
) -> house_commands.Command | Refused:
    """A person's words as the command that the house decides; `signed_on` says who works at a table now, as what."""
    try:
        verb = _verb(line, PERSONS_GIVE_THE_HOUSE)
        if not signed.person:
            raise Denied(Cause.SIGN_ON_FIRST)
        kind = PERSONS_GIVE_THE_HOUSE[verb]
        role = role_at_the_house(house, signed.person, signed_on, kind)
        second_role = role_at_the_house(house, signed.second, signed_on, kind) if signed.second else None
        stamps = {"by": signed.person, "role": role or Role.DEALER, "at_ms": at_ms}
        return _built(kind, verb, {**_own_words(line, verb), **stamps, **_approval(signed.second, second_role)})
    except Denied as denied:
        return denied.refused


def stamp_report(
    line: Mapping[str, Any], device: str, house: HouseState, at_ms: int
) -> house_commands.ReportPrinted | Refused:
    """A printer's word to the house that a ticket came out."""
    try:
        known = house.devices.get(device)
        if known is None or known.revoked:
            raise Denied(Cause.NOT_ENROLLED, table="this house")
        verb = _verb(line, {"printed"})
        if known.kind != "printer":
            raise Denied(Cause.NOT_FROM_HERE, kind=known.kind.replace("_", " "), verb=verb)
        words = {"by": known.station, "role": Role.STATION, "at_ms": at_ms, "table": known.table}
        return _built(house_commands.ReportPrinted, verb, {**_own_words(line, verb, {"table"}), **words})
    except Denied as denied:
        return denied.refused


def _stamped(line: Mapping[str, Any], device: str, signed: Signed, place: Place, fresh: Fresh) -> Stamped:
    known = _enrolled(place, device)
    verb = _verb(line, VERBS)
    if verb not in GIVES[known.kind]:
        raise Denied(Cause.NOT_FROM_HERE, kind=known.kind.replace("_", " "), verb=verb)
    fields, kind = _own_words(line, verb), VERBS[verb]
    if known.station:
        by, role = _as_the_station(known.station, kind, fields), Role.STATION
    elif known.kind == "shoe":
        by, role = _as_the_dealer(place)
    else:
        by, role = _as_a_person(place, signed, kind, fields)
        fields["second"] = signed.second
    fields |= {"by": by, "role": role, "at_ms": place.at_ms}
    request = _complete(place, fresh, verb, fields)
    return Stamped(_built(kind, verb, fields), request)


def _enrolled(place: Place, device: str) -> Device:
    known = place.house.devices.get(device)
    if known is None or known.revoked or known.table != place.table:
        raise Denied(Cause.NOT_ENROLLED, table=place.table)
    return known


def _verb(line: Mapping[str, Any], verbs: Mapping[str, object] | set[str]) -> str:
    verb = line.get("do")
    if not isinstance(verb, str) or verb not in verbs:
        raise Denied(Cause.UNKNOWN_COMMAND, verb=verb)
    return verb


def _own_words(line: Mapping[str, Any], verb: str, besides: set[str] | frozenset[str] = frozenset()) -> dict[str, Any]:
    stamped = STAMPED | STAMPED_BESIDES.get(verb, frozenset()) | besides
    for field in line:
        if field in stamped:
            raise Denied(Cause.STAMPED_HERE, field=field)
    return {field: value for field, value in line.items() if field != "do"}


def _as_the_station(own: str, kind: type[c.Command], fields: dict[str, Any]) -> str:
    if fields.get("station", own) != own:
        raise Denied(Cause.OTHER_STATION, station=own)
    if "station" in kind.__struct_fields__:
        fields["station"] = own
    return own


def _as_the_dealer(place: Place) -> tuple[str, Role]:
    """A scanning shoe types for the dealer; what it reads is as good as his own entry."""
    dealer = place.state.dealer
    if dealer is None:
        raise Denied(Cause.NOBODY_DEALS)
    role = place.state.signed_on[dealer]
    check_asking(place, dealer, role)
    return dealer, role


def _as_a_person(place: Place, signed: Signed, kind: type[c.Command], fields: Mapping[str, Any]) -> tuple[str, Role]:
    """The role is the one he is signed on in; else, of those that table and house both give him, the one that may."""
    person = signed.person
    if not person:
        raise Denied(Cause.SIGN_ON_FIRST)
    roles = [role for role in listed(place.state, person) if role in place.house.staff.get(person, ())]
    roles = roles or list(place.house.staff.get(person, ()))
    if not roles:
        check_on_staff(place.house, person, listed(place.state, person) or [Role.DEALER])
    may = RULES[kind].who
    role = place.state.signed_on.get(person) or next((one for one in roles if one in may), roles[0])
    if kind is c.SignOn:
        check_signing_on(place, person, fields.get("as_role"))
    else:
        check_asking(place, person, role)
    if signed.second:
        check_approving(place, signed.second)
    return person, role


def _complete(place: Place, fresh: Fresh, verb: str, fields: dict[str, Any]) -> house_commands.RequestTicket | None:
    """Write what the house and the outside world have to say; for a ticket, return what must be asked first."""
    besides, station = STAMPED_BESIDES.get(verb, frozenset()), str(fields.get("station"))
    if verb in ("print_failed", "manual_pay"):
        check_ticket(place, str(fields.get("ticket")))
    if "excluded" in besides:
        named = [one for one in (fields.get("patron"), fields.get("nominee")) if isinstance(one, str)]
        fields["excluded"] = is_excluded(place, station, named)
    if "salts" in besides:
        fields["salts"] = dict(fresh.salts)
    if "build" in besides:
        fields["build"] = fresh.build
    if verb == "notice":
        fields.setdefault("from_ms", place.at_ms)
    if verb == "configure":
        fields["configuration"] = wanted_configuration(place.state, fields.pop("set", None), fields)
    request = ticket_request(place, station, fresh.ticket) if "ticket" in besides else None
    if request is not None:
        fields["ticket"] = request.ticket
    return request


def _approval(second: str, role: Role | None) -> dict[str, Any]:
    return {"second": second, "second_role": role} if second else {}


def _built(kind: type[K], verb: str, fields: Mapping[str, Any]) -> K:
    try:
        return msgspec.convert({**fields, "do": verb}, kind)
    except msgspec.ValidationError as error:
        raise Denied(Cause.MALFORMED, why=f"{verb}: {told_of(error)}") from None
