"""Monitoring: whether a process lives and is ready, its metrics, and the outbox of significant events.

Health and readiness are public. Metrics and outbox need the monitoring token, or a service account with the scope
(G-233); where the floor's file names no token, they are answered to this machine without one.
"""

import asyncio
import hmac
import ipaddress
from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated, Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sabot.audit.outbox import MetersTold, OutboxEnd, OutboxLine, meters_of, read_cursor, told_streams
from sabot.audit.patron_days import DayClock, PatronsTold
from sabot.basics.mistake import Mistake
from sabot.floor.records.record_codec import table_stream
from sabot.house.state import ServiceScope
from sabot.runtime.floor import RunningFloor
from sabot.web.http.gauges import FORM, Gauges
from sabot.web.http.openapi import FOR_SERVICES, LINES, PlainPath
from sabot.web.http.operation import JSON, bearer, read_query, refused
from sabot.web.http.refusal import Refusal, WebCause, refusal
from sabot.web.identity.services import Services, is_service
from sabot.web.reports.asks import Mistaken, OutboxTold, ShowTable, TellOutbox
from sabot.web.reports.desk import ReportDesk

LOOK_AGAIN_S = 0.25
"""How often a waiting request looks for new records."""
UNREADY = 503
NOT_SIGNED = "nothing is signed: the floor's file says `unsigned = true`, so nobody vouches for the records"
_encode = msgspec.json.Encoder(enc_hook=str).encode
_read_meters = msgspec.json.Decoder(MetersTold).decode
_Endpoint = Callable[[Request], Awaitable[Response]]
_GuardedEndpoint = Callable[[Request, str], Awaitable[Response]]


