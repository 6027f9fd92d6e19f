"""Answers the live map of the floor: what changed at any table since the page asked last."""

import secrets
from collections.abc import Awaitable, Callable, Iterable, Mapping

import msgspec
from msgspec.structs import replace

from sabot.integrity.light import LightState
from sabot.integrity.watch import worst
from sabot.runtime.table_runner import RunningTable
from sabot.table.state import TableState
from sabot.views.floor_map import MapCount, MapFrame, MapLightState, MapTable, map_table
from sabot.web.http.raised_lights import RaisedLights
from sabot.web.http.refusal import Refusal

ELSEWHERE_EVERY_MS = 5_000
"""How often a table that another process serves is read from its records."""
_SHOWN: dict[LightState, MapLightState] = {
    LightState.QUIET: "quiet",
    LightState.WATCH: "watch",
    LightState.ALARM: "alarm",
}


class MapQuery(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the page has; without it everything is sent."""

    run: str = ""
    mark: int = 0


class FloorMap:
    def __init__(
        self,
        tables: Mapping[str, RunningTable],
        now_ms: Callable[[], int],
        recovered: Callable[[RunningTable], Awaitable[MapTable | None]],
        lights: RaisedLights,
    ) -> None:
        """`recovered` reads a table that another process serves from its records, without its light of integrity."""
        self._tables, self._now_ms, self._recovered, self._lights = tables, now_ms, recovered, lights
        self._run = secrets.token_hex(8)
        self._count = MapCount()
        self._seen: dict[str, tuple[TableState, MapLightState]] = {}
        """The state and the light that a table's part was made of."""
        self._read_ms: dict[str, int] = {}

    async def frame(self, asked: MapQuery) -> MapFrame:
        tables = self._tables.values()
        self._take([self._changed(table) for table in tables if table.term is not None])
        for table in tables:
            if table.term is None:
                self._take([await self._changed_elsewhere(table)])
        at_ms = max((table.table_ms for table in tables), default=self._now_ms())
        return self._count.frame(self._run, asked.mark if asked.run == self._run else 0, at_ms)

    def _take(self, shown: Iterable[MapTable | None]) -> None:
        changed = [one for one in shown if one is not None]
        if changed:
            self._count = self._count.then(changed)

    def _changed(self, table: RunningTable) -> MapTable | None:
        term, name = table.term, table.name
        assert term is not None, "the table is served here"
        state, light = term.state, _SHOWN[worst(self._lights.served(name))]
        seen = self._seen.get(name)
        if seen is not None and seen[0] is state and seen[1] == light:
            return None
        self._seen[name] = state, light
        return map_table(name, term.head.version, state, light)

    async def _changed_elsewhere(self, table: RunningTable) -> MapTable | None:
        """What it was shown last stays where its records cannot be read just now."""
        name, now_ms = table.name, self._now_ms()
        self._seen.pop(name, None)
        if now_ms < self._read_ms.get(name, 0) + ELSEWHERE_EVERY_MS:
            return None
        self._read_ms[name] = now_ms
        try:
            shown = await self._recovered(table)
            light = _SHOWN[await self._lights.worst(name)]
        except Refusal:
            return None
        if shown is not None:
            shown = replace(shown, lights=replace(shown.lights, integrity=light))
        before = self._count.entries.get(name)
        return None if before is not None and before.shown == shown else shown
