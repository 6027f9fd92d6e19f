"""The reports of a floor as sheets, made from the reports of its tables and from the house's own figures."""

from collections.abc import Callable, Iterable, Sequence
from math import sqrt
from typing import NamedTuple

from sabot.house.liability import Liability
from sabot.views.meter_names import METERED_MONEY, METERED_PLAY
from sabot.views.reports import DealerLine, PatronLine, ShiftReport, TableReport
from sabot.views.sheets import FloorReport, Remark, ReportHead, ReportSheet, SheetCell, SheetColumn, SheetSource

C = SheetColumn
_BAND = (C("theoretical_win", "money"), C("from_bound", "money"), C("to_bound", "money"))
_PLAYED = (C("coups", "count"), C("turnover", "money"), C("win", "money"), C("commission", "money"))
_DEALT = (
    *_PLAYED,
    *_BAND,
    *(C("verdict", "word"), C("void_coups", "count"), C("corrected_coups", "count")),
    *(C("hours", "hours"), C("coups_an_hour", "rate")),
)
_METERED = {"meters": METERED_PLAY, "meters_money": METERED_MONEY}
COLUMNS: dict[str, tuple[SheetColumn, ...]] = {
    "shift": (
        *(C("table"), C("dealers"), C("coups", "count"), C("void_coups", "count"), C("dummy_coups", "count")),
        *(C("corrected_coups", "count"), C("drop", "money"), C("turnover", "money"), C("win", "money")),
        *(C("hold", "percent"), *_BAND),
    ),
    "shifts": (
        *(C("shift_begins", "time"), C("shift_ends", "time"), C("coups", "count"), C("void_coups", "count")),
        *(C("dummy_coups", "count"), C("corrected_coups", "count"), C("drop", "money"), C("turnover", "money")),
        *(C("win", "money"), C("hold", "percent"), *_BAND, C("verdict", "word")),
    ),
    "tenders": (C("table"), C("came_in", "word", "tender"), C("paid_out", "word", "paid_by"), C("amount", "money")),
    "win": (
        *(C("table"), C("station"), C("coups", "count"), C("drop", "money"), C("turnover", "money")),
        *(C("win", "money"), C("commission", "money"), C("paid_out", "money")),
    ),
    "dealers": (C("dealer"), *_DEALT),
    "dealers_by_table": (C("dealer"), C("table"), *_DEALT),
    "theory": (
        *(C("table"), C("bet", "bet"), C("wagers", "count"), C("turnover", "money"), C("actual_win", "money")),
        *(*_BAND, C("verdict", "word")),
    ),
    "patrons": (C("patron"), *_PLAYED, C("theoretical_win", "money"), C("hours", "hours")),
    "put_right": (
        *(C("when", "time"), C("table"), C("what", "word", "put_right"), C("coup", "count"), C("station")),
        *(C("credited", "money"), C("taken", "money"), C("made_payable", "money"), C("left_owing", "money")),
        *(C("set_off", "money"), C("reason"), C("by"), C("approver"), C("clause_column")),
    ),
    "float": (
        *(C("when", "time"), C("table"), C("what", "word", "float"), C("float_moment", "word", "float_moment")),
        *(C("amount", "money"), C("expected", "money"), C("difference", "money"), C("slip_number")),
        *(C("carried_by"), C("by"), C("approver"), C("clause_column")),
    ),
    **{
        code: (C("table"), C("station"), *(C(f"meter_{name}", kind) for name, kind in metered))
        for code, metered in _METERED.items()
    },
    "liability": (C("status", "word", "ticket"), C("days_old", "count"), C("tickets", "count"), C("amount", "money")),
}
"""The columns of every sheet."""
ADDED = frozenset({"money", "count", "hours"})
"""The kinds of cells that a total adds up, but for what `_UNADDED` names."""
_UNADDED = frozenset({"coup", "days_old", "from_bound", "to_bound", "expected"})


class FloorFigures(NamedTuple):
    """What the reports of a floor are made from."""

    tables: Sequence[TableReport]
    patrons: Sequence[PatronLine] = ()
    """Of all tables together."""
    shifts: Sequence["FloorShift"] = ()


class FloorShift(NamedTuple):
    """The figures of all tables in one shift."""

    from_ms: int
    to_ms: int
    tables: Sequence[ShiftReport]


def floor_report(code: str, head: ReportHead, figures: FloorFigures) -> FloorReport:
    tables = figures.tables
    currencies = dict.fromkeys(one.currency for one in tables if one.currency)
    sources = tuple(SheetSource(one.table, one.first, one.last, one.signed_to) for one in tables)
    return FloorReport(code, head, " / ".join(currencies), tuple(REPORTS[code](figures)), sources)


