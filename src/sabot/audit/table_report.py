"""The report of a table over a period, made from its sum: what came in, what was won and corrected, and what the exact
odds expect the house to win.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import sqrt

import msgspec

from sabot.audit.period_sum import PeriodSum, StakeSum, StationSum
from sabot.odds.composition import Composition
from sabot.odds.next_coup import NextCoup
from sabot.odds.study import Study
from sabot.rules.terms import Terms
from sabot.views.reports import (
    BetLine,
    FloatFigures,
    Heading,
    ShiftReport,
    TableReport,
    WinLine,
    WinReport,
)

NINETY_FIVE_OF_A_HUNDRED = 1.959964
"""Standard deviations to either side of the mean that hold 95 of 100 cases."""
_NOTHING = StationSum(0, 0, 0, 0, 0, {}, {})


def table_report(heading: Heading, table: str, one: PeriodSum, signed_to: int) -> TableReport:
    bets = tuple(_bet_lines(one))
    theory = [line.theoretical_win for line in bets if line.theoretical_win is not None]
    expected = round(sum(theory)) if theory and len(theory) == len(bets) else None
    return TableReport(
        heading=heading,
        table=table,
        currency=one.after.currency,
        as_of=one.after.version,
        signed_to=signed_to,
        records=one.accepted,
        first=one.first,
        last=one.last,
        shift=_shift_report(table, one, expected),
        put_right=one.put_right,
        bets=bets,
        float_lines=one.float_lines,
    )


def _shift_report(table: str, one: PeriodSum, expected: int | None) -> ShiftReport:
    dealers = dict.fromkeys((*((one.before.dealer,) if one.before.dealer else ()), *one.dealers))
    events = Counter(one.events)
    return ShiftReport(
        table=table,
        dealers=tuple(dealers),
        coups=one.coups,
        void=events["CoupVoided"],
        dummy=events["DummyCoupDeclared"],
        corrected=events["CoupRecalculated"] + events["CoupInvalidated"],
        tickets=events["TicketIssued"],
        came_in=_by_kind(one, "came_in"),
        paid=_by_kind(one, "paid"),
        win=win_report(table, one, expected),
        chip_float=_float_figures(one),
    )


def win_report(table: str, one: PeriodSum, expected: int | None = None) -> WinReport:
    stations = tuple(_win_line(name, one.stations.get(name, _NOTHING)) for name in one.after.metered)
    drop, metered = sum(line.drop for line in stations), sum(line.win for line in stations)
    return WinReport(
        table=table,
        stations=stations,
        drop=drop,
        turnover=sum(line.turnover for line in stations),
        metered_win=metered,
        booked_win=one.booked,
        outside=one.outside,
        variance=one.booked - metered - one.outside,
        hold_percent=f"{100 * one.booked / drop:.2f}" if drop else None,
        theoretical_win=expected,
    )


def _win_line(station: str, one: StationSum) -> WinLine:
    return WinLine(
        station=station,
        coups=one.coups,
        drop=sum(one.came_in.values()),
        turnover=one.wagered,
        win=one.wagered - one.credited - one.adjusted,
        commission=one.commission,
        paid=sum(one.paid.values()),
    )


def _by_kind(one: PeriodSum, meter: str) -> dict[str, int]:
    total: Counter[str] = Counter()
    for station in one.stations.values():
        for kind, cents in getattr(station, meter).items():
            total[kind] += cents
    return {kind: cents for kind, cents in total.items() if cents}


def _float_figures(one: PeriodSum) -> FloatFigures:
    first, last, moved = one.before.rack_cents, one.after.rack_cents, one.chip_float
    patrons = last - first - moved.fills + moved.credits - moved.differences
    return FloatFigures(first, moved.fills, moved.credits, patrons, moved.differences, last, moved.uncounted)


def _bet_lines(one: PeriodSum) -> Iterator[BetLine]:
    """The bets in the order of the rule set, and behind them those that it no longer has."""
    known = () if one.after.played_by is None else one.after.played_by.terms.bets
    for bet in dict.fromkeys((*(bet for bet in known if bet in one.bets), *sorted(one.bets))):
        total = one.bets[bet]
        if total.wagers:
            line = BetLine(bet, total.wagers, total.turnover, total.win)
            yield _with_theory(line, [stake for stake in one.stakes if stake.bet == bet])


def _with_theory(line: BetLine, stakes: Sequence[StakeSum]) -> BetLine:
    """The line with the expected win of the bet, and the bounds for 95 of 100 such periods.

    All wagers on a bet in one coup win or lose together, so the independent quantities are the sums by coup. Every coup
    is taken as the first of a fresh shoe, which is the mean over whole shoes.
    """
    mean = variance = 0.0
    for one in stakes:
        odds = edges(one.played_by.terms).get(line.bet)
        if odds is None:
            return line
        edge, spread = odds
        mean += edge * one.cents
        variance += spread * int(one.squares)
    reach = NINETY_FIVE_OF_A_HUNDRED * sqrt(variance)
    return msgspec.structs.replace(line, theoretical_win=mean, low=mean - reach, high=mean + reach)


@lru_cache(maxsize=32)
def edges(terms: Terms) -> dict[str, tuple[float, float]]:
    """The house's edge on a unit staked on each bet, and the variance of its net."""
    studied = Study.of(terms).odds(NextCoup(Composition.fresh(terms.decks)))
    return {bet: (float(odds.house_edge), float(odds.variance)) for bet, odds in studied.items()}
