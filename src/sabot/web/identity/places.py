"""The places of a table that devices are enrolled for, as the table's file declares them: its stations with what serves
each, its console and its display. A device at a place is named after it."""

from collections.abc import Collection, Iterator

import msgspec

from sabot.house.devices.deciding import AT_A_STATION
from sabot.house.state import DeviceKind
from sabot.table.configuration import Configuration, DevicePart

WITH_PAGES = frozenset({DeviceKind.STATION, DeviceKind.CONSOLE, DeviceKind.DISPLAY})
"""The kinds that are a browser with a page; the others are programs with a key of their own."""


class DevicePlace(msgspec.Struct, frozen=True, kw_only=True):
    device: str
    kind: DeviceKind
    table: str
    station: str = ""
    approval: str = ""
    remote: bool = False


def places_of(configuration: Configuration, kinds: Collection[DeviceKind] = WITH_PAGES) -> Iterator[DevicePlace]:
    """Every place of a table, console and display first."""
    for kind in (
        DeviceKind.CONSOLE,
        DeviceKind.DISPLAY,
        DeviceKind.STATION,
        DeviceKind.NOTE_ACCEPTOR,
        DeviceKind.PRINTER,
    ):
        if kind in kinds:
            yield from _of_a_kind(configuration, kind)


def place_at(configuration: Configuration, kind: DeviceKind, station: str) -> DevicePlace | None:
    """The place that is meant; nothing where the table's file does not declare it."""
    named = station if kind in AT_A_STATION else ""
    return next((one for one in _of_a_kind(configuration, kind) if one.station == named), None)


def _of_a_kind(configuration: Configuration, kind: DeviceKind) -> Iterator[DevicePlace]:
    table = configuration.table
    match kind:
        case DeviceKind.CONSOLE:
            yield from _single(table, kind, configuration.console)
        case DeviceKind.DISPLAY:
            yield from _single(table, kind, configuration.display)
        case DeviceKind.STATION | DeviceKind.NOTE_ACCEPTOR | DeviceKind.PRINTER:
            for name, one in configuration.stations.items():
                if kind is DeviceKind.STATION or getattr(one, kind.value):
                    served = "" if kind is DeviceKind.STATION else f"-{kind.value}"
                    yield DevicePlace(
                        device=f"{table}-{name}{served}",
                        kind=kind,
                        table=table,
                        station=name,
                        approval=one.approval,
                        remote=one.remote,
                    )


def _single(table: str, kind: DeviceKind, part: DevicePart | None) -> Iterator[DevicePlace]:
    if part is not None:
        yield DevicePlace(device=f"{table}-{kind.value}", kind=kind, table=table, approval=part.approval)
