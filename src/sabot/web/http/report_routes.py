"""The HTTP operation of reports: a table's business over a period, read from its records."""

import asyncio
from typing import Annotated

import msgspec

from sabot.audit.business import Business, Reading
from sabot.basics.role import in_words
from sabot.floor.records.record_codec import table_stream
from sabot.runtime.floor import RunningFloor
from sabot.web.http.floor_routes import OVERSEERS
from sabot.web.http.operation import Call, Operation
from sabot.web.http.refusal import Cause, refusal
from sabot.web.identity.identities import Identities

AT_ONCE = 50
"""So many records are read before the tables get their turn again."""
_Whole = Annotated[int, msgspec.Meta(ge=0, le=2**53)]


class Period(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    from_ms: _Whole = 0
    to_ms: _Whole = 2**53
    """The first moment that does not belong to it."""


class ReportRoutes:
    def __init__(self, floor: RunningFloor, identities: Identities) -> None:
        self._floor, self._identities = floor, identities

    def operations(self) -> tuple[Operation, ...]:
        return (
            Operation("GET", "/api/tables/{table}/business", "Report a table's business over a period.",
                      self.business, answer=Business, query=Period, staff=True,
                      refuses=(Cause.WRONG_ROLE, Cause.NO_SUCH_PATH)),
        )  # fmt: skip

    async def business(self, call: Call) -> Business:
        if not OVERSEERS.intersection(self._identities.sessions.roles(call.staff)):
            raise refusal(Cause.WRONG_ROLE, needed=in_words(OVERSEERS))
        name, period = call.path["table"], call.query
        if name not in self._floor.tables:
            raise refusal(Cause.NO_SUCH_PATH)
        reading = Reading(name, period.from_ms, period.to_ms)
        read = 0
        async for record in self._floor.backing.journal.read(table_stream(name)):
            if not reading.take(record):
                break
            read += 1
            if read % AT_ONCE == 0:
                await asyncio.sleep(0)
        return await asyncio.to_thread(reading.business)
