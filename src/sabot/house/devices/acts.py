"""Devices of the floor, each enrolled under a key of its own."""

from typing import Annotated

import msgspec

from sabot.basics.act import Act, Reference
from sabot.basics.bounds import NameSaid, TextSaid
from sabot.house.state import DeviceKind

MOST_TABLES = 8
"""Of one station: each has a connection of its own, and a patron has to keep an eye on all of them."""
FurtherPlaces = Annotated[dict[NameSaid, Reference], msgspec.Meta(max_length=MOST_TABLES - 1)]


class Enrol(Act, frozen=True, kw_only=True):
    """Admit a device to the floor under a key that only it holds."""

    device: Reference
    kind: DeviceKind
    table: NameSaid
    key: NameSaid
    """The SHA-256 of its public key, in hexadecimal."""
    approval: NameSaid = ""
    remote: bool = False
    station: Reference | None = None
    """The station that it is, or serves; one that is not told bears its station's name."""
    places: FurtherPlaces = {}
    """The stations that it is at further tables, by table."""


class Revoke(Act, frozen=True, kw_only=True):
    device: NameSaid
    reason: TextSaid


FloorDeviceAct = Enrol | Revoke
