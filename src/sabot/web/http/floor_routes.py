"""The HTTP operations of a floor: commands to the house, the floor's view, records and reports of a table."""

import asyncio
from collections.abc import Mapping
from typing import Annotated

import msgspec

from sabot.audit.excerpt import ExcerptFilter, ExcerptLine, check_there, excerpt, facts_of
from sabot.audit.record_story import RecordStory, tell
from sabot.audit.stats import StreamStats, stats
from sabot.audit.table_report import TableReport, TableReportReader
from sabot.basics.mistake import Mistake
from sabot.basics.role import Role, in_words
from sabot.floor.records.record_codec import table_stream
from sabot.floor.records.recovery import recover_table
from sabot.floor.stamper import Giver, stamp_for_house
from sabot.house.acts import DeskAct
from sabot.house.events import AnyHouseEvent
from sabot.house.refusal import HouseRefused
from sabot.journal.checkpoint import newest_checkpoint
from sabot.runtime.floor import RunningFloor
from sabot.runtime.shared_runner import Unreachable
from sabot.runtime.table_runner import RunningTable
from sabot.table.state import AnyTable, Unconfigured
from sabot.views.console import ConsoleView, console_view
from sabot.views.floor import FloorView, floor_view
from sabot.views.public import public_view
from sabot.views.recall import Recall
from sabot.views.scorecard import Scorecard
from sabot.web.http.operation import AnyOperation, ApiCall, BareCall, Body, Operation, Query
from sabot.web.http.refusal import WebCause, passed_on, refusal
from sabot.web.identity.identities import Identities

OVERSEERS = frozenset({Role.OPERATOR, Role.GAME_SUPERVISOR, Role.CASINO_SUPERVISOR, Role.INSPECTOR, Role.SURVEILLANCE})
"""The roles that may see all tables live, their records and their reports."""
MOST_LINES = 1_000
RECORDS_AT_ONCE = 50
"""Records of a report that are read before other tasks of the event loop run."""
_Whole = Annotated[int, msgspec.Meta(ge=0, le=2**53)]


class Done(msgspec.Struct, frozen=True):
    """The events that a command to the house caused."""

    events: tuple[AnyHouseEvent, ...]


class TableOwner(msgspec.Struct, frozen=True):
    table: str
    owner: str
    """The address that devices of the table connect to; nothing while no process owns it."""
    here: bool


