"""The curves of a gaming day, made from the kept parts of the tables' sums.

A part has 25 coups, so a day of a table is some fifty steps, whatever lies in it; only what follows the last part is
read from the records. Expected wins and variances of the steps add up, since coups are independent of each other.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import sqrt
from typing import NamedTuple

from sabot.audit.kept_sums import SumReader
from sabot.audit.period_sum import PeriodSum
from sabot.audit.play_totals import joined
from sabot.audit.summing import Summing
from sabot.audit.table_report import table_report
from sabot.audit.theory import NINETY_FIVE_OF_A_HUNDRED, Expected, Theory
from sabot.views.curves import CurveHour, CurvePoint, FloorCurves, HoldLine
from sabot.views.reports import BetLine, DealerLine, Heading, TableReport

HOUR_MS = 3_600_000
MOST_POINTS = 120
_APART_MS = (10_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000)
"""How far apart the points of a curve of several tables may be: the least of these that needs no more points."""


class Gaming(NamedTuple):
    """A gaming day: its name, its limits, the zone that it is told in, and the time of the telling."""

    day: str
    from_ms: int
    to_ms: int
    time_zone: str
    made_ms: int


class DayStep(NamedTuple):
    """What a table's day had come to at a moment."""

    at_ms: int
    coups: int = 0
    drop: int = 0
    turnover: int = 0
    win: int = 0
    mean: float | None = 0.0
    variance: float = 0.0
    offered: int = 0
    """Seats of all coups."""
    taken: int = 0
    """Those of them with a wager."""


class TableDay(NamedTuple):
    steps: Sequence[DayStep]
    """The first is the day's beginning, with nothing in it; none where nothing happened."""
    report: TableReport


async def table_day(reader: SumReader, table: str, gaming: Gaming) -> TableDay:
    """A table's day by steps, and the report of it."""
    steps: list[DayStep] = []
    total: Summing | None = None
    first_coup = 0
    async for part in reader.steps(gaming.from_ms, gaming.to_ms):
        total = total or Summing(part.before, patrons=False)
        total.join(part)
        first_coup = first_coup or part.first_coup
        if part.from_ms:
            last = steps[-1] if steps else DayStep(part.from_ms)
            steps += [*(() if steps else (last,)), _after(last, part, first_coup)]
    assert total is not None, "a period has a step, even if nothing is in it"
    heading = Heading(table, "", gaming.from_ms, gaming.to_ms, gaming.made_ms)
    return TableDay(steps, table_report(heading, table, total.sum(), 0))


def _after(last: DayStep, part: PeriodSum, first_coup: int) -> DayStep:
    """The day so far with one part more. What it changed in a coup of an earlier day belongs to that one."""
    theory, stations = Theory(part.terms), part.stations.values()
    plays = [joined((dealt.play for dealt in part.dealing.values()), len(part.terms))]
    plays += [late.play for late in part.late if 0 < first_coup <= late.coup]
    staked = [play for play in plays if play.stakes]
    means = [theory.mean(play) for play in staked]
    known = all(mean is not None for mean in means)
    return DayStep(
        at_ms=max(last.at_ms, part.to_ms),
        coups=last.coups + part.coups,
        drop=last.drop + sum(sum(one.came_in.values()) for one in stations),
        turnover=last.turnover + sum(one.wagered for one in stations),
        win=last.win + part.booked,
        mean=_plus(last.mean, means),
        variance=last.variance + sum(theory.variance(play) for play in staked if known),
        offered=last.offered + part.coups * len(part.after.stations),
        taken=last.taken + sum(one.coups for one in stations),
    )


def _plus(mean: float | None, means: Iterable[float | None]) -> float | None:
    """With one of them not known, neither is the sum."""
    for one in means:
        mean = None if mean is None or one is None else mean + one
    return mean


def _spread(one: Expected) -> float:
    """The square of how far the win may stray; these add up where the lines are of different coups."""
    return 0.0 if one.high is None or one.theoretical_win is None else (one.high - one.theoretical_win) ** 2


def floor_curves(gaming: Gaming, table: str, days: Sequence[TableDay]) -> FloorCurves:
    """The curves of one table, or of all together."""
    reports = [one.report for one in days]
    played = [one.steps for one in days if one.steps]
    return FloorCurves(
        day=gaming.day,
        from_ms=gaming.from_ms,
        to_ms=gaming.to_ms,
        time_zone=gaming.time_zone,
        made_ms=gaming.made_ms,
        table=table,
        currency=next((one.currency for one in reports if one.currency), ""),
        points=tuple(_points(played)),
        hours=tuple(_hours(played)),
        by_table=tuple(_of_table(one) for one in reports),
        by_bet=tuple(_by_name((line.bet, None, line) for one in reports for line in one.bets)),
        by_dealer=tuple(_by_name((line.dealer, line.coups, line) for one in reports for line in one.dealers)),
    )