class OutboxQuery(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    after: Annotated[str, msgspec.Meta(max_length=200_000)] = ""
    """The cursor of the previous answer; empty for the beginning."""
    limit: Annotated[int, msgspec.Meta(ge=1, le=10_000)] = 500
    wait_s: Annotated[float, msgspec.Meta(ge=0, le=60)] = 0
    """How long to wait for new records where there are none yet."""
    meters: bool = True
    """Whether the answer includes the meters of the tables that changed."""
    patrons: bool = False
    """Whether it includes the play of patrons there; a service account needs the scope `patron_cards` as well."""


class Health(msgspec.Struct, frozen=True):
    alive: bool = True


class TableReadiness(msgspec.Struct, frozen=True):
    """Whether this process serves a table, and which one does."""

    served: bool
    owner: str


class Readiness(msgspec.Struct, frozen=True):
    ready: bool
    signed: bool
    """Whether this process signs what it writes."""
    trouble: str | None
    """Why it signs nothing, in one sentence; null where all is well."""
    journal: Literal["well", "trouble", "short of room"]
    tables: Mapping[str, TableReadiness]


class Monitoring:
    def __init__(self, floor: RunningFloor, token: str, reports: ReportDesk, services: Services) -> None:
        self._floor, self._token, self._reports = floor, token.encode(), reports
        self._services, self._now_ms = services, services.now_ms
        self._gauges = Gauges(floor)

    def routes(self) -> list[Route]:
        return [
            Route("/healthz", self.health),
            Route("/readyz", self.readiness),
            Route("/metrics", self._guarded(self.metrics, ServiceScope.METERS)),
            Route("/api/outbox", self._guarded(self.outbox, ServiceScope.OUTBOX)),
        ]

    @staticmethod
    def described() -> tuple[PlainPath, ...]:
        """These paths, for the OpenAPI description."""
        monitor, refuses = ("monitor", "service"), (WebCause.SIGN_ON_FIRST, *FOR_SERVICES)
        return (
            PlainPath("/healthz", "health", "Say that the process lives.", (Health,)),
            PlainPath("/readyz", "readiness", "Say whether every table has an owner.", (Readiness,), unready=True),
            PlainPath("/metrics", "metrics", "Give the metrics that Prometheus collects.", (str,), FORM,
                      security=monitor, refuses=refuses),
            PlainPath("/api/outbox", "outbox", "Give significant events and meters after a cursor, as JSON lines.",
                      (OutboxLine, PatronsTold, MetersTold, OutboxEnd), LINES, OutboxQuery, monitor, refuses,
                      "records_lost"),
        )  # fmt: skip

    async def health(self, _: Request) -> Response:
        """Answers as long as the process lives; without an answer it should be restarted."""
        return _json(Health())

    async def readiness(self, _: Request) -> Response:
        tables = {
            name: TableReadiness(table.term is not None, table.holder) for name, table in self._floor.tables.items()
        }
        ready, signing = self._floor.is_ready, self._floor.signing
        trouble = NOT_SIGNED if signing is None else signing.trouble
        said = Readiness(ready, signing is not None, trouble, self._standing(), tables)
        return _json(said, 200 if ready else UNREADY)

    def _standing(self) -> Literal["well", "trouble", "short of room"]:
        """How the journal stands, in a word; a stranger is not told more. The log and the alarms say what is wrong."""
        journal = self._floor.backing.journal
        return "trouble" if journal.trouble else "short of room" if journal.shortage() else "well"

    async def metrics(self, _: Request, __: str) -> Response:
        return Response(self._gauges.written(), media_type=FORM)

    async def outbox(self, request: Request, service: str) -> Response:
        asked = read_query(OutboxQuery, request)
        try:
            read_cursor(asked.after)
        except Mistake as mistake:
            raise refusal(WebCause.MALFORMED, why=mistake) from None
        if service and asked.patrons:
            self._services.check_scope(service, ServiceScope.PATRON_CARDS)
        await self._wait_for_records(asked, request, service)
        lines = await self._lines(asked)
        if service:
            self._services.check_live(service)
        return Response(lines, media_type=LINES)

    async def _wait_for_records(self, asked: OutboxQuery, request: Request, service: str) -> None:
        """Wait until a record follows the cursor, at most as long as was asked for. Who was revoked meanwhile is told
        nothing any more."""
        journal, stands = self._floor.backing.journal, read_cursor(asked.after)
        deadline = asyncio.get_running_loop().time() + asked.wait_s
        while asyncio.get_running_loop().time() < deadline and not self._floor.is_leaving:
            for stream in await told_streams(journal):
                if (await journal.head(stream)).version > stands.get(stream, 0):
                    return
            if await request.is_disconnected():
                return
            await asyncio.sleep(LOOK_AGAIN_S)
            if service:
                self._services.check_live(service)

    async def _lines(self, asked: OutboxQuery) -> bytes:
        """The lines come from the process that makes reports: a monitor that catches up holds up no table."""
        house, now_ms = self._floor.house.state, self._now_ms()
        clock = (
            DayClock(house.time_zone or "UTC", house.gaming_day_starts or "00:00", now_ms) if asked.patrons else None
        )
        told = await self._reports.answer(TellOutbox(asked.after, asked.limit, clock))
        if isinstance(told, Mistaken):
            raise Refusal("records_lost", "", told.why, 409)
        if not isinstance(told, OutboxTold):
            raise refusal(WebCause.UNAVAILABLE)
        reached, meters = told.reached, list[MetersTold]()
        if asked.meters:
            before, after = read_cursor(asked.after), read_cursor(reached.cursor)
            moved = [stream for stream, version in after.items() if version > before.get(stream, 0)]
            meters = [one for stream in moved if (one := await self._meters(stream)) is not None]
        end = msgspec.structs.replace(reached, signed=self._floor.signing is not None)
        return told.lines + b"".join(_encode(line) + b"\n" for line in (*meters, end))

    async def _meters(self, stream: str) -> MetersTold | None:
        for name, table in self._floor.tables.items():
            if table_stream(name) == stream:
                if table.term is not None:
                    return meters_of(stream, table.term.head.version, table.term.state)
                return _read_meters(await self._reports.ask(ShowTable(name, "meters")))
        return None

    def _guarded(self, answer: _GuardedEndpoint, scope: ServiceScope) -> _Endpoint:
        async def answer_if_allowed(request: Request) -> Response:
            try:
                return await answer(request, self._admitted(request, scope))
            except Refusal as no:
                return refused(no)

        return answer_if_allowed

    def _admitted(self, request: Request, scope: ServiceScope) -> str:
        """The service account that asks, or nothing for a monitor with the floor's own token."""
        token, host = bearer(request), request.client.host if request.client else ""
        if is_service(token):
            return self._services.admit(token, scope, host)
        is_known = hmac.compare_digest(token.encode(), self._token) if self._token else _is_this_machine(host)
        if not is_known:
            raise refusal(WebCause.SIGN_ON_FIRST)
        return ""


def _json(value: object, status: int = 200) -> Response:
    return Response(_encode(value), status, media_type=JSON)


def _is_this_machine(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
