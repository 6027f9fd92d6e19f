"""A run of the benchmarks that is kept, and what has changed since it.

What is compared is the ratio of a figure to the baseline of its own run: the machine, its load and its Python are on
both sides of it. A change within the noise is none.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final

import msgspec

from sabot.basics.mistake import Mistake, told_of
from sabot.cli.stopwatch import Row

NOISE: Final = 0.10
"""By how much the ratio of two CPU times differs from run to run on a machine that does other work as well."""
CLOCK_NOISE: Final = 0.25
"""The same for figures by the clock."""
_AMOUNTS: Final = frozenset({"ns", "us", "µs", "ms", "s", "bytes", "KB", "MB", "GB"})


class BenchRun(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="sabot", tag="bench 1"):
    """The rows of a run by benchmark, and where and when it ran."""

    date: str
    commit: str
    machine: str
    python: str
    benchmarks: dict[str, list[Row]]


class BenchVerdict(StrEnum):
    BETTER = "better"
    WORSE = "worse"
    SAME = "same"
    NEW = "new"
    GONE = "gone"


class BenchChange(msgspec.Struct, frozen=True, omit_defaults=True):
    name: str
    verdict: BenchVerdict
    then: Row | None = None
    now: Row | None = None
    better_by: float = 0.0
    """The share by which the ratio is better; below zero it is worse."""

    @property
    def on_clock(self) -> bool:
        row = self.now or self.then
        return row is not None and row.on_clock


def more_is_better(unit: str) -> bool:
    """Rates, such as wagers/s, and times as many; everything else is a cost: µs, MB, % of a core, us/s."""
    first = unit.partition(",")[0].strip()
    what, _, per = first.partition("/")
    return first == "times" or (per == "s" and what not in _AMOUNTS)


def compared(then: Sequence[Row], now: Sequence[Row], noise: float = NOISE) -> list[BenchChange]:
    """What changed in the rows of one benchmark, in the order of now; rows of then that are gone come last."""
    before = {row.name: row for row in then}
    changes = [_change(before.pop(row.name, None), row, noise) for row in now]
    return changes + [BenchChange(row.name, BenchVerdict.GONE, then=row) for row in before.values()]


def _change(then: Row | None, now: Row, noise: float) -> BenchChange:
    if then is None:
        return BenchChange(now.name, BenchVerdict.NEW, now=now)
    if then.unit != now.unit and not _same_kind(then.unit, now.unit):
        raise Mistake(f"{now.name} is in {now.unit} now and was in {then.unit}: the two cannot be compared")
    times = now.ratio / then.ratio
    better_by = (times if more_is_better(now.unit) else 1 / times) - 1
    share = max(noise, CLOCK_NOISE) if now.on_clock else noise
    verdict = BenchVerdict.SAME
    if better_by > share:
        verdict = BenchVerdict.BETTER
    elif 1 / (1 + better_by) - 1 > share:
        verdict = BenchVerdict.WORSE
    return BenchChange(now.name, verdict, then, now, better_by)


def _same_kind(one: str, other: str) -> bool:
    """Some units carry a figure behind a comma: shoes/s, 6.1 µs each."""
    return one.partition(",")[0] == other.partition(",")[0]


def worse(one: BenchChange) -> float:
    """The share by which a ratio is worse: a rate that is a half is worse by all of itself, as a time that is twice."""
    return 1 / (1 + one.better_by) - 1


def too_bad(changes: Sequence[BenchChange], worse_by: float, *, on_clock: bool) -> list[BenchChange]:
    """Those worse by more than this share. What goes by the clock is judged where the machine is said to be quiet."""
    return [one for one in changes if worse(one) > worse_by and (on_clock or not one.on_clock)]


def read_run(written: bytes, name: str) -> BenchRun:
    """Raises `Mistake` for a file that no run was kept in."""
    try:
        run = msgspec.json.decode(written, type=BenchRun)
    except msgspec.ValidationError as error:
        raise Mistake(f"{name} is no run that `sabot bench --keep` kept: {told_of(error)}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Mistake(f"{name} is no run that `sabot bench --keep` kept: {error}") from None
    for rows in run.benchmarks.values():
        _check_rows(rows, name)
    return run


def _check_rows(rows: Sequence[Row], name: str) -> None:
    seen: set[str] = set()
    for row in rows:
        if row.name in seen:
            raise Mistake(f"{name} has two rows {row.name}")
        if not row.ratio > 0:
            raise Mistake(f"{name}: the ratio of {row.name} is {row.ratio:g}, and nothing can be compared with it")
        seen.add(row.name)


def not_measured(then: Mapping[str, object], now: Mapping[str, object]) -> list[str]:
    """The benchmarks of the kept run that did not run this time."""
    return [name for name in then if name not in now]
