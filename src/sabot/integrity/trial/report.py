"""What the trial of the lights comes to: how often an honest floor raises a false alarm, how soon cheats are found."""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import ceil, exp, lgamma, log
from typing import Final

import msgspec

from sabot.integrity.budget import TABLES
from sabot.integrity.light import Kind
from sabot.integrity.trial.trial import FalseAlarm, FoundCheat, HonestTable

_UNSURE: Final = 0.05
"""The interval leaves the true rate out in so many cases at most."""
_BISECTIONS: Final = 60


class HonestFloor(msgspec.Struct, frozen=True):
    nights: int
    coups: int
    floor_days: int
    """Each has the same night of 40 tables."""
    with_alarm: int
    rate: float
    rate_at_least: float
    rate_at_most: float
    """The exact interval of Clopper and Pearson for 95 per cent."""
    alarms: list[FalseAlarm]
    closest: dict[Kind, float]
    """The most that the evidence of each kind came to, as a part of what raises an alarm."""


def honest_floor(tables: Iterable[HonestTable], nights_a_table: int) -> HonestFloor:
    alarms, closest, nights, coups, number = list[FalseAlarm](), dict[Kind, float](), 0, 0, 0
    for table in tables:
        alarms += table.alarms
        nights, coups, number = nights + table.nights, coups + table.coups, number + 1
        for kind, part in table.closest.items():
            closest[kind] = max(closest.get(kind, 0.0), part)
    floor_days = number // TABLES * nights_a_table
    bad = len({(one.table // TABLES, one.night) for one in alarms if one.table < number // TABLES * TABLES})
    lower, upper = interval(bad, floor_days)
    rate = bad / floor_days if floor_days else 0.0
    return HonestFloor(nights, coups, floor_days, bad, rate, lower, upper, alarms, closest)


class Planted(msgspec.Struct, frozen=True):
    cheat: str
    tables: int
    found: int
    median_coups: int | None
    """Until half of the tables had found it; null where fewer did."""
    ninety_coups: int | None
    by: dict[str, int]
    """How often each light was the first."""


def planted(cheat: str, tables: Sequence[FoundCheat]) -> Planted:
    found = [one for one in tables if one.by is not None]
    coups = sorted([one.coups for one in found])
    return Planted(
        cheat=cheat,
        tables=len(tables),
        found=len(found),
        median_coups=_reached(coups, len(tables), 0.5),
        ninety_coups=_reached(coups, len(tables), 0.9),
        by=dict(Counter(str(one.by) for one in found).most_common()),
    )


def _reached(found: Sequence[int], of: int, part: float) -> int | None:
    """The smallest number by which this part of all had found it."""
    place = ceil(part * of) - 1
    return found[place] if 0 <= place < len(found) else None


def interval(successes: int, trials: int) -> tuple[float, float]:
    """Clopper and Pearson's exact interval for a rate: what either bound makes too unlikely is beyond it."""
    if not trials:
        return 0.0, 1.0
    low, high = 0.0, successes / trials
    for _ in range(_BISECTIONS if successes else 0):
        middle = (low + high) / 2
        likely = 1 - _at_most(successes - 1, trials, middle) > _UNSURE / 2
        low, high = (low, middle) if likely else (middle, high)
    lower, low, high = low, successes / trials, 1.0
    for _ in range(_BISECTIONS if successes < trials else 0):
        middle = (low + high) / 2
        likely = _at_most(successes, trials, middle) > _UNSURE / 2
        low, high = (middle, high) if likely else (low, middle)
    return lower, high


def _at_most(successes: int, trials: int, rate: float) -> float:
    """The chance of so many successes or fewer."""
    if rate <= 0.0 or rate >= 1.0:
        return 1.0 if rate <= 0.0 or successes >= trials else 0.0
    return sum(
        exp(
            lgamma(trials + 1)
            - lgamma(number + 1)
            - lgamma(trials - number + 1)
            + number * log(rate)
            + (trials - number) * log(1 - rate)
        )
        for number in range(successes + 1)
    )