def _points(played: Sequence[Sequence[DayStep]]) -> Iterator[CurvePoint]:
    for at_ms in _times(played):
        steps = [found for one in played if (found := _at(one, at_ms)) is not None]
        mean = _plus(0.0, (one.mean for one in steps))
        reach = NINETY_FIVE_OF_A_HUNDRED * sqrt(max(0.0, sum(one.variance for one in steps)))
        yield CurvePoint(
            at_ms=at_ms,
            coups=sum(one.coups for one in steps),
            drop=sum(one.drop for one in steps),
            turnover=sum(one.turnover for one in steps),
            win=sum(one.win for one in steps),
            expected=mean,
            low=None if mean is None else mean - reach,
            high=None if mean is None else mean + reach,
        )


def _times(played: Sequence[Sequence[DayStep]]) -> Sequence[int]:
    """Of one table the moments of its own steps; of several moments that are equally far apart."""
    if len(played) <= 1:
        return [step.at_ms for one in played for step in one]
    first, last = min(one[0].at_ms for one in played), max(one[-1].at_ms for one in played)
    apart = next((one for one in _APART_MS if last - first <= one * MOST_POINTS), HOUR_MS // 2)
    return [*range(first, last, apart), last]


def _at(steps: Sequence[DayStep], at_ms: int) -> DayStep | None:
    """The newest step by then."""
    place = bisect_right(steps, at_ms, key=lambda step: step.at_ms)
    return steps[place - 1] if place else None


def _hours(played: Sequence[Sequence[DayStep]]) -> Iterator[CurveHour]:
    if not played:
        return
    first, last = min(one[0].at_ms for one in played), max(one[-1].at_ms for one in played)
    for from_ms in range(first // HOUR_MS * HOUR_MS, last, HOUR_MS):
        to_ms = from_ms + HOUR_MS
        coups = offered = taken = worked = 0.0
        for one in played:
            dealt = _between(one, from_ms, to_ms, lambda step: step.coups)
            if dealt:
                worked += (min(to_ms, one[-1].at_ms) - max(from_ms, one[0].at_ms)) / HOUR_MS
                coups += dealt
                offered += _between(one, from_ms, to_ms, lambda step: step.offered)
                taken += _between(one, from_ms, to_ms, lambda step: step.taken)
        pace = round(coups / worked, 1) if worked else 0.0
        idle = round(100 * (1 - taken / offered), 1) if offered else None
        yield CurveHour(from_ms, to_ms, round(coups), pace, idle)


def _between(steps: Sequence[DayStep], from_ms: int, to_ms: int, figure: Callable[[DayStep], int]) -> float:
    """How much a figure grew in a time; within a part it is taken to grow evenly."""
    return _grown(steps, to_ms, figure) - _grown(steps, from_ms, figure)


def _grown(steps: Sequence[DayStep], at_ms: int, figure: Callable[[DayStep], int]) -> float:
    place = bisect_right(steps, at_ms, key=lambda step: step.at_ms)
    if place == 0:
        return 0.0
    if place == len(steps):
        return figure(steps[-1])
    one, other = steps[place - 1], steps[place]
    return figure(one) + (figure(other) - figure(one)) * (at_ms - one.at_ms) / (other.at_ms - one.at_ms)


class _Held(NamedTuple):
    """A line that is being added up."""

    coups: int | None
    of: int
    win: int
    mean: float | None
    spread: float

    def line(self, name: str) -> HoldLine:
        def percent(cents: float | None) -> float | None:
            return None if cents is None or not self.of else round(100 * cents / self.of, 2)

        reach = self.spread**0.5
        low, high = (None, None) if self.mean is None else (self.mean - reach, self.mean + reach)
        held, expected = percent(self.win), percent(self.mean)
        return HoldLine(name, self.coups, self.of, self.win, held, expected, percent(low), percent(high))


def _of_table(one: TableReport) -> HoldLine:
    win = one.shift.win
    expected = Expected(None if win.theoretical_win is None else float(win.theoretical_win), win.low, win.high)
    held = _Held(one.shift.coups, win.drop, win.booked_win, expected.theoretical_win, _spread(expected))
    return held.line(one.table)


def _by_name(lines: Iterable[tuple[str, int | None, BetLine | DealerLine]]) -> Iterator[HoldLine]:
    """Lines of several tables with the same name are one."""
    found: dict[str, _Held] = {}
    for name, coups, line in lines:
        expected = Expected(line.theoretical_win, line.low, line.high)
        before = found.get(name, _Held(None if coups is None else 0, 0, 0, 0.0, 0.0))
        found[name] = _Held(
            coups=None if coups is None or before.coups is None else before.coups + coups,
            of=before.of + line.turnover,
            win=before.win + line.win,
            mean=_plus(before.mean, (line.theoretical_win,)),
            spread=before.spread + _spread(expected),
        )
    return (held.line(name) for name, held in found.items())
