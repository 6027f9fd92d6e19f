"""What alarms of integrity change."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from sabot.house import events as e
from sabot.house.changing import put
from sabot.house.state import HouseState, RaisedLight, light_key


def _light_raised(state: HouseState, event: e.LightRaised) -> HouseState:
    key = light_key(event.table, event.kind, event.subject)
    return replace(state, lights=put(state.lights, key, RaisedLight(event.subject, event.until_ms, event.at_ms)))


def _light_seen_to(state: HouseState, event: e.LightSeenTo) -> HouseState:
    key = light_key(event.table, event.kind, event.subject)
    seen = replace(state.lights[key], seen_by=event.by, found=event.reason, seen_ms=event.at_ms)
    return replace(state, lights=put(state.lights, key, seen))


APPLY: dict[type[e.HouseEvent], Callable[[HouseState, Any], HouseState]] = {
    e.LightRaised: _light_raised,
    e.LightSeenTo: _light_seen_to,
}
