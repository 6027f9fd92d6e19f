"""The HTTP operations of reports over the floor: as data for pages, and as files."""

import asyncio
from typing import Annotated, TypeVar

import msgspec

from sabot.audit.gaming_days import day_of, gaming_day, in_order, shift_of
from sabot.basics.mistake import Mistake
from sabot.basics.role import in_words
from sabot.house.liability import liability
from sabot.house.state import ServiceScope
from sabot.runtime.floor import RunningFloor
from sabot.views.report_sheets import REPORTS, liability_report
from sabot.views.sheets import FloorReport, ReportHead
from sabot.web.http.floor_routes import OVERSEERS
from sabot.web.http.operation import AnyOperation, ApiCall, BareCall, Operation, Query
from sabot.web.http.refusal import WebCause, refusal
from sabot.web.identity.identities import Identities
from sabot.web.reports.asks import FileForm, MakeFloorReport, PatronsShown, ShowPatrons
from sabot.web.reports.desk import ReportDesk
from sabot.web.reports.files import MEDIA, file_of, name_of
from sabot.web.reports.floor_reports import shifts_of
from sabot.web.reports.report_words import ReportWords
from sabot.web.serving.floor_file import FloorFile

LIABILITY = "liability"
"""The one report of the house itself."""
_Whole = Annotated[int, msgspec.Meta(ge=0, le=2**53)]


class ReportChoices(msgspec.Struct, frozen=True):
    """What a report can be asked for by."""

    casino: str
    time_zone: str
    day: str
    """The gaming day that it is now."""
    shifts: tuple[str, ...]
    """When each begins, in the order of the gaming day; none where the house has named none."""
    reports: tuple[str, ...]


