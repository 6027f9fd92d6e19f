"""What the house has to say about a command to a table, before the table decides it.

Whoever carries a command, a line of a conversation or a frame of a socket, asks here. The house knows who works here at
all, whom it keeps out and which tickets the cage still pays; the table knows none of it and believes the stamp.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from sabot.basics.role import Role
from sabot.house import commands as c
from sabot.house.decide import RULES
from sabot.house.exclusions import exclusion_of
from sabot.house.staff import check_not_locked_out, check_on_staff, role_for
from sabot.house.state import HouseState
from sabot.house.tickets import check_by_hand, check_outstanding
from sabot.table.accounts.deciding import pays_by_ticket
from sabot.table.role import GAME_SUPERVISOR_OR_ABOVE
from sabot.table.state import TableState


class Place(NamedTuple):
    """Where and when a command arrives: a table, what is true of it, and the house that it belongs to."""

    table: str
    state: TableState
    house: HouseState
    at_ms: int


def listed(state: TableState, person: str) -> tuple[Role, ...]:
    """The roles that the table's own list gives a person."""
    return state.configuration.staff.get(person, ()) if state.configuration else ()


def check_asking(place: Place, person: str, role: object) -> None:
    """The house has its say about who asks, in the role he asks in."""
    check_on_staff(place.house, person, [one for one in listed(place.state, person) if one == role])


def check_signing_on(place: Place, person: str, role: object) -> None:
    """Whoever signs on asks for the role he will have, whatever the one is that he comes in."""
    check_not_locked_out(place.house, person)
    check_asking(place, person, role or next(iter(listed(place.state, person)), None))


def check_approving(place: Place, person: str) -> None:
    """Who approves does it as a supervisor."""
    check_not_locked_out(place.house, person)
    supervises = [role for role in listed(place.state, person) if role in GAME_SUPERVISOR_OR_ABOVE]
    check_on_staff(place.house, person, supervises)


def check_ticket(place: Place, ticket: str) -> None:
    """The table knows whether a fault is on record; the house, whether the cage has paid or still could."""
    known = place.state.tickets.get(ticket)
    if known is not None and known.status == "print_failed":
        check_by_hand(place.house, ticket)
    elif known is not None and known.status == "issued":
        check_outstanding(place.house, ticket)


def is_excluded(place: Place, station: str, named: Iterable[str]) -> bool:
    """Whether the house keeps out one of those named, or whoever is in control of the station."""
    known = place.state.stations.get(station)
    patrons = (*named, known.patron if known and known.is_open else "")
    return any(exclusion_of(place.house, patron, place.at_ms) is not None for patron in patrons)


def ticket_request(place: Place, station: str, number: str) -> c.RequestTicket | None:
    """What keeps a number with the house before a station uses it; nothing where the station pays no tickets."""
    if station not in place.state.stations or not pays_by_ticket(place.state, station):
        return None
    return c.RequestTicket(
        by="clock", role=Role.CLOCK, at_ms=place.at_ms, ticket=number, table=place.table, station=station
    )


def role_at_the_house(
    house: HouseState, person: str, signed_on: Mapping[str, Role], kind: type[c.Command]
) -> Role | None:
    """The role in which a person asks the house: the one he is signed on in at a table, if he is (G-99)."""
    rule = RULES[kind]
    return signed_on.get(person) or role_for(house, person, rule.who | rule.second)