class RecallQuery(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    station: str
    whole: bool = False
    """Whether coups from before the present patron are included."""


class RecordsQuery(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which records of a table are wanted; what is not given does not limit them."""

    coup: _Whole | None = None
    station: str | None = None
    from_ms: _Whole | None = None
    to_ms: _Whole | None = None
    after: _Whole = 0
    """Only records above this version."""
    limit: Annotated[int, msgspec.Meta(ge=1, le=MOST_LINES)] = 100


class ReportPeriod(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    from_ms: _Whole = 0
    to_ms: _Whole | None = None
    """The first moment after the period; without one the period lasts until now."""


class RecordTold(msgspec.Struct, frozen=True):
    """A record in words, with the postings it made and the hash it carries."""

    version: int
    epoch: int
    coup: int
    hash: str
    told: RecordStory


class FloorRoutes:
    def __init__(self, floor: RunningFloor, identities: Identities) -> None:
        self._floor, self._identities = floor, identities

    def operations(self) -> tuple[AnyOperation, ...]:
        of_a_table = (WebCause.WRONG_ROLE, WebCause.NO_SUCH_PATH)
        return (
            Operation("POST", "/api/house", "Ask something of the house.", self.ask_the_house, body=DeskAct,
                      answer=Done, staff=True,
                      refuses=(WebCause.WRONG_ROLE, WebCause.APPROVAL_OVER), asks_the_house=True),
            Operation("GET", "/api/floor", "Show all tables, staff, devices and tickets.", self.show_floor,
                      answer=FloorView, staff=True, refuses=(WebCause.WRONG_ROLE,)),
            Operation("GET", "/api/owner/{table}", "Say which process a table's devices connect to.", self.owner,
                      answer=TableOwner, refuses=(WebCause.NO_SUCH_PATH,)),
            Operation("GET", "/api/tables/{table}/live", "Show a table as its console shows it now.", self.live,
                      answer=ConsoleView, staff=True, refuses=of_a_table),
            Operation("GET", "/api/tables/{table}/recall", "Recall the last coups at a station, step by step.",
                      self.recall, answer=Recall, query=RecallQuery, staff=True, refuses=of_a_table),
            Operation("GET", "/api/tables/{table}/records", "Look records of a table up, told in words.",
                      self.records, answer=tuple[RecordTold, ...], query=RecordsQuery, staff=True,
                      dear=True, refuses=of_a_table),
            Operation("GET", "/api/tables/{table}/figures", "Add up what a table's records say.",
                      self.figures, answer=StreamStats, query=RecordsQuery, staff=True, dear=True, refuses=of_a_table),
            Operation("GET", "/api/tables/{table}/report", "Report the figures of a table over a period.",
                      self.report, answer=TableReport, query=ReportPeriod, staff=True, dear=True, refuses=of_a_table),
        )  # fmt: skip

    async def ask_the_house(self, call: ApiCall[DeskAct, None]) -> Done:
        act: DeskAct = call.body
        second = await self._identities.sessions.second(call.second, call.staff, act.verb)
        desk = self._identities.desk
        stamp = stamp_for_house(type(act), Giver(call.staff.person, second), desk.state)
        try:
            decision = await desk.ask(act, stamp)
        except Unreachable:
            raise refusal(WebCause.UNAVAILABLE) from None
        if isinstance(decision, HouseRefused):
            raise passed_on(decision)
        return Done(decision)  # type: ignore[arg-type]  # Events of the house are these kinds.

    async def show_floor(self, call: BareCall) -> FloorView:
        self._check_overseer(call)
        return floor_view(self._floor.house.state, await self._states())

    async def owner(self, call: BareCall) -> TableOwner:
        table = self._table(call)
        holder = table.holder
        if not holder:
            lease = await self._floor.backing.journal.lease(table_stream(table.name))
            holder = "" if lease is None or lease.expires_ms <= lease.renewed_ms else lease.owner
        return TableOwner(table.name, holder, table.term is not None)

    async def live(self, call: BareCall) -> ConsoleView:
        """The console's view. Of a table that another process serves, as its records give it, without connections."""
        self._check_overseer(call)
        table = self._table(call)
        shown = table.views.console()
        if shown is not None:
            return shown
        if table.term is not None:  # No view can be made of it, which is an alarm already (G-196).
            raise refusal(WebCause.UNAVAILABLE)
        state = await self._recovered(table.name)
        if isinstance(state, Unconfigured):
            raise refusal(WebCause.NO_SUCH_PATH)
        return console_view(public_view(state, Scorecard.of(state), table.table_ms))

    async def recall(self, call: ApiCall[None, RecallQuery]) -> Recall:
        self._check_overseer(call)
        wanted = call.query
        table = self._table(call)
        if table.term is None or wanted.station not in table.term.state.stations:
            raise refusal(WebCause.NO_SUCH_PATH)
        recalled = table.views.recalled(wanted.station, whole=wanted.whole)
        if recalled is None:
            raise refusal(WebCause.UNAVAILABLE)
        return recalled

    async def records(self, call: ApiCall[None, RecordsQuery]) -> tuple[RecordTold, ...]:
        told: list[RecordTold] = []
        station = call.query.station
        async for line in excerpt(self._floor.backing.journal, *await self._wanted(call)):
            told.append(_told(line, station))
            if len(told) >= call.query.limit:
                break
        return tuple(told)

    async def figures(self, call: ApiCall[None, RecordsQuery]) -> StreamStats:
        stream, wanted = await self._wanted(call)
        return await stats(self._floor.backing.journal, stream, wanted)

    async def report(self, call: ApiCall[None, ReportPeriod]) -> TableReport:
        self._check_overseer(call)
        table, backing, now_ms = self._table(call).name, self._floor.backing, self._identities.now_ms()
        period = call.query
        reader = TableReportReader(table, period.from_ms, now_ms if period.to_ms is None else period.to_ms)
        stream = table_stream(table)
        signed = await newest_checkpoint(backing.journal, stream)
        async for record in backing.journal.read(stream):
            if not reader.take(record):
                break
            if record.version % RECORDS_AT_ONCE == 0:
                await asyncio.sleep(0)
        return await asyncio.to_thread(reader.report, backing.build, now_ms, signed.head.version if signed else 0)

    async def _wanted(self, call: ApiCall[None, RecordsQuery]) -> tuple[str, ExcerptFilter]:
        self._check_overseer(call)
        asked = call.query
        wanted = ExcerptFilter(asked.coup, asked.station, asked.from_ms, asked.to_ms, asked.after)
        name = self._table(call).name
        try:
            check_there(await facts_of(self._floor.backing.journal, name), name, wanted)
        except Mistake as mistake:
            raise refusal(WebCause.MALFORMED, why=mistake) from None
        return table_stream(name), wanted

    async def _states(self) -> Mapping[str, AnyTable]:
        """The state of every table; of one that another process serves, as its records give it."""
        return {
            name: table.term.state if table.term is not None else await self._recovered(name)
            for name, table in self._floor.tables.items()
        }

    async def _recovered(self, table: str) -> AnyTable:
        backing = self._floor.backing
        return (await recover_table(backing.journal, table_stream(table), backing.build)).state

    def _table(self, call: ApiCall[Body, Query]) -> RunningTable:
        table = self._floor.tables.get(call.path["table"])
        if table is None:
            raise refusal(WebCause.NO_SUCH_PATH)
        return table

    def _check_overseer(self, call: ApiCall[Body, Query]) -> None:
        if not OVERSEERS.intersection(self._identities.sessions.roles(call.staff)):
            raise refusal(WebCause.WRONG_ROLE, needed=in_words(OVERSEERS))


def _told(line: ExcerptLine, station: str | None) -> RecordTold:
    return RecordTold(line.version, line.epoch, line.coup, line.hash, tell(line, station))
