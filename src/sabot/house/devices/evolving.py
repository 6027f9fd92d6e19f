"""What enrolling and revoking devices change."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from sabot.house import events as e
from sabot.house.state import EnrolledDevice, HouseState


def _enrolled(state: HouseState, event: e.DeviceEnrolled) -> HouseState:
    before = state.devices.get(event.device)
    number = 1 if before is None else before.number + 1
    device = EnrolledDevice(
        *(event.kind, event.table, event.key, event.approval, event.remote),
        station=event.station,
        number=number,
        places=event.places,
    )
    return replace(state, devices=state.devices.put(event.device, device), keys=state.keys.put(event.key, event.device))


def _revoked(state: HouseState, event: e.DeviceRevoked) -> HouseState:
    device = replace(state.devices[event.device], revoked=True)
    return replace(state, devices=state.devices.put(event.device, device))


APPLY: dict[type[e.HouseEvent], Callable[[HouseState, Any], HouseState]] = {
    e.DeviceEnrolled: _enrolled,
    e.DeviceRevoked: _revoked,
}
