"""Messages on screens: a code with its values, and one English sentence.

Screens hold a catalogue for each language, keyed by the code; the English sentence is for programs without one, and for
the record. Values whose names end in `_cents` are whole cents, those in `_ms` are times of the table's clock.
"""

import datetime as dt
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from sabot.basics.figures import LATEST_MS, Figure
from sabot.basics.money import write_amount
from sabot.views.words import WORDS

MOST_SHOWN = 200
"""Characters of a text that a person wrote, on a screen."""


class ScreenMessage(msgspec.Struct, frozen=True):
    code: str
    text: str
    clause: str = ""
    values: dict[str, Figure] = {}


class TimedMessage(msgspec.Struct, frozen=True):
    """A message that is shown from one moment to another."""

    from_ms: int
    until_ms: int | None
    message: ScreenMessage


def say(code: str, clause: str = "", zone: str = "UTC", **values: Figure) -> ScreenMessage:
    """The message of this code with these figures; times are told in the table's own zone."""
    values = {name: cut(value) if isinstance(value, str) else value for name, value in values.items()}
    shown = {name: _shown(name, value, zone) for name, value in values.items()}
    return ScreenMessage(code, WORDS[code].format(**shown), clause, values)


def cut(text: str) -> str:
    """A text as far as a screen shows it; the whole stands in the records."""
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 1]}…"


def _shown(name: str, value: Figure, zone: str) -> Figure:
    if isinstance(value, str):
        return value
    if name.endswith("_cents"):
        return write_amount(value)
    return time_of_day(value, zone) if name.endswith("_ms") else value


def time_of_day(at_ms: int, zone: str) -> str:
    if not 0 <= at_ms <= _LAST_SAID_MS:
        return "--:--"
    return dt.datetime.fromtimestamp(at_ms // 1000, _zone(zone)).strftime("%H:%M")


_LAST_SAID_MS = LATEST_MS - 86_400_000
"""In every zone it is still the year 9999 then."""


@lru_cache(maxsize=64)
def _zone(name: str) -> dt.tzinfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return dt.UTC
