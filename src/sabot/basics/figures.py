"""Figures of a sentence: values that every language can say, and how English says them.

A name that ends in `_cents` is an amount, one that ends in `_ms` a time on the table's clock.
"""

from collections.abc import Mapping
from datetime import UTC, datetime

from sabot.basics.money import write_amount

Figure = str | int
LATEST_MS = 253_402_300_799_999
"""The last moment of the year 9999, beyond which no time can be said."""
DATED_MS = range(10**11, LATEST_MS + 1)
"""A time in this range counts from 1970; another from the beginning of the table's clock."""


def figures_of(values: Mapping[str, object]) -> dict[str, Figure]:
    """Numbers stay numbers; everything else is said in words."""
    return {name: value if isinstance(value, int) else str(value) for name, value in values.items()}


def in_english(sentence: str, figures: Mapping[str, Figure]) -> str:
    return sentence.format(**{name: _said(name, value) for name, value in figures.items()})


def _said(name: str, value: Figure) -> Figure:
    if isinstance(value, str):
        return value
    if name.endswith("_cents"):
        return write_amount(value)
    return write_time(value) if name.endswith("_ms") else value


def write_time(milliseconds: int) -> str:
    """A time on the table's clock as people read it, hours counting on through the night; a dated one with its day."""
    seconds, rest = divmod(milliseconds, 1000)
    if milliseconds in DATED_MS:
        return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S} UTC"
    written = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{written}.{rest:03}" if rest else written
