"""The shelf of a table: what fell out of its state, kept by name beside its records, and read back in constant time.

Every value follows from the records up to its version, so it can be written again at will and is never waited for. An
owner puts on the shelf what fell out before it saves a snapshot. One that replays records comes to the same values. A
coup that was void has an empty value. So a coup or a control session of which there is none at all was deleted.
"""

import zlib
from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import quote

import msgspec

from sabot.journal.journal import Derived
from sabot.table.accounts.state import TableTicket, Tendered
from sabot.table.events import Event
from sabot.table.evolve import TRIMMING, evolve
from sabot.table.history.shelved import FromShelf, ShelvedCoup, ShelvedSession, write_control_session, write_coup
from sabot.table.sessions.state import KeptSession
from sabot.table.state import AnyTable, TableState, Unconfigured

SHELF = "past1/"
"""How the names of these values begin, among all that are derived from a table's records.

The number of their form is in it, so that a program with another form finds no shelf and derives its own.
"""
SHELVED_TO = f"{SHELF}to"
"""The name of an empty value whose version says up to which record everything that fell out is on the shelf."""
NEVER_SETTLED = b""
_LAST = 10**12 - 1
LAST_NAME = f"{SHELF}~"
"""Behind the names of all these values."""


class ShelvedBuyIn(msgspec.Struct, frozen=True, gc=False):
    number: int
    tendered: Tendered


def coup_name(number: int) -> str:
    return f"{SHELF}coup/{number:012}"


def session_name(control: int) -> str:
    return f"{SHELF}session/{control:012}"


def ticket_name(ticket: str) -> str:
    return f"{SHELF}ticket/{_safe(ticket)}"


def slip_name(slip: str) -> str:
    return f"{SHELF}slip/{_safe(slip)}"


def sitting_name(sitting: str) -> str:
    return f"{SHELF}sitting/{_safe(sitting)}"


def patron_name(patron: str, control: int) -> str:
    return f"{SHELF}patron/{_safe(patron)}/{control:012}"


def buy_in_name(station: str, number: int) -> str:
    return f"{SHELF}buy_in/{_safe(station)}/{number:012}"


def of_patron(patron: str) -> tuple[str, str]:
    """The first and the last name that a control session under this reference can have."""
    return patron_name(patron, 0), patron_name(patron, _LAST)


def at_station(station: str) -> tuple[str, str]:
    """The first and the last name that a buy-in at this station can have."""
    return buy_in_name(station, 0), buy_in_name(station, _LAST)


def _safe(text: str) -> str:
    return quote(text, safe="")


class Falling:
    """Applies events to a table's state and gathers what falls out of it."""

    def __init__(self, stream: str, values: dict[str, Derived] | None = None) -> None:
        self._stream = stream
        self.values: dict[str, Derived] = {} if values is None else values
        """By name; one that fell out again has replaced the earlier one."""

    def evolve(self, state: AnyTable, events: Iterable[Event], version: int) -> AnyTable:
        """The state after the events of the record of this version."""
        for event in events:
            after = evolve(state, event)
            if type(event) in TRIMMING and type(state) is not Unconfigured:
                self.note(state, after, version)
            state = after
        return state

    def note(self, before: AnyTable, after: TableState, version: int) -> None:
        for name, value in fallen(before, after):
            self.values[name] = Derived(self._stream, name, version, packed(value))


def fallen(before: AnyTable, after: TableState) -> Iterator[tuple[str, bytes]]:
    """What one of the two states holds and the later one does not, by name, in the form of the shelf."""
    if not isinstance(before, TableState):
        return
    if before.played is not after.played or before.fallen.coup != after.fallen.coup:
        yield from _fallen_coups(before, after)
    if before.sessions is not after.sessions:
        yield from _fallen_sessions(before, after)
    for ticket in before.tickets.keys() - after.tickets.keys():
        yield ticket_name(ticket), _write(before.tickets[ticket])
    for number in before.buy_ins.keys() - after.buy_ins.keys():
        one = before.buy_ins[number]
        yield buy_in_name(one.station, number), _write(ShelvedBuyIn(number, one))
    for sitting in before.kept_sessions.keys() - after.kept_sessions.keys():
        yield sitting_name(sitting), _write(before.kept_sessions[sitting])
    for slip in set(before.slips) - set(after.slips):
        yield slip_name(slip), _write(slip)


def _fallen_sessions(before: TableState, after: TableState) -> Iterator[tuple[str, bytes]]:
    for control in before.sessions.keys() - after.sessions.keys():
        session = before.sessions[control]
        value = _write(write_control_session(session, before.moved.get(control, "")))
        yield session_name(control), value
        if session.patron:
            yield patron_name(session.patron, control), value


def _fallen_coups(before: TableState, after: TableState) -> Iterator[tuple[str, bytes]]:
    still = {one.coup for one in after.played}
    settled = set()
    for one in before.played:
        settled.add(one.coup)
        if one.coup not in still:
            yield coup_name(one.coup), _write(write_coup(one))
    for number in range(before.fallen.coup + 1, after.fallen.coup + 1):
        if number not in settled and number not in still:
            yield coup_name(number), NEVER_SETTLED


def packed(value: bytes) -> bytes:
    """As it is kept: a coup of fifty stations takes a seventh of its room. Nothing compares these bytes."""
    return zlib.compress(value, 1) if value else value


def unpacked(kept: bytes) -> bytes:
    return zlib.decompress(kept) if kept else kept


def shelf_values(found: FromShelf) -> Iterator[tuple[str, bytes]]:
    """What was found, by name, as it must have been on the shelf."""
    yield from ((coup_name(one.coup), _write(one)) for one in found.coups)
    yield from ((session_name(control), _write(one)) for control, one in found.sessions.items())
    yield from ((ticket_name(ticket), _write(one)) for ticket, one in found.tickets.items())
    for number, one in found.buy_ins.items():
        yield buy_in_name(one.station, number), _write(ShelvedBuyIn(number, one))
    yield from ((sitting_name(sitting), _write(one)) for sitting, one in found.sittings.items())
    yield from ((slip_name(slip), _write(slip)) for slip in found.slips)


def shelved_names(values: Mapping[str, Derived], first: str, last: str) -> list[str]:
    return sorted(name for name in values if first <= name <= last)


_write = msgspec.json.Encoder().encode
read_coup_value = msgspec.json.Decoder(ShelvedCoup).decode
read_session_value = msgspec.json.Decoder(ShelvedSession).decode
read_ticket_value = msgspec.json.Decoder(TableTicket).decode
read_buy_in_value = msgspec.json.Decoder(ShelvedBuyIn).decode
read_sitting_value = msgspec.json.Decoder(KeptSession).decode
