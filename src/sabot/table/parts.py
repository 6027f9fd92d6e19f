"""What the evolving functions share."""

from collections.abc import Mapping
from typing import TypeVar

from msgspec.structs import replace

from sabot.ledger.audit import NO_METERS
from sabot.ledger.meters import Meters
from sabot.table.state import TableState

V = TypeVar("V")


def put(mapping: Mapping[str, V], key: str, value: V) -> Mapping[str, V]:
    return {**mapping, key: value}


def on_station(state: TableState, name: str, **changes: object) -> TableState:
    return replace(state, stations=put(state.stations, name, replace(state.stations[name], **changes)))


def meters_of(state: TableState, station: str) -> Meters:
    return state.meters.get(station, NO_METERS)
