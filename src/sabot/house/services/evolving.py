"""What service accounts change."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from sabot.house import events as e
from sabot.house.changing import put
from sabot.house.state import HouseState, ServiceAccount


def _service_made(state: HouseState, event: e.ServiceMade) -> HouseState:
    made = ServiceAccount(
        *(event.scopes, event.key, event.until_ms, event.a_minute, event.purpose, event.by, event.at_ms)
    )
    return replace(state, services=put(state.services, event.service, made))


def _service_revoked(state: HouseState, event: e.ServiceRevoked) -> HouseState:
    known = replace(state.services[event.service], revoked=True)
    return replace(state, services=put(state.services, event.service, known))


def _service_used(state: HouseState, event: e.ServiceUsed) -> HouseState:
    known = replace(state.services[event.service], used_ms=event.at_ms)
    return replace(state, services=put(state.services, event.service, known))


APPLY: dict[type[e.HouseEvent], Callable[[HouseState, Any], HouseState]] = {
    e.ServiceMade: _service_made,
    e.ServiceRevoked: _service_revoked,
    e.ServiceUsed: _service_used,
}
