"""The entrance: the one door of a floor, kept by its identities and its house."""

import secrets
from collections.abc import Mapping

from sabot.basics.role import Role
from sabot.floor.authority import TOUCHES, Fresh, Signed, stamp, stamp_touch
from sabot.floor.stamping import Place
from sabot.house.commands import Command as HouseCommand
from sabot.house.refusal import Refused as HouseRefused
from sabot.house.state import HouseState
from sabot.runtime.floor import RunningFloor
from sabot.runtime.house_runner import Decision, Unreachable
from sabot.runtime.table_runner import RunningTable
from sabot.table.acts import Command
from sabot.table.refusal import Refused
from sabot.web.http.refusal import Refusal
from sabot.web.identity.identities import Identities
from sabot.web.socket.door import Known, TurnedAway
from sabot.wire.frames import Ask
from sabot.wire.spoken import TABLE_KINDS, fields_of

TICKET_DIGITS = 18
NOT_SERVED = Refused("not_served", "", "the table is not served here just now; nothing was done")
NOT_WRITTEN = Refused("not_written", "", "the house could not write it down; nothing was done")


class FloorDesk:
    """The house of a running floor, as the web asks it."""

    def __init__(self, floor: RunningFloor) -> None:
        self._floor = floor

    @property
    def state(self) -> HouseState:
        return self._floor.desk.state

    @property
    def signed_on(self) -> Mapping[str, Role]:
        served = [table.tenure.state for table in self._floor.tables.values() if table.tenure is not None]
        return {person: role for state in served for person, role in state.signed_on.items()}

    async def ask(self, command: HouseCommand) -> Decision:
        return await self._floor.desk.ask(command)


class Entrance:
    """Lets devices in by their keys, and stamps what they say with who says it."""

    def __init__(self, floor: RunningFloor, identities: Identities) -> None:
        self._running, self._identities = floor, identities
        self.floor = identities.enrolments.floor

    async def admit(self, device: str, nonce: str, signature: str) -> Known:
        try:
            known = await self._identities.enrolments.prove(device, nonce, signature)
        except Refusal as refusal:
            raise TurnedAway(refusal.text) from None
        return Known(device, known.kind, known.table, known.station)

    def stamp_touch(self, known: Known, ask: Ask, table: RunningTable) -> Command | Refused | None:
        kind, tenure = TABLE_KINDS[type(ask.command)], table.tenure
        if known.kind != "station" or kind not in TOUCHES or tenure is None:
            return None
        place = Place(table.name, tenure.state, self._running.desk.state, at_ms=0)  # Its owner says when it came in.
        return stamp_touch(kind, fields_of(ask.command), known.device, place)

    async def stamp(self, known: Known, ask: Ask, table: RunningTable) -> Command | Refused:
        kind = TABLE_KINDS[type(ask.command)]
        verb = str(kind.__struct_config__.tag)
        signed = Signed()
        if known.kind == "console":
            try:
                signed = await self._signed(known, ask, verb)
            except Refusal as refusal:
                return Refused(refusal.code, refusal.clause, refusal.text)
        tenure = table.tenure
        if tenure is None:
            return NOT_SERVED
        place = Place(table.name, tenure.state, self._running.desk.state, table.table_ms)
        fresh = Fresh(ticket=_ticket_number() if verb == "leave" else "", build=self._running.backing.build)
        stamped = stamp({"do": verb, **fields_of(ask.command)}, known.device, signed, place, fresh)
        if isinstance(stamped, Refused):
            return stamped
        if stamped.request is not None:
            refused = await self._request(stamped.request)
            if refused is not None:
                return refused
        return stamped.command

    async def _signed(self, known: Known, ask: Ask, verb: str) -> Signed:
        sessions = self._identities.sessions
        session = await sessions.at_a_console(ask.token, known.device)
        return Signed(session.person, await sessions.second(ask.second, session, verb))

    async def _request(self, request: HouseCommand) -> Refused | None:
        """Have the house keep a ticket's number before the table uses it."""
        try:
            decision = await self._running.desk.ask(request)
        except Unreachable:
            return NOT_WRITTEN
        if isinstance(decision, HouseRefused):
            return Refused(decision.code, decision.clause, decision.text, decision.alarm)
        return None


def _ticket_number() -> str:
    return f"{secrets.randbelow(10**TICKET_DIGITS):0{TICKET_DIGITS}}"
