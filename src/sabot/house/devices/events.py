"""Devices of the floor, each enrolled under a key of its own."""

from sabot.house.event import HouseEvent
from sabot.house.state import DeviceKind


class DeviceEnrolled(HouseEvent, frozen=True, kw_only=True):
    device: str
    kind: DeviceKind
    table: str
    key: str
    approval: str
    remote: bool
    station: str = ""
    """The station that it is, or serves; consoles, displays and shoes belong to none."""
    places: dict[str, str] = {}
    """The stations that it is at further tables, by table."""
    by: str
    second: str
    at_ms: int
    clause: str


class DeviceRevoked(HouseEvent, frozen=True, kw_only=True):
    device: str
    reason: str
    by: str
    at_ms: int
    clause: str


FloorDeviceEvent = DeviceEnrolled | DeviceRevoked