def liability_report(head: ReportHead, owed: Liability) -> FloorReport:
    rows = [(line.status.value, line.days_old, line.tickets, line.cents) for line in owed.outstanding]
    remarks = (
        Remark("unclaimed", {"amount_cents": owed.unclaimed_cents}),
        Remark("liability_agrees" if owed.agrees else "liability_differs"),
    )
    return FloorReport("liability", head, "", (_sheet("liability", rows, remarks),), ())


def _shift(figures: FloorFigures) -> Iterable[ReportSheet]:
    rows: list[tuple[SheetCell, ...]] = []
    tenders: list[tuple[SheetCell, ...]] = []
    for one in figures.tables:
        shift, win = one.shift, one.shift.win
        hold = None if win.hold_percent is None else float(win.hold_percent)
        counts = (shift.coups, shift.void, shift.dummy, shift.corrected)
        money = (win.drop, win.turnover, win.booked_win, hold, win.theoretical_win, win.low, win.high)
        rows.append((one.table, ", ".join(shift.dealers), *counts, *money))
        tenders += [(one.table, kind, None, cents) for kind, cents in sorted(shift.came_in.items())]
        tenders += [(one.table, None, kind, cents) for kind, cents in sorted(shift.paid.items())]
    return _sheet("shift", rows), _sheet("tenders", tenders, totals=False)


def _shifts(figures: FloorFigures) -> Iterable[ReportSheet]:
    """One row for each shift, over all tables."""
    return (_sheet("shifts", [_shift_row(one) for one in figures.shifts], (Remark("theory_remark"),)),)


def _shift_row(one: FloorShift) -> tuple[SheetCell, ...]:
    tables, wins = one.tables, [table.win for table in one.tables]
    counts = [sum(getattr(table, name) for table in tables) for name in ("coups", "void", "dummy", "corrected")]
    drop, win = sum(each.drop for each in wins), sum(each.booked_win for each in wins)
    mean = _together(table.win.theoretical_win for table in tables if table.coups)
    low, high = _band(mean, [(each.low, each.high) for each in wins])
    hold = round(100 * win / drop, 2) if drop else None
    money = (drop, sum(each.turnover for each in wins), win, hold, mean, low, high)
    return (one.from_ms, one.to_ms, *counts, *money, verdict(win, low, high))


def _win(figures: FloorFigures) -> Iterable[ReportSheet]:
    rows = [
        (one.table, line.station, line.coups, line.drop, line.turnover, line.win, line.commission, line.paid)
        for one in figures.tables
        for line in one.shift.win.stations
    ]
    return (_sheet("win", rows, tuple(_variance(one.table, one.shift.win.variance) for one in figures.tables)),)


def _variance(table: str, cents: int) -> Remark:
    if cents == 0:
        return Remark("no_variance", {"table": table})
    return Remark("variance_of", {"table": table, "amount_cents": cents})


def _dealers(figures: FloorFigures) -> Iterable[ReportSheet]:
    lines = [(one.table, line) for one in figures.tables for line in one.dealers]
    found = _by_name((line.dealer, line) for _, line in lines)
    together = [(name, *_dealt(*some)) for name, some in found]
    remarks = (Remark("theory_remark"), Remark("dealer_remark"))
    apart = [(line.dealer, table, *_dealt(line)) for table, line in sorted(lines, key=lambda one: one[1].dealer)]
    return _sheet("dealers", together, remarks), _sheet("dealers_by_table", apart, totals=False)


def _dealt(*lines: DealerLine) -> tuple[SheetCell, ...]:
    """The figures of a dealer at one table or at several."""
    present_ms, coups = sum(one.present_ms for one in lines), sum(one.coups for one in lines)
    win, mean = sum(one.win for one in lines), _together(one.theoretical_win for one in lines if one.coups)
    low, high = _band(mean, [(one.low, one.high) for one in lines])
    return (
        *(coups, sum(one.turnover for one in lines), win, sum(one.commission for one in lines)),
        *(mean, low, high, verdict(win, low, high)),
        *(sum(one.voids for one in lines), sum(one.corrected for one in lines), present_ms),
        round(coups * 3_600_000 / present_ms, 1) if present_ms else None,
    )


def _band(mean: float | None, bounds: Iterable[tuple[float | None, float | None]]) -> tuple[float | None, float | None]:
    """The bounds of a sum, where its mean is known. The spreads of coups at different tables are independent."""
    if mean is None:
        return None, None
    reach = sqrt(sum(((high - low) / 2) ** 2 for low, high in bounds if high is not None and low is not None))
    return mean - reach, mean + reach