class ReportQuery(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A gaming day, a shift of it, or the time between two moments."""

    day: str = ""
    shift: str = ""
    """When the shift of the day begins: 14:00."""
    from_ms: _Whole = 0
    to_ms: _Whole | None = None
    """The first moment after the period; without one the period lasts until now."""
    table: str = ""
    """One table alone."""


class PatronsQuery(ReportQuery, frozen=True, kw_only=True, forbid_unknown_fields=True):
    after: str = ""
    """The reference that the page before ended with."""
    limit: Annotated[int, msgspec.Meta(ge=1, le=1_000)] = 200


class FileQuery(ReportQuery, frozen=True, kw_only=True, forbid_unknown_fields=True):
    form: FileForm
    language: str = "en"
    """Of the heads and words, as the pages name it."""


_Asked = TypeVar("_Asked", bound=ReportQuery)


class ReportFile(msgspec.Struct, frozen=True):
    name: str
    media_type: str
    content: bytes
    """In base 64."""


class ReportRoutes:
    def __init__(self, floor: RunningFloor, identities: Identities, reports: ReportDesk, file: FloorFile) -> None:
        self._floor, self._identities, self._reports, self._file = floor, identities, reports, file

    def operations(self) -> tuple[AnyOperation, ...]:
        read = (WebCause.WRONG_ROLE, WebCause.NO_SUCH_PATH, WebCause.REPORTS_BUSY, WebCause.REPORT_TOO_LONG)
        return (
            Operation("GET", "/api/reports", "Say by what reports can be asked for.", self.report_choices,
                      answer=ReportChoices, staff=True, refuses=(WebCause.WRONG_ROLE,)),
            Operation("GET", "/api/reports/{report}", "Report over all tables or one.", self.floor_report,
                      answer=FloorReport, query=ReportQuery, staff=True, dear=True, refuses=read),
            Operation("GET", "/api/reports/{report}/file", "Give a report as a CSV or XLSX file.", self.report_file,
                      answer=ReportFile, query=FileQuery, staff=True, dear=True, refuses=read),
            Operation("GET", "/api/patrons", "Show how patrons who gave a reference have played.", self.patrons,
                      answer=PatronsShown, query=PatronsQuery, staff=True, scope=ServiceScope.PATRON_CARDS, dear=True,
                      refuses=read),
        )  # fmt: skip

    async def patrons(self, call: ApiCall[None, PatronsQuery]) -> msgspec.Raw:
        """Turnover, theoretical win and time; totals of the period, so that asking again replaces what was read."""
        if not call.service:
            self._check_overseer(call)
        (from_ms, to_ms), asked = self._period(call.query), call.query
        ask = ShowPatrons(self._tables(asked), from_ms, to_ms, asked.after, asked.limit)
        return msgspec.Raw(await self._reports.ask(ask))

    async def report_choices(self, call: BareCall) -> ReportChoices:
        self._check_overseer(call)
        zone, starts = self._clock()
        day = day_of(self._identities.now_ms(), zone, starts)
        shifts = tuple(in_order(self._file.shifts, starts))
        return ReportChoices(self._file.casino, zone, day, shifts, (*REPORTS, LIABILITY))

    async def floor_report(self, call: ApiCall[None, ReportQuery]) -> FloorReport | msgspec.Raw:
        code, head = self._asked(call), self._head(call)
        if code == LIABILITY:
            return liability_report(head, liability(self._floor.house.state))
        ask = MakeFloorReport(code, self._tables(call.query), head, shifts=self._shifts(code, head))
        return msgspec.Raw(await self._reports.ask(ask))

    async def report_file(self, call: ApiCall[None, FileQuery]) -> ReportFile:
        code, head, form = self._asked(call), self._head(call), call.query.form
        try:
            words = ReportWords(call.query.language)
        except Mistake as mistake:
            raise refusal(WebCause.MALFORMED, why=mistake) from None
        if code == LIABILITY:
            made = liability_report(head, liability(self._floor.house.state))
            written = await asyncio.to_thread(file_of, made, form, words)
        else:
            shifts = self._shifts(code, head)
            ask = MakeFloorReport(code, self._tables(call.query), head, form, call.query.language, shifts)
            written = await self._reports.ask(ask)
        return ReportFile(name_of(code, head, form), MEDIA[form], written)

    def _asked(self, call: ApiCall[None, _Asked]) -> str:
        self._check_overseer(call)
        code = call.path["report"]
        if code != LIABILITY and code not in REPORTS:
            raise refusal(WebCause.NO_SUCH_PATH)
        return code

    def _head(self, call: ApiCall[None, _Asked]) -> ReportHead:
        from_ms, to_ms = self._period(call.query)
        return ReportHead(
            casino=self._file.casino,
            program=self._floor.backing.build,
            from_ms=from_ms,
            to_ms=to_ms,
            time_zone=self._clock()[0],
            made_ms=self._identities.now_ms(),
            by=call.staff.person,
        )

    def _period(self, asked: ReportQuery) -> tuple[int, int]:
        zone, starts = self._clock()
        try:
            if asked.shift:
                return shift_of(asked.day, asked.shift, self._file.shifts, zone, starts)
            if asked.day:
                return gaming_day(asked.day, zone, starts)
        except Mistake as mistake:
            raise refusal(WebCause.MALFORMED, why=mistake) from None
        to_ms = self._identities.now_ms() if asked.to_ms is None else asked.to_ms
        if to_ms < asked.from_ms:
            raise refusal(WebCause.MALFORMED, why="the period ends before it begins")
        return asked.from_ms, to_ms

    def _shifts(self, code: str, head: ReportHead) -> tuple[tuple[int, int], ...]:
        try:
            return shifts_of(code, head, self._file.shifts, self._clock()[1])
        except Mistake as mistake:
            raise refusal(WebCause.MALFORMED, why=mistake) from None

    def _clock(self) -> tuple[str, str]:
        """The house's zone and the hour of its gaming day; before it is set up, those of UTC."""
        house = self._floor.house.state
        return house.time_zone or "UTC", house.gaming_day_starts or "00:00"

    def _tables(self, asked: ReportQuery) -> tuple[str, ...]:
        if not asked.table:
            return tuple(self._floor.tables)
        if asked.table not in self._floor.tables:
            raise refusal(WebCause.NO_SUCH_PATH)
        return (asked.table,)

    def _check_overseer(self, call: ApiCall[None, Query]) -> None:
        if not OVERSEERS.intersection(self._identities.sessions.roles(call.staff)):
            raise refusal(WebCause.WRONG_ROLE, needed=in_words(OVERSEERS))
