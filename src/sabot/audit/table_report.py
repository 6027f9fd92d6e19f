"""The report of a table over a period, made from its sum: what came in, what was won and corrected, and what the exact
odds expect the house to win.
"""

from collections import Counter
from collections.abc import Iterator

from sabot.audit.patron_lines import PatronLines
from sabot.audit.period_sum import DealerSum, PeriodSum, PlaySum, StationSum
from sabot.audit.play_totals import joined
from sabot.audit.theory import NOT_KNOWN, Expected, Theory
from sabot.ledger.meters import Meters
from sabot.views.meter_names import by_standard
from sabot.views.reports import (
    BetLine,
    DealerLine,
    FloatFigures,
    Heading,
    MeterLine,
    ShiftReport,
    TableReport,
    WinLine,
    WinReport,
)

_HOUR_MS = 3_600_000
_NOTHING = StationSum(0, 0, 0, 0, 0, {}, {})


def table_report(
    heading: Heading, table: str, one: PeriodSum, signed_to: int, floor: PatronLines | None = None
) -> TableReport:
    """With `floor` the patrons are added to those of other tables, and not told here."""
    whole = joined((dealt.play for dealt in one.dealing.values()), len(one.terms))
    theory = Theory(one.terms)
    patrons = PatronLines() if floor is None else floor
    patrons.add(one, theory)
    return TableReport(
        heading=heading,
        table=table,
        currency=one.after.currency,
        as_of=one.after.version,
        signed_to=signed_to,
        records=one.accepted,
        first=one.first,
        last=one.last,
        shift=_shift_report(table, one, theory.expected(whole)),
        put_right=one.put_right,
        bets=tuple(_bet_lines(one, whole, theory)),
        dealers=tuple(_dealer_line(dealer, dealt, theory) for dealer, dealt in sorted(one.dealing.items())),
        patrons=patrons.lines() if floor is None else (),
        float_lines=one.float_lines,
        meters=tuple(MeterLine(name, _metered(one.stations.get(name, _NOTHING))) for name in one.after.metered),
    )


def shift_report(table: str, one: PeriodSum) -> ShiftReport:
    """The figures of the table as a whole, where those by bet, dealer and patron are not asked for."""
    whole = joined((dealt.play for dealt in one.dealing.values()), len(one.terms))
    return _shift_report(table, one, Theory(one.terms).expected(whole))


def _shift_report(table: str, one: PeriodSum, expected: Expected) -> ShiftReport:
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


def win_report(table: str, one: PeriodSum, expected: Expected = NOT_KNOWN) -> WinReport:
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
        theoretical_win=None if expected.theoretical_win is None else round(expected.theoretical_win),
        low=expected.low,
        high=expected.high,
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


def _metered(one: StationSum) -> dict[str, int]:
    settled = (one.wagered, one.credited, one.commission)
    return by_standard(Meters(one.came_in, *settled, one.paid, one.adjusted, one.coups, one.moved))


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


def _bet_lines(one: PeriodSum, whole: PlaySum, theory: Theory) -> Iterator[BetLine]:
    """The bets in the order of the rule set, and behind them those that it no longer has."""
    known = () if one.after.played_by is None else one.after.played_by.terms.bets
    for bet in dict.fromkeys((*(bet for bet in known if bet in whole.bets), *sorted(whole.bets))):
        total = whole.bets[bet]
        if total.wagers:
            yield BetLine(bet, total.wagers, total.turnover, total.win, *theory.expected(whole, bet))


def _dealer_line(dealer: str, dealt: DealerSum, theory: Theory) -> DealerLine:
    play, hours = dealt.play, dealt.present_ms / _HOUR_MS
    return DealerLine(
        dealer=dealer,
        coups=play.coups,
        turnover=play.turnover,
        win=play.win,
        commission=play.commission,
        voids=dealt.voids,
        corrected=dealt.corrected,
        present_ms=dealt.present_ms,
        coups_an_hour=round(play.coups / hours, 1) if hours else None,
        **theory.expected(play)._asdict(),
    )
