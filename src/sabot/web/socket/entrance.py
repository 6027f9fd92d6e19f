"""The entrance of a floor: lets devices in by their keys, and gets the stamp for what they say."""

import secrets
from typing import Protocol

import msgspec

from sabot.basics.stamp import Stamp, clock_stamp
from sabot.floor.shared_owner.kinds import HouseDecision
from sabot.floor.stamper import RESTS_ON_THE_HOUSE, Fresh, Giver, HouseRequest, Place, as_refused, stamp_from_device
from sabot.house.acts import HouseAct
from sabot.house.events import DeviceRevoked, HouseConfigured, HouseEvent
from sabot.house.refusal import HouseRefused
from sabot.house.state import DeviceKind, EnrolledDevice, HouseState, device_of
from sabot.house.ticket_number import DRAWN, with_check_digit
from sabot.runtime.floor import RunningFloor
from sabot.runtime.shared_runner import Unreachable
from sabot.runtime.table_runner import RunningTable
from sabot.table.acts import Act, Open
from sabot.table.refusal import Refused
from sabot.web.http.refusal import Refusal
from sabot.web.identity.identities import Identities
from sabot.web.identity.vault import Unavailable
from sabot.web.socket.marks import Marks
from sabot.wire.frames import Ask, Ready

NOT_SERVED = Refused("not_served", "", "the table is not served here just now; nothing was done")
NOT_WRITTEN = Refused("not_written", "", "the house could not write it down; nothing was done")


class Known(msgspec.Struct, frozen=True):
    """A device that has proved the key of one enrolment. What it may see and do lasts as long as that enrolment."""

    device: str
    enrolment: str
    """Under which the floor keeps anything about it (`EnrolledDevice.enrolment_of`)."""
    enrolled: EnrolledDevice
    table: str
    """The one of its tables that the connection is for."""
    station: str
    """The station that it is, or serves, at that table."""
    valid_days: int = 0
    """What a printer prints of how long tickets are good."""

    def ready(self) -> Ready:
        """What it is told when it is let in."""
        places = self.enrolled.all_places if self.enrolled.places else {}
        return Ready(
            device=self.device,
            kind=self.enrolled.kind,
            table=self.table,
            station=self.station,
            places=places,
            valid_days=self.valid_days,
        )


class Guest(Protocol):
    """A connection that has proved a key."""

    def check_enrolment(self) -> bool:
        """Whether the enrolment that was proved still holds; if not, the connection ends."""

    def check_valid_days(self, days: int) -> None:
        """A printer that knows another time of validity connects again, and is told."""

    def send_away(self, why: str) -> None: ...


class TurnedAway(Exception):
    """Why a device may not come in, in one sentence."""


class NoPlace(Exception):
    """Why a device that is known has no business at the table that it names, in one sentence."""


class NotNow(Exception):
    """Why it cannot be found out now whether a device may come in, in one sentence; the device tries again."""


class FloorDesk:
    """The house of a running floor, as the web asks it."""

    def __init__(self, floor: RunningFloor) -> None:
        self._floor = floor

    @property
    def state(self) -> HouseState:
        return self._floor.house.state

    async def ask(self, act: HouseAct, stamp: Stamp) -> HouseDecision:
        return await self._floor.house.ask(act, stamp)


