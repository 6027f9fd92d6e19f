"""The HTTP operations of service accounts: making, listing, and what they read (G-233)."""

import msgspec

from sabot.audit.outbox import MetersTold, meters_of
from sabot.basics.role import Role, in_words
from sabot.floor.records.record_codec import table_stream
from sabot.floor.stamper import Giver, stamp_for_house
from sabot.house.acts import MakeService
from sabot.house.state import ServiceScope
from sabot.runtime.floor import RunningFloor
from sabot.web.http.floor_routes import OVERSEERS, check_overseer
from sabot.web.http.operation import AnyOperation, ApiCall, BareCall, Operation
from sabot.web.http.refusal import WebCause, refusal
from sabot.web.identity.identities import Identities
from sabot.web.identity.services import ServiceBody, ServiceShown
from sabot.web.reports.asks import ShowTable
from sabot.web.reports.desk import ReportDesk

MAY_SEE = OVERSEERS | {Role.OPERATOR}
_read_meters = msgspec.json.Decoder(MetersTold).decode


class ServiceGiven(msgspec.Struct, frozen=True, kw_only=True):
    service: str
    token: str
    """Shown this once; a lost one is replaced by another account."""
    expires_ms: int


class MetersQuery(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    table: str = ""
    """One table alone."""


class ServiceRoutes:
    def __init__(self, floor: RunningFloor, identities: Identities, reports: ReportDesk) -> None:
        self._floor, self._identities, self._reports = floor, identities, reports

    def operations(self) -> tuple[AnyOperation, ...]:
        role = (WebCause.WRONG_ROLE,)
        return (
            Operation("GET", "/api/services", "List the service accounts.", self.list_services,
                      answer=tuple[ServiceShown, ...], staff=True, refuses=role),
            Operation("POST", "/api/services", "Make a service account, and show its token once.", self.make_service,
                      body=ServiceBody, answer=ServiceGiven, status=201, staff=True, refuses=role,
                      asks_the_house=True),
            Operation("GET", "/api/meters", "Give the meters of every table, or of one.", self.meters,
                      answer=tuple[MetersTold, ...], query=MetersQuery, staff=True, scope=ServiceScope.METERS,
                      refuses=(*role, WebCause.NO_SUCH_PATH)),
        )  # fmt: skip

    async def list_services(self, call: BareCall) -> tuple[ServiceShown, ...]:
        if not MAY_SEE.intersection(self._identities.sessions.roles(call.staff)):
            raise refusal(WebCause.WRONG_ROLE, needed=in_words(MAY_SEE))
        return self._identities.services.listed()

    async def make_service(self, call: ApiCall[ServiceBody, None]) -> ServiceGiven:
        stamp = stamp_for_house(MakeService, Giver(call.staff.person), self._identities.desk.state)
        made = await self._identities.services.make(call.body, stamp)
        return ServiceGiven(service=made.service, token=made.token, expires_ms=made.account.until_ms)

    async def meters(self, call: ApiCall[None, MetersQuery]) -> tuple[MetersTold, ...]:
        if not call.service:
            check_overseer(self._identities, call)
        asked = call.query.table
        if asked and asked not in self._floor.tables:
            raise refusal(WebCause.NO_SUCH_PATH)
        return tuple([await self._meters(name) for name in ([asked] if asked else self._floor.tables)])

    async def _meters(self, name: str) -> MetersTold:
        term = self._floor.tables[name].term
        if term is not None:
            return meters_of(table_stream(name), term.head.version, term.state)
        return _read_meters(await self._reports.ask(ShowTable(name, "meters")))
