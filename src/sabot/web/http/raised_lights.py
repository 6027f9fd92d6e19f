"""The lights of integrity that are up: not quiet, and not seen to (G-232)."""

import msgspec

from sabot.house.state import light_key
from sabot.integrity.light import Light, LightState
from sabot.integrity.watch import worst
from sabot.runtime.floor import RunningFloor
from sabot.web.reports.asks import ShowIntegrity
from sabot.web.reports.desk import ReportDesk

_read_lights = msgspec.json.Decoder(tuple[Light, ...]).decode


class RaisedLights:
    def __init__(self, floor: RunningFloor, reports: ReportDesk) -> None:
        self._floor, self._reports = floor, reports

    def served(self, table: str) -> tuple[Light, ...]:
        """Of a table that this process serves, as the watch stood last."""
        return self._not_seen_to(self._reports.raised.get(table, ()))

    async def of(self, table: str) -> tuple[Light, ...]:
        """Of a table that another process serves, as its records stand."""
        if self._floor.tables[table].term is not None:
            return self.served(table)
        told = await self._reports.ask(ShowIntegrity(table, raised=True, elsewhere=True))
        return self._not_seen_to(_read_lights(told))

    async def worst(self, table: str) -> LightState:
        return worst(await self.of(table))

    def _not_seen_to(self, lights: tuple[Light, ...]) -> tuple[Light, ...]:
        """An alarm that a person has seen to is out until it is raised again; the house then drops that it was seen
        to."""
        known = self._floor.house.state.lights
        seen_to = {key for key, one in known.items() if one.seen_by}
        if not seen_to:
            return lights
        return tuple(
            one
            for one in lights
            if one.state is not LightState.ALARM or light_key(one.table, one.kind, one.subject) not in seen_to
        )
