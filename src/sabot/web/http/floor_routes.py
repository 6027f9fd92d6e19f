"""The HTTP operations of a floor: commands to the house, the floor's view, records and reports of a table."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Literal

import msgspec

from sabot.audit.event_codes import Severity
from sabot.audit.excerpt import ExcerptFilter
from sabot.audit.stats import StreamStats
from sabot.basics.role import Role, in_words
from sabot.floor.records.record_codec import table_stream
from sabot.floor.stamper import Giver, stamp_for_house
from sabot.house.acts import DeskAct, Redeem
from sabot.house.events import AnyHouseEvent
from sabot.house.refusal import HouseRefused
from sabot.house.state import ServiceScope
from sabot.house.ticket_number import is_misread
from sabot.odds.answer_form import OddsAnswer
from sabot.runtime.floor import RunningFloor
from sabot.runtime.shared_runner import Unreachable
from sabot.runtime.table_runner import RunningTable
from sabot.table.state import AnyTable
from sabot.views.console import ConsoleView
from sabot.views.curves import FloorCurves
from sabot.views.floor import FloorView, TableLine, floor_view
from sabot.views.floor_map import MapFrame, MapTable
from sabot.views.recall import Recall
from sabot.views.reports import TableReport
from sabot.web.http.floor_map import FloorMap, MapQuery
from sabot.web.http.operation import AnyOperation, ApiCall, BareCall, Body, Operation, Query
from sabot.web.http.raised_lights import RaisedLights
from sabot.web.http.refusal import WebCause, passed_on, refusal
from sabot.web.http.table_odds import TableOdds
from sabot.web.identity.identities import Identities
from sabot.web.reports.asks import AddUpFigures, DrawCurves, LookUpRecords, MakeReport, RecordTold, ReportAsk, ShowTable
from sabot.web.reports.desk import ReportDesk

OVERSEERS = frozenset({Role.OPERATOR, Role.GAME_SUPERVISOR, Role.CASINO_SUPERVISOR, Role.INSPECTOR, Role.SURVEILLANCE})
"""The roles that may see all tables live, their records and their reports."""
MOST_LINES = 1_000
NOTHING = b"null"
_read_line = msgspec.json.Decoder(TableLine | None).decode
_read_map = msgspec.json.Decoder(MapTable | None).decode
_Whole = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
_Severity = Literal["notice", "warning", "alarm"]
_Code = Annotated[int, msgspec.Meta(ge=1, le=9999)]


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
    touches: bool = True
    """Whether touches on the layout are wanted, which most records are."""
    code: _Code | None = None
    """Only records with a significant event of this code."""
    severity: _Severity | None = None
    """Only records with a significant event of this severity or a graver one."""
    limit: Annotated[int, msgspec.Meta(ge=1, le=MOST_LINES)] = 100


class HouseRecordsQuery(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which records of the house are wanted: staff, devices, tickets, slips."""

    from_ms: _Whole | None = None
    to_ms: _Whole | None = None
    after: _Whole = 0
    """Only records above this version."""
    code: _Code | None = None
    severity: _Severity | None = None
    limit: Annotated[int, msgspec.Meta(ge=1, le=MOST_LINES)] = 100


