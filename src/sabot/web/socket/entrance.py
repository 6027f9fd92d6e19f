"""The entrance of a floor: lets devices in by their keys, and gets the stamp for what they say."""

import secrets

import msgspec

from sabot.basics.stamp import Stamp, clock_stamp
from sabot.floor.shared_owner.kinds import HouseDecision
from sabot.floor.stamper import RESTS_ON_THE_HOUSE, Fresh, Giver, HouseRequest, Place, as_refused, stamp_from_device
from sabot.house.acts import HouseAct
from sabot.house.refusal import HouseRefused
from sabot.house.state import DeviceKind, HouseState
from sabot.runtime.floor import RunningFloor
from sabot.runtime.shared_runner import Unreachable
from sabot.runtime.table_runner import RunningTable
from sabot.table.acts import Act, Open
from sabot.table.refusal import Refused
from sabot.web.http.refusal import Refusal
from sabot.web.identity.identities import Identities
from sabot.wire.frames import Ask

TICKET_DIGITS = 18
NOT_SERVED = Refused("not_served", "", "the table is not served here just now; nothing was done")
NOT_WRITTEN = Refused("not_written", "", "the house could not write it down; nothing was done")


class Known(msgspec.Struct, frozen=True):
    """A device that has proved its key."""

    device: str
    kind: DeviceKind
    table: str
    station: str = ""
    """The station that it is, or belongs to."""


class TurnedAway(Exception):
    """Why a device may not come in, in one sentence."""


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

    async def admit(self, device: str, nonce: str, signature: str) -> Known:
        """The device, if the signature proves that it holds its enrolled key; else raises `TurnedAway`."""
        try:
            known = await self._identities.enrolments.prove(device, nonce, signature)
        except Refusal as refusal:
            raise TurnedAway(refusal.text) from None
        return Known(device, known.kind, known.table, known.station)

    async def stamp(self, known: Known, ask: Ask, table: RunningTable) -> Stamp | Refused:
        """The stamp of an act, or why the act is not carried at all."""
        giver = None
        if known.kind is DeviceKind.CONSOLE:
            try:
                giver = await self._giver(known, ask)
            except Refusal as refusal:
                return Refused(refusal.code, refusal.clause, refusal.text)
        try:
            director = await self._read_first(ask.act, giver, table)
        except Unreachable:
            return NOT_WRITTEN
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
                return refused
        return admitted.granted(self._running.house.state)

    async def _read_first(self, act: Act, giver: Giver | None, table: RunningTable) -> str:
        """Read what other processes have written and this act rests on; gives the director at the table's session."""
        if type(act) in RESTS_ON_THE_HOUSE or (giver is not None and giver.second):
            await self._running.read_house()
        return await self._running.tournaments.read_director_at(table) if isinstance(act, Open) else ""

    async def _giver(self, known: Known, ask: Ask) -> Giver:
        sessions = self._identities.sessions
        session = await sessions.at_a_console(ask.token, known.device)
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
    return f"{secrets.randbelow(10**TICKET_DIGITS):0{TICKET_DIGITS}}"
