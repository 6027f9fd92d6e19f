"""Shipped conditions with changes: `entry.fee_cents = 0`, `delete prizes`, several joined by a semicolon."""

import json
import re
from typing import Any

from sabot.tournament.conditions.fixtures import fixture_raw

Place = tuple[str | int, ...]


def changed(file: str, changes: str) -> dict[str, Any]:
    raw: dict[str, Any] = fixture_raw(file)
    for change in changes.split("; "):
        path, equals, value = change.partition(" = ")
        place = place_of(path.removeprefix("delete "))
        holder = at(raw, place[:-1])
        if equals:
            holder[place[-1]] = json.loads(value)
        else:
            assert change.startswith("delete "), change
            del holder[place[-1]]
    return raw


def place_of(path: str) -> Place:
    """`rounds[2].seats` as its steps."""
    steps = re.findall(r'"([^"]+)"|\[([0-9]+)\]|([^.\[\]"]+)', path)
    return tuple(int(number) if number else quoted or plain for quoted, number, plain in steps)


def path_of(place: Place) -> str:
    written = ""
    for step in place:
        if isinstance(step, int):
            written += f"[{step}]"
        else:
            word = step if re.fullmatch(r"[A-Za-z0-9_-]+", step) else f'"{step}"'
            written += f".{word}" if written else word
    return written


def at(raw: Any, place: Place) -> Any:
    for step in place:
        raw = raw[step]
    return raw
