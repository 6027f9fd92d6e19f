"""The HTTP operations of live integrity: the lights of all tables that are not quiet, and all lights of one.

Who oversees the floor sees them. A console shows none, since the person whom a light is about may stand at it.
"""

from typing import Annotated

import msgspec

from sabot.house.state import RaisedLight
from sabot.integrity.budget import FALSE_ALARMS_A_DAY, INTERVAL_MISSES, TABLES
from sabot.integrity.light import Kind, Light, LightState
from sabot.integrity.watch import worst
from sabot.runtime.floor import RunningFloor
from sabot.web.http.floor_routes import check_overseer
from sabot.web.http.operation import AnyOperation, BareCall, Operation
from sabot.web.http.raised_lights import RaisedLights
from sabot.web.http.refusal import WebCause, refusal
from sabot.web.identity.identities import Identities
from sabot.web.reports.asks import ShowIntegrity
from sabot.web.reports.desk import ReportDesk

_read_lights = msgspec.json.Decoder(tuple[Light, ...]).decode


class SeenTo(msgspec.Struct, frozen=True):
    """The newest alarm of a light, and what a person has found about it (G-232)."""

    kind: Kind
    subject: str
    raised_ms: int
    seen_ms: int
    by: str
    found: str


class TableIntegrity(msgspec.Struct, frozen=True):
    table: str
    state: LightState
    """The worst of its lights that nobody has seen to."""
    raised: tuple[Light, ...]
    """Its lights that are not quiet and that nobody has seen to, the worst first."""
    seen_to: tuple[SeenTo, ...]
    """The newest first."""


class IntegrityShown(msgspec.Struct, frozen=True):
    tables: tuple[TableIntegrity, ...]
    false_alarms_a_day: Annotated[float, msgspec.Meta(ge=0)] = FALSE_ALARMS_A_DAY
    """How many false alarms all lights of an honest floor raise a gaming day at most."""
    of_tables: int = TABLES
    """The tables of such a floor."""


class LightsShown(msgspec.Struct, frozen=True):
    table: str
    state: LightState
    lights: tuple[Light, ...]
    """The worst first."""
    interval_misses: float = INTERVAL_MISSES
    """The fraction of honest subjects whose interval of the return ever leaves the theoretical return out."""


class IntegrityRoutes:
    def __init__(self, floor: RunningFloor, identities: Identities, reports: ReportDesk) -> None:
        self._floor, self._identities, self._reports = floor, identities, reports
        self._lights = RaisedLights(floor, reports)

    def operations(self) -> tuple[AnyOperation, ...]:
        read = (WebCause.WRONG_ROLE, WebCause.REPORTS_BUSY, WebCause.REPORT_TOO_LONG)
        return (
            Operation("GET", "/api/integrity", "Show the lights of all tables that are not quiet.", self.floor,
                      answer=IntegrityShown, staff=True, refuses=read),
            Operation("GET", "/api/tables/{table}/integrity", "Show all lights of a table's integrity.", self.table,
                      answer=LightsShown, staff=True, dear=True, refuses=(*read, WebCause.NO_SUCH_PATH)),
        )  # fmt: skip

    async def floor(self, call: BareCall) -> IntegrityShown:
        check_overseer(self._identities, call)
        found = [(name, await self._lights.of(name)) for name in self._floor.tables]
        return IntegrityShown(
            tuple(TableIntegrity(name, worst(raised), raised, self._seen_to(name)) for name, raised in found)
        )

    def _seen_to(self, table: str) -> tuple[SeenTo, ...]:
        first = f"{table}/"
        seen = [
            _seen(key.removeprefix(first), one)
            for key, one in self._floor.house.state.lights.items()
            if one.seen_by and key.startswith(first)
        ]
        return tuple(sorted(seen, key=lambda one: -one.seen_ms))

    async def table(self, call: BareCall) -> LightsShown:
        check_overseer(self._identities, call)
        name = call.path["table"]
        if name not in self._floor.tables:
            raise refusal(WebCause.NO_SUCH_PATH)
        elsewhere = self._floor.tables[name].term is None
        lights = _read_lights(await self._reports.ask(ShowIntegrity(name, elsewhere=elsewhere)))
        return LightsShown(name, worst(lights), lights)


def _seen(key: str, light: RaisedLight) -> SeenTo:
    kind = Kind(key.partition("/")[0])
    return SeenTo(kind, light.subject, light.at_ms, light.seen_ms, light.seen_by, light.found)
