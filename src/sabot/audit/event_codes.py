"""The codes of significant events, for monitors that know events by number: `event_codes.tsv`.

A code is never given to another event. Its hundreds are the heading. `kind` is what standards for monitoring call such
an event, as far as they name it.
"""

import enum
from functools import cache

import msgspec

from sabot.basics.shipped_file import shipped_file


class Severity(enum.StrEnum):
    NOTICE = "notice"
    """For the record."""
    WARNING = "warning"
    """Somebody should look at it within the shift."""
    ALARM = "alarm"
    """Somebody should look at it now."""


class EventCode(msgspec.Struct, frozen=True):
    code: int
    event: str
    severity: Severity
    kind: str
    name: str


class EventMark(msgspec.Struct, frozen=True):
    """How an event of a record is marked for a monitor: by code and severity, or by 0 and nothing where it is play."""

    code: int
    severity: Severity | None


NO_CODE = EventCode(0, "", Severity.NOTICE, "", "")
"""For an event of a record that this list does not name."""


@cache
def event_codes() -> dict[str, EventCode]:
    """By the name of the event."""
    head, *lines = shipped_file(__package__, "event_codes.tsv").decode().splitlines()
    rows = (dict(zip(head.split("\t"), line.split("\t"), strict=True)) for line in lines)
    return {row["event"]: msgspec.convert(row, EventCode, strict=False) for row in rows}


def code_of(event: object) -> EventCode:
    """The code of an event by its tag, which is the name of its class unless the class says otherwise."""
    tag = getattr(type(event), "__struct_config__", None)
    return event_codes().get(str(tag.tag) if tag is not None and tag.tag else type(event).__name__, NO_CODE)


def mark_of(code: EventCode) -> EventMark:
    return EventMark(code.code, code.severity if code.code else None)


def is_as_grave(one: EventMark, least: Severity) -> bool:
    """Whether it is significant, and of this severity or a graver one."""
    order = tuple(Severity)
    return one.severity is not None and order.index(one.severity) >= order.index(least)


def gravest(codes: tuple[EventCode, ...]) -> Severity:
    order = tuple(Severity)
    return max((one.severity for one in codes), key=order.index, default=Severity.NOTICE)
