"""The play of patrons as it is told to a loyalty system: its form, and by which clock days are told."""

import msgspec

from sabot.views.reports import PatronLine


class PatronsTold(msgspec.Struct, frozen=True):
    """The play of a gaming day at one table by patron, as a line of the outbox. It replaces the one before it for the
    same table and day."""

    stream: str
    day: str
    ended: bool
    """Whether the day was over when it was told."""
    from_ms: int
    to_ms: int
    patrons: tuple[PatronLine, ...]


class DayClock(msgspec.Struct, frozen=True):
    """By which gaming days are told, and when it is asked."""

    time_zone: str
    starts: str
    now_ms: int
