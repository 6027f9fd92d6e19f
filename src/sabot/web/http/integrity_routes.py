"""The HTTP operations of live integrity: the lights of all tables that are not quiet, and all lights of one.

Who oversees the floor sees them. A console shows none, since the person whom a light is about may stand at it.
"""

from collections.abc import Mapping
from typing import Annotated

import msgspec

from sabot.house.state import light_key
from sabot.integrity.budget import FALSE_ALARMS_A_DAY, INTERVAL_MISSES, TABLES
from sabot.integrity.light import Light, LightState
from sabot.integrity.watch import worst
from sabot.runtime.floor import RunningFloor
from sabot.web.http.floor_routes import check_overseer
from sabot.web.http.operation import AnyOperation, BareCall, Operation
from sabot.web.http.refusal import WebCause, refusal
from sabot.web.identity.identities import Identities
from sabot.web.reports.asks import ShowIntegrity
from sabot.web.reports.desk import ReportDesk

_read_lights = msgspec.json.Decoder(tuple[Light, ...]).decode


class TableIntegrity(msgspec.Struct, frozen=True):
    table: str
    state: LightState
    """The worst of its lights."""
    raised: tuple[Light, ...]
    """Its lights that are not quiet, the worst first."""
    seen_to: Mapping[str, str]
    """Who has seen to the newest alarm of a light, by its kind and subject with a slash between them (G-232)."""


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
        found = [(name, await self._raised(name)) for name in self._floor.tables]
        return IntegrityShown(
            tuple(TableIntegrity(name, worst(raised), raised, self._seen_to(name)) for name, raised in found)
        )

    def _seen_to(self, table: str) -> dict[str, str]:
        first = light_key(table, "", "").removesuffix("/")
        seen = {key: one.seen_by for key, one in self._floor.house.state.lights.items() if one.seen_by}
        return {key.removeprefix(first): person for key, person in seen.items() if key.startswith(first)}

    async def table(self, call: BareCall) -> LightsShown:
        check_overseer(self._identities, call)
        name = call.path["table"]
        if name not in self._floor.tables:
            raise refusal(WebCause.NO_SUCH_PATH)
        lights = _read_lights(await self._reports.ask(ShowIntegrity(name)))
        return LightsShown(name, worst(lights), lights)

    async def _raised(self, name: str) -> tuple[Light, ...]:
        """Of a table that another process serves, as its records stand."""
        if self._floor.tables[name].term is not None:
            return self._reports.raised.get(name, ())
        return _read_lights(await self._reports.ask(ShowIntegrity(name, raised=True)))