def _theory(figures: FloorFigures) -> Iterable[ReportSheet]:
    rows: list[tuple[SheetCell, ...]] = []
    for one in figures.tables:
        for line in one.bets:
            band = (line.theoretical_win, line.low, line.high, verdict(line.win, line.low, line.high))
            rows.append((one.table, line.bet, line.wagers, line.turnover, line.win, *band))
    return (_sheet("theory", rows, (Remark("theory_remark"),)),)


def _patrons(figures: FloorFigures) -> Iterable[ReportSheet]:
    rows = [
        (one.patron, one.coups, one.turnover, one.win, one.commission, one.theoretical_win, one.present_ms)
        for one in figures.patrons
    ]
    return (_sheet("patrons", rows, (Remark("patron_remark"),)),)


def _put_right(figures: FloorFigures) -> Iterable[ReportSheet]:
    """One row for each account that a correction moved money on, and one for a correction that moved none."""
    rows: list[tuple[SheetCell, ...]] = []
    for one in figures.tables:
        for line in one.put_right:
            accounts: list[tuple[SheetCell, ...]] = [
                (moved.station, moved.credited, moved.taken, moved.payable, moved.owed, moved.set_off)
                for moved in line.moved
            ]
            for account in accounts or [("", 0, 0, 0, 0, 0)]:
                said = (line.reason, line.by, line.approver, line.clause)
                rows.append((line.at_ms, one.table, line.kind, line.coup, *account, *said))
    return (_sheet("put_right", rows, (Remark("put_right_remark"),)),)


def _float(figures: FloorFigures) -> Iterable[ReportSheet]:
    rows: list[tuple[SheetCell, ...]] = []
    for one in figures.tables:
        for line in one.float_lines:
            counted = None if line.kind == "FloatUncounted" else line.cents
            said = (line.slip, line.carried_by, line.by, line.approver, line.clause)
            money = (counted, line.expected, line.difference)
            rows.append((line.at_ms, one.table, line.kind, line.when or None, *money, *said))
    return (_sheet("float", rows, tuple(_float_remark(one) for one in figures.tables), totals=False),)


def _float_remark(one: TableReport) -> Remark:
    moved = one.shift.chip_float
    names = ("first", "fills", "credits", "patrons", "differences", "last")
    return Remark("float_remark", {"table": one.table, **{f"{name}_cents": getattr(moved, name) for name in names}})


def _meters(figures: FloorFigures) -> Iterable[ReportSheet]:
    """Play and money apart, since all meters are wider than paper."""
    lines = [(one.table, line) for one in figures.tables for line in one.meters]
    return [
        _sheet(
            code,
            [(table, line.station, *(line.meters[name] for name, _ in metered)) for table, line in lines],
            (Remark("meters_remark"),) if code == "meters" else (),
        )
        for code, metered in _METERED.items()
    ]


REPORTS: dict[str, Callable[[FloorFigures], Iterable[ReportSheet]]] = {
    "shift": _shift,
    "shifts": _shifts,
    "win": _win,
    "dealers": _dealers,
    "theory": _theory,
    "patrons": _patrons,
    "put_right": _put_right,
    "float": _float,
    "meters": _meters,
}
"""The reports that are made from the tables' records."""


def verdict(win: int, low: float | None, high: float | None) -> str:
    if low is None or high is None:
        return "no_odds"
    return "below_bounds" if win < low else "above_bounds" if win > high else "within_bounds"


def _by_name(lines: Iterable[tuple[str, DealerLine]]) -> list[tuple[str, list[DealerLine]]]:
    found: dict[str, list[DealerLine]] = {}
    for name, line in lines:
        found.setdefault(name, []).append(line)
    return sorted(found.items())


def _together(means: Iterable[float | None]) -> float | None:
    """The sum, where every part of it is known."""
    total: float | None = None
    for one in means:
        if one is None:
            return None
        total = (total or 0.0) + one
    return total


def _sheet(
    code: str, rows: Sequence[tuple[SheetCell, ...]], remarks: tuple[Remark, ...] = (), *, totals: bool = True
) -> ReportSheet:
    columns = COLUMNS[code]
    added = tuple(_total(column, [row[place] for row in rows]) for place, column in enumerate(columns))
    return ReportSheet(code, columns, tuple(rows), added if totals and rows else None, remarks)


def _total(column: SheetColumn, cells: Sequence[SheetCell]) -> SheetCell:
    if column.kind not in ADDED or column.key in _UNADDED:
        return None
    return sum(cell for cell in cells if isinstance(cell, int | float))
