"""The curves of a gaming day as data: win, drop and turnover as they grew, hold, pace and idle seats.

`audit/curves` makes them from the kept sums of the tables. Money is in cents, shares are in percent.
"""

import msgspec


class CurvePoint(msgspec.Struct, frozen=True):
    """What the day had come to at a moment."""

    at_ms: int
    coups: int
    drop: int
    turnover: int
    win: int
    expected: float | None
    low: float | None
    high: float | None
    """The expected win by the exact odds, and the bounds within which 95 of 100 such days are; nothing without odds."""


class CurveHour(msgspec.Struct, frozen=True):
    from_ms: int
    to_ms: int
    coups: int
    coups_an_hour: float
    """Of each table that dealt in the hour, on average."""
    idle_percent: float | None
    """Of all seats in all coups, those without a wager."""


class HoldLine(msgspec.Struct, frozen=True):
    """What was held of the drop of a table, or of the turnover of a bet or of a dealer."""

    name: str
    coups: int | None
    of: int
    """The drop or the turnover."""
    win: int
    held: float | None
    expected: float | None
    low: float | None
    high: float | None


class FloorCurves(msgspec.Struct, frozen=True):
    day: str
    from_ms: int
    to_ms: int
    time_zone: str
    made_ms: int
    table: str
    """The only table that these are of; empty for all."""
    currency: str
    points: tuple[CurvePoint, ...]
    hours: tuple[CurveHour, ...]
    by_table: tuple[HoldLine, ...]
    by_bet: tuple[HoldLine, ...]
    by_dealer: tuple[HoldLine, ...]
