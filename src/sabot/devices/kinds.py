"""Kinds of devices that `sabot device run` hosts, found by entry points of the group `sabot.devices`.

A package of another party names a `DriverKind` under this group in its metadata, and is found as the shipped ones are.
"""

from collections.abc import Callable, Coroutine, Mapping
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

import msgspec

from sabot.basics.mistake import Mistake
from sabot.client.connection import Connection
from sabot.house.state import DeviceKind

GROUP = "sabot.devices"


class Fitted(msgspec.Struct, frozen=True, kw_only=True):
    """What a driver is given: its port, its way to the floor, and where it keeps what must outlast a loss of power."""

    port: str
    connection: Connection
    """Not entered yet. It follows events, and its memory is a file in the folder."""
    folder: Path
    attention: Callable[[str], None]
    """Receives one sentence for everything that needs an attendant."""
    options: Mapping[str, str] = {}


class DriverKind(msgspec.Struct, frozen=True, kw_only=True):
    enrolled_as: DeviceKind
    """What the floor enrols the device as, which decides what it may say."""
    summary: str
    port: str
    """An example of what it is connected to."""
    run: Callable[[Fitted], Coroutine[Any, Any, None]]
    """Lasts until it is cancelled. An exception ends it, and it is started again."""
    options: Mapping[str, str] = {}
    """The options that it takes, and what each means."""


def found_kinds() -> dict[str, EntryPoint]:
    """The names of all kinds; two packages with the same name are both left out of reach but the first."""
    found: dict[str, EntryPoint] = {}
    for entry in entry_points(group=GROUP):
        found.setdefault(entry.name, entry)
    return dict(sorted(found.items()))


def load_kind(name: str) -> DriverKind:
    found = found_kinds()
    if name not in found:
        raise Mistake(f"there is no driver {name}; there are {', '.join(found)}")
    try:
        kind = found[name].load()
    except Exception as error:
        raise Mistake(f"the driver {name} of {found[name].value} cannot be loaded: {error}") from None
    if not isinstance(kind, DriverKind):
        raise Mistake(f"the driver {name} of {found[name].value} is no DriverKind")
    return kind


def check_options(name: str, kind: DriverKind, options: Mapping[str, str]) -> None:
    unknown = sorted(set(options) - set(kind.options))
    if unknown:
        known = ", ".join(kind.options) or "no options"
        raise Mistake(f"{name} has no option {unknown[0]}; it has {known}")


def chosen(options: Mapping[str, str], name: str, allowed: tuple[str, ...], otherwise: str) -> str:
    value = options.get(name, otherwise)
    if value not in allowed:
        raise Mistake(f"{name} is {' or '.join(allowed)}, and not {value}")
    return value


def numbered(options: Mapping[str, str], name: str, allowed: range, otherwise: int) -> int:
    value = options.get(name, str(otherwise))
    if not value.isascii() or not value.isdigit() or int(value) not in allowed:
        raise Mistake(f"{name} is a number from {allowed[0]} to {allowed[-1]}, and not {value}")
    return int(value)
