"""Service accounts: programs of others that read figures or pay tickets."""

from sabot.house.event import HouseEvent
from sabot.house.state import ServiceScope


class ServiceMade(HouseEvent, frozen=True, kw_only=True):
    service: str
    scopes: tuple[ServiceScope, ...]
    key: str
    until_ms: int
    a_minute: int
    purpose: str
    by: str
    at_ms: int
    clause: str


class ServiceRevoked(HouseEvent, frozen=True, kw_only=True):
    service: str
    reason: str
    by: str
    at_ms: int
    clause: str


class ServiceUsed(HouseEvent, frozen=True, kw_only=True):
    """The account is in use; it is put on record once an hour at most."""

    service: str
    at_ms: int
    clause: str


ServiceEvent = ServiceMade | ServiceRevoked | ServiceUsed
