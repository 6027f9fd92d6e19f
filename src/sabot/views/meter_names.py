"""Meters by the names that standards for gaming equipment use: `meter_names.tsv`.

A row names a meter of `ledger/meters.py`, or a kind of money within one. The credit that a station must show follows
from them by the equation of the self-audit.
"""

from functools import cache
from typing import Literal

import msgspec

from sabot.basics.shipped_file import shipped_file
from sabot.ledger.meters import Meters

OTHER_IN, OTHER_OUT, CREDIT, GAMES = "other_in", "other_out", "credit", "games_played"


class MeterName(msgspec.Struct, frozen=True):
    name: str
    title: str
    meter: str
    """The field of `Meters`, and after a point the kind of money in it."""
    sign: int
    """1 where it adds to the credit of a station, -1 where it takes from it, 0 where it does neither."""
    also: str
    """What other standards call it."""


METERED_PLAY: tuple[tuple[str, Literal["money", "count"]], ...] = (
    *((GAMES, "count"), ("turnover", "money"), ("total_wins", "money"), ("commission", "money")),
    *(("adjustments", "money"), ("transfers", "money"), (CREDIT, "money")),
)
METERED_MONEY: tuple[tuple[str, Literal["money", "count"]], ...] = (
    *(("cash_in", "money"), ("notes_in", "money"), ("tickets_in", "money"), ("vouchers_in", "money")),
    *(("tokens_in", "money"), ("chips_in", "money"), (OTHER_IN, "money")),
    *(("chips_out", "money"), ("tickets_out", "money"), ("cancelled_credit", "money"), (OTHER_OUT, "money")),
)
"""The columns of the two sheets of a report by meters; together all names."""


@cache
def meter_names() -> tuple[MeterName, ...]:
    head, *lines = shipped_file(__package__, "meter_names.tsv").decode().splitlines()
    rows = (dict(zip(head.split("\t"), line.split("\t"), strict=True)) for line in lines)
    return tuple(msgspec.convert(row, MeterName, strict=False) for row in rows)


def by_standard(meters: Meters) -> dict[str, int]:
    """In cents, but for the games; all that is known, zero or not, so that a reader need not guess."""
    found = {one.name: _read(meters, one.meter) for one in meter_names() if one.meter}
    named = {one.meter for one in meter_names()}
    found[OTHER_IN] = sum(cents for kind, cents in meters.came_in.items() if f"came_in.{kind}" not in named)
    found[OTHER_OUT] = sum(cents for kind, cents in meters.paid.items() if f"paid.{kind}" not in named)
    found[CREDIT] = meters.left()
    return found


def _read(meters: Meters, meter: str) -> int:
    field, _, kind = meter.partition(".")
    value = getattr(meters, field)
    return int(value.get(kind, 0) if kind else value)