class Entrance:
    def __init__(self, floor: RunningFloor, identities: Identities) -> None:
        self._running, self._identities = floor, identities
        self.floor = identities.enrolments.floor
        """The floor's name, which every proof is bound to."""
        self._fresh = Fresh(_ticket_number, floor.backing.build)
        self._guests: set[Guest] = set()
        floor.house.listen(self._house_changed)
        floor.on_house_unknown(self._send_all_away)
        self._marks: dict[tuple[str, str], Marks] = {}
        """By enrolment and table."""

    async def admit(self, device: str, nonce: str, signature: str, table: str = "") -> Known:
        """The device, if the signature proves that it holds its enrolled key; else raises `TurnedAway` or `NotNow`, and
        `NoPlace` where it is not enrolled for the table.

        The house is read first, so that no process admits what another has revoked.
        """
        try:
            await self._running.read_house()
            enrolled = await self._identities.enrolments.prove(device, nonce, signature)
        except Unreachable as unreachable:
            raise NotNow(str(unreachable)) from unreachable
        except Unavailable as unavailable:
            raise NotNow(unavailable.text) from unavailable
        except Refusal as refusal:
            raise TurnedAway(refusal.text) from None
        table = table or enrolled.table
        station = enrolled.station if table == enrolled.table else enrolled.places.get(table)
        if station is None:
            raise NoPlace(f"this device is not enrolled for table {table}")
        days = self._running.house.state.ticket_validity_days if enrolled.kind is DeviceKind.PRINTER else 0
        return Known(device, enrolled.enrolment_of(device), enrolled, table, station, days)

    def let_in(self, guest: Guest) -> None:
        """From now on the connection ends with its enrolment, whatever it has said so far."""
        self._guests.add(guest)

    def let_out(self, guest: Guest) -> None:
        self._guests.discard(guest)

    def _house_changed(self, events: tuple[HouseEvent, ...]) -> None:
        revoked = {event.device for event in events if isinstance(event, DeviceRevoked)}
        if revoked:
            self._marks = {one: marks for one, marks in self._marks.items() if device_of(one[0]) not in revoked}
            for guest in list(self._guests):
                guest.check_enrolment()
        if any(isinstance(event, HouseConfigured) for event in events):
            for guest in list(self._guests):
                guest.check_valid_days(self._running.house.state.ticket_validity_days)

    def _send_all_away(self, why: str) -> None:
        for guest in list(self._guests):
            guest.send_away(why)

    def marks_of(self, known: Known) -> Marks | None:
        """How the device counts what it is told; a console sees everything and is told the versions themselves."""
        if known.enrolled.kind is DeviceKind.CONSOLE:
            return None
        return self._marks.setdefault((known.enrolment, known.table), Marks())

    async def stamp(self, known: Known, ask: Ask, table: RunningTable) -> Stamp | Refused:
        """The stamp of an act, or why the act is not carried at all."""
        giver = None
        if known.enrolled.kind is DeviceKind.CONSOLE:
            try:
                giver = await self._giver(known, ask)
            except Refusal as refusal:
                return Refused(refusal.code, refusal.clause, refusal.text)
        director = await self._read_first(ask.act, giver, table)
        if isinstance(director, Refused):
            return director
        term = table.term
        if term is None:
            return NOT_SERVED
        place = Place(table.name, term.state, self._running.house.state, table.table_ms, director)
        admitted = stamp_from_device(ask.act, known.device, giver, place, self._fresh)
        if isinstance(admitted, Refused):
            return admitted
        if admitted.request is not None:
            refused = await self._request(admitted.request)
            if refused is not None:
                return admitted.withheld(refused)
        return admitted.granted(self._running.house.state)

    async def _read_first(self, act: Act, giver: Giver | None, table: RunningTable) -> str | Refused:
        """Read what other processes have written and this act rests on; gives the director at the table's session."""
        no_room = self._running.may_begin() if isinstance(act, Open) else None
        if no_room is not None:
            return no_room
        try:
            if type(act) in RESTS_ON_THE_HOUSE or (giver is not None and giver.second):
                await self._running.read_house()
            return await self._running.tournaments.read_director_at(table) if isinstance(act, Open) else ""
        except Unreachable:
            return NOT_WRITTEN

    async def _giver(self, known: Known, ask: Ask) -> Giver:
        sessions = self._identities.sessions
        session = await sessions.at_a_console(ask.token, known.enrolment)
        return Giver(session.person, await sessions.second(ask.second, session, ask.act.verb))

    async def _request(self, request: HouseRequest) -> Refused | None:
        """Have the house grant what a table must not take by itself: a ticket's number, a payment, a sign-on."""
        try:
            decision = await self._running.house.ask(request, clock_stamp())
        except Unreachable:
            return NOT_WRITTEN
        if isinstance(decision, HouseRefused):
            return as_refused(decision)
        return None


def _ticket_number() -> str:
    return with_check_digit(f"{secrets.randbelow(10**DRAWN):0{DRAWN}}")