class ReportPeriod(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    from_ms: _Whole = 0
    to_ms: _Whole | None = None
    """The first moment after the period; without one the period lasts until now."""


class CurvesQuery(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    day: Annotated[str, msgspec.Meta(pattern=r"^(\d{4}-\d{2}-\d{2})?$")] = ""
    """The gaming day; the one that is going on where none is named."""
    table: str = ""
    """All tables together where none is named."""


class FloorRoutes:
    def __init__(self, floor: RunningFloor, identities: Identities, reports: ReportDesk) -> None:
        self._floor, self._identities, self._reports = floor, identities, reports
        self._odds = TableOdds()
        self._lights = RaisedLights(floor, reports)
        self._map = FloorMap(floor.tables, identities.now_ms, self._read_elsewhere, self._lights)

    def operations(self) -> tuple[AnyOperation, ...]:
        of_a_table = (WebCause.WRONG_ROLE, WebCause.NO_SUCH_PATH)
        read = (*of_a_table, WebCause.REPORTS_BUSY, WebCause.REPORT_TOO_LONG)
        missing = (WebCause.NO_SUCH_TABLE, WebCause.NO_SUCH_STATION, WebCause.NO_SUCH_COUP, WebCause.NO_SUCH_CODE)
        return (
            Operation("POST", "/api/house", "Ask something of the house.", self.ask_the_house, body=DeskAct,
                      answer=Done, staff=True, scope=ServiceScope.CAGE,
                      refuses=(WebCause.WRONG_ROLE, WebCause.APPROVAL_OVER, WebCause.MISREAD_TICKET),
                      asks_the_house=True),
            Operation("GET", "/api/floor", "Show all tables, staff, devices and tickets.", self.show_floor,
                      answer=FloorView, staff=True, refuses=(WebCause.WRONG_ROLE,)),
            Operation("GET", "/api/floor/map", "Show what changed on the map of all tables.", self.show_map,
                      answer=MapFrame, query=MapQuery, staff=True, refuses=(WebCause.WRONG_ROLE,)),
            Operation("GET", "/api/floor/curves", "Draw win, drop, turnover, hold and pace of a gaming day.",
                      self.curves, answer=FloorCurves, query=CurvesQuery, staff=True, dear=True, refuses=read),
            Operation("GET", "/api/owner/{table}", "Say which process a table's devices connect to.", self.owner,
                      answer=TableOwner, refuses=(WebCause.NO_SUCH_PATH,)),
            Operation("GET", "/api/tables/{table}/odds", "Give the exact odds of a table's bets from a fresh shoe.",
                      self.odds, answer=OddsAnswer, refuses=(WebCause.NO_SUCH_PATH,)),
            Operation("GET", "/api/tables/{table}/live", "Show a table as its console shows it now.", self.live,
                      answer=ConsoleView, staff=True, refuses=of_a_table),
            Operation("GET", "/api/tables/{table}/recall", "Recall the last coups at a station, step by step.",
                      self.recall, answer=Recall, query=RecallQuery, staff=True, refuses=of_a_table),
            Operation("GET", "/api/tables/{table}/records", "Look records of a table up, told in words.",
                      self.records, answer=tuple[RecordTold, ...], query=RecordsQuery, staff=True,
                      dear=True, refuses=(*read, *missing)),
            Operation("GET", "/api/house/records", "Look records of the house up, told in words.",
                      self.house_records, answer=tuple[RecordTold, ...], query=HouseRecordsQuery, staff=True,
                      dear=True, refuses=(*read, WebCause.NO_SUCH_CODE)),
            Operation("GET", "/api/tables/{table}/figures", "Add up what a table's records say.",
                      self.figures, answer=StreamStats, query=RecordsQuery, staff=True, dear=True,
                      refuses=(*read, *missing)),
            Operation("GET", "/api/tables/{table}/report", "Report the figures of a table over a period.",
                      self.report, answer=TableReport, query=ReportPeriod, staff=True, dear=True, refuses=read),
        )  # fmt: skip

    async def ask_the_house(self, call: ApiCall[DeskAct, None]) -> Done:
        act: DeskAct = call.body
        desk = self._identities.desk
        stamp = stamp_for_house(type(act), await self._giver(call), desk.state)
        if isinstance(act, Redeem) and stamp.role is Role.CASHIER and self._is_misread(act.ticket):
            raise refusal(WebCause.MISREAD_TICKET, ticket=act.ticket)
        try:
            decision = await desk.ask(act, stamp)
        except Unreachable:
            raise refusal(WebCause.UNAVAILABLE) from None
        if isinstance(decision, HouseRefused):
            raise passed_on(decision)
        return Done(decision)  # type: ignore[arg-type]  # Events of the house are these kinds.

    def _is_misread(self, ticket: str) -> bool:
        """Whether the check digit is wrong; tickets of earlier releases have none, and are known to the house."""
        return is_misread(ticket) and self._identities.desk.state.tickets.get(ticket) is None

    async def _giver(self, call: ApiCall[DeskAct, None]) -> Giver:
        """A service account asks as a cashier would, and nobody approves with it (G-233)."""
        if call.service:
            return Giver(call.service, role=Role.CASHIER)
        return Giver(call.staff.person, await self._identities.sessions.second(call.second, call.staff, call.body.verb))

    async def show_floor(self, call: BareCall) -> FloorView:
        check_overseer(self._identities, call)
        lights = {name: await self._lights.worst(name) for name in self._floor.tables}
        return floor_view(self._floor.house.state, await self._states(), lights)

    async def show_map(self, call: ApiCall[None, MapQuery]) -> MapFrame:
        check_overseer(self._identities, call)
        return await self._map.frame(call.query)

    async def owner(self, call: BareCall) -> TableOwner:
        table = self._table(call)
        holder = table.holder
        if not holder:
            lease = await self._floor.backing.journal.lease(table_stream(table.name))
            holder = "" if lease is None or lease.expires_ms <= lease.renewed_ms else lease.owner
        return TableOwner(table.name, holder, table.term is not None)

    async def odds(self, call: BareCall) -> OddsAnswer:
        """They tell nothing of the shoe in play: a fresh one holds the same cards for everybody."""
        term = self._table(call).term
        if term is None:
            raise refusal(WebCause.UNAVAILABLE)
        return await self._odds.of(term.state.terms)

    async def live(self, call: BareCall) -> ConsoleView | msgspec.Raw:
        """The console's view. Of a table that another process serves, as its records give it, without connections."""
        check_overseer(self._identities, call)
        table = self._table(call)
        shown = table.views.console()
        if shown is not None:
            return shown
        if table.term is not None:  # No view can be made of it, which is an alarm already (G-196).
            raise refusal(WebCause.UNAVAILABLE)
        recovered = await self._recovered(table, "console")
        if recovered == NOTHING:
            raise refusal(WebCause.NO_SUCH_PATH)
        return recovered

    async def recall(self, call: ApiCall[None, RecallQuery]) -> Recall:
        check_overseer(self._identities, call)
        wanted = call.query
        table = self._table(call)
        if table.term is None or wanted.station not in table.term.state.stations:
            raise refusal(WebCause.NO_SUCH_PATH)
        recalled = table.views.recalled(wanted.station, whole=wanted.whole)
        if recalled is None:
            raise refusal(WebCause.UNAVAILABLE)
        return recalled

    async def records(self, call: ApiCall[None, RecordsQuery]) -> msgspec.Raw:
        return await self._asked(LookUpRecords(self._read(call), _filter(call.query), call.query.limit))

    async def house_records(self, call: ApiCall[None, HouseRecordsQuery]) -> msgspec.Raw:
        check_overseer(self._identities, call)
        asked = call.query
        span = ExcerptFilter(from_ms=asked.from_ms, to_ms=asked.to_ms, after=asked.after)
        wanted = msgspec.structs.replace(span, code=asked.code, severity=_severity(asked.severity))
        return await self._asked(LookUpRecords("", wanted, asked.limit))

    async def figures(self, call: ApiCall[None, RecordsQuery]) -> msgspec.Raw:
        return await self._asked(AddUpFigures(self._read(call), _filter(call.query)))

    async def report(self, call: ApiCall[None, ReportPeriod]) -> msgspec.Raw:
        now_ms, period = self._identities.now_ms(), call.query
        to_ms = now_ms if period.to_ms is None else period.to_ms
        return await self._asked(MakeReport(self._read(call), period.from_ms, to_ms, self._floor.backing.build, now_ms))

    async def curves(self, call: ApiCall[None, CurvesQuery]) -> msgspec.Raw:
        check_overseer(self._identities, call)
        wanted, tables = call.query, self._floor.tables
        if wanted.table and wanted.table not in tables:
            raise refusal(WebCause.NO_SUCH_PATH)
        named = (wanted.table,) if wanted.table else tuple(tables)
        zone, starts = self._gaming_day(named)
        return await self._asked(
            DrawCurves(named, wanted.day, zone, starts, self._identities.now_ms(), wanted.table),
        )

    def _gaming_day(self, tables: Iterable[str]) -> tuple[str, str]:
        """The zone and the hour at which days begin, by the house; before it says so, by the tables."""
        house = self._floor.house.state
        if house.gaming_day_starts:
            return house.time_zone, house.gaming_day_starts
        served = (term.state.configuration for name in tables if (term := self._floor.tables[name].term) is not None)
        known = next(served, None)
        return (known.time_zone, known.gaming_day_starts) if known is not None else ("UTC", "00:00")

    async def _asked(self, ask: ReportAsk) -> msgspec.Raw:
        return msgspec.Raw(await self._reports.ask(ask))

    def _read(self, call: ApiCall[Body, Query]) -> str:
        """The table whose records are to be read."""
        check_overseer(self._identities, call)
        return self._table(call).name

    async def _states(self) -> Mapping[str, AnyTable | TableLine]:
        """The state of every table; of one that another process serves, the line that its records give."""
        shown: dict[str, AnyTable | TableLine] = {}
        for name, table in self._floor.tables.items():
            if table.term is not None:
                shown[name] = table.term.state
            elif (line := _read_line(await self._recovered(table, "line"))) is not None:
                shown[name] = line
        return shown

    async def _read_elsewhere(self, table: RunningTable) -> MapTable | None:
        shown: MapTable | None = _read_map(await self._recovered(table, "map"))
        return shown

    async def _recovered(self, table: RunningTable, show: Literal["line", "map", "console"]) -> msgspec.Raw:
        return await self._asked(ShowTable(table.name, show, table.table_ms))

    def _table(self, call: ApiCall[Body, Query]) -> RunningTable:
        table = self._floor.tables.get(call.path["table"])
        if table is None:
            raise refusal(WebCause.NO_SUCH_PATH)
        return table


def check_overseer(identities: Identities, call: ApiCall[Body, Query]) -> None:
    if not OVERSEERS.intersection(identities.sessions.roles(call.staff)):
        raise refusal(WebCause.WRONG_ROLE, needed=in_words(OVERSEERS))


def _filter(asked: RecordsQuery) -> ExcerptFilter:
    return ExcerptFilter(
        *(asked.coup, asked.station, asked.from_ms, asked.to_ms, asked.after, None),
        *(asked.touches, asked.code, _severity(asked.severity)),
    )


def _severity(asked: _Severity | None) -> Severity | None:
    return None if asked is None else Severity(asked)
