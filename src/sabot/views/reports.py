"""Reports as data: the figures of a shift, the win of each table and station, voids and corrections with their authors.

The figures of a period are those at its end less those at its beginning, so any two states of a table make a period.
The expected win comes from the exact odds, which `audit/table_report` fills in.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import msgspec

from sabot.ledger.account import CHIP_RACK, COMMISSION, WIN, AccountKind
from sabot.ledger.audit import NO_METERS
from sabot.ledger.meters import Meters
from sabot.table import events as e
from sabot.table.state import UNCONFIGURED, BareTable, Played


class Recorded(NamedTuple):
    """One record of a table: its time and its events."""

    at_ms: int
    events: tuple[e.Event, ...]


class Heading(msgspec.Struct, frozen=True):
    """The heading of a report."""

    title: str
    program: str
    from_ms: int
    to_ms: int
    made_ms: int


class WinLine(msgspec.Struct, frozen=True):
    """The figures of a station over the period in cents: by its meters, the commission by its coups."""

    station: str
    coups: int
    drop: int
    turnover: int
    win: int
    """What the house kept, commission and corrections included; negative where it paid out more than it took."""
    commission: int
    """Of the coups as they stand now; meters only grow, and do not show what a recalculation returned."""
    paid: int


class WinReport(msgspec.Struct, frozen=True):
    table: str
    stations: tuple[WinLine, ...]
    drop: int
    turnover: int
    metered_win: int
    booked_win: int
    """The win by the table's ledger, commission included."""
    outside: int
    """The explained difference: owed or uncollected after corrections, less payable and seized."""
    variance: int
    """The unexplained difference; anything but 0 is for the auditor."""
    hold_percent: str | None
    theoretical_win: int | None = None
    """The expected win by the exact odds, where they are known."""


class PutRightLine(msgspec.Struct, frozen=True):
    """A void, a correction or a payment by hand, with the persons who gave and approved it."""

    at_ms: int
    kind: str
    coup: int | None
    station: str
    cents: int
    reason: str
    by: str
    approver: str
    clause: str


class FloatFigures(msgspec.Struct, frozen=True):
    """The chips in the rack over the period, in cents by the books; a count brings these to what it found."""

    first: int
    fills: int
    """What the cage brought, and what a first count found."""
    credits: int
    patrons: int
    """What patrons tendered in chips, less what they were paid in chips."""
    differences: int
    """What counts found too much, or below zero what they found missing."""
    last: int
    uncounted: int
    """How often a count was due and nobody counted."""


class ShiftReport(msgspec.Struct, frozen=True):
    table: str
    dealers: tuple[str, ...]
    coups: int
    void: int
    dummy: int
    corrected: int
    tickets: int
    came_in: Mapping[str, int]
    """By tender."""
    paid: Mapping[str, int]
    """By way of payment."""
    win: WinReport
    chip_float: FloatFigures


class FloatLine(msgspec.Struct, frozen=True):
    """A fill, a credit, a count, or a count that was left out."""

    at_ms: int
    kind: str
    when: str
    """Of a count: at opening, when dealers changed, at closing, or between coups."""
    cents: int
    expected: int | None
    difference: int | None
    slip: str
    carried_by: str
    by: str
    approver: str
    clause: str


class BetLine(msgspec.Struct, frozen=True):
    """One bet over the valid coups: what was staked on it and what the house won by it."""

    bet: str
    wagers: int
    turnover: int
    win: int
    theoretical_win: float | None = None
    low: float | None = None
    high: float | None = None
    """The bounds within which 95 of 100 such periods end, where the odds are known."""


def win_report(table: str, after: BareTable, before: BareTable = UNCONFIGURED) -> WinReport:
    commission = _commission(after)
    commission.subtract(_commission(before))
    stations = tuple(
        _win_line(name, meters, before.money_meters.get(name, NO_METERS), commission[name])
        for name, meters in after.money_meters.items()
    )
    drop = sum(line.drop for line in stations)
    metered = sum(line.win for line in stations)
    booked, outside = _booked(after) - _booked(before), _outside(after) - _outside(before)
    return WinReport(
        table=table,
        stations=stations,
        drop=drop,
        turnover=sum(line.turnover for line in stations),
        metered_win=metered,
        booked_win=booked,
        outside=outside,
        variance=booked - metered - outside,
        hold_percent=f"{100 * booked / drop:.2f}" if drop else None,
    )


def _win_line(station: str, now: Meters, then: Meters, commission: int) -> WinLine:
    return WinLine(
        station=station,
        coups=now.coups - then.coups,
        drop=sum(now.came_in.values()) - sum(then.came_in.values()),
        turnover=now.wagered - then.wagered,
        win=_won(now) - _won(then),
        commission=commission,
        paid=sum(now.paid.values()) - sum(then.paid.values()),
    )


def _commission(state: BareTable) -> Counter[str]:
    """The commission of each station, by every coup as it was settled last."""
    paid: Counter[str] = Counter()
    for one in _standing(state.played):
        for station, settled in one.settlements.items():
            paid[station] += sum(line.commission_cents for line in settled)
    return paid


def _won(meters: Meters) -> int:
    return meters.wagered - meters.credited - meters.adjusted


def _booked(state: BareTable) -> int:
    return state.money_ledger.balance(WIN) + state.money_ledger.balance(COMMISSION)


def _outside(state: BareTable) -> int:
    """Corrections reach the ledger at once, and a meter only when money enters or leaves the patron's account."""
    signs = {AccountKind.OWED: 1, AccountKind.UNCOLLECTED: 1, AccountKind.PAYABLE: -1, AccountKind.SEIZED: -1}
    return sum(signs.get(account.kind, 0) * cents for account, cents in state.money_ledger.books.items())


def shift_report(
    table: str, records: Iterable[Recorded], after: BareTable, before: BareTable = UNCONFIGURED
) -> ShiftReport:
    records = tuple(records)
    count: Counter[str] = Counter()
    dealers: dict[str, None] = dict.fromkeys([before.dealer] if before.dealer else [])
    for record in records:
        count["in_credits"] += any(isinstance(event, e.SessionScored) for event in record.events) and any(
            isinstance(event, e.WagersSettled) for event in record.events
        )
        for event in record.events:
            count[type(event).__name__] += 1
            if isinstance(event, e.WageringOpened):
                dealers[event.dealer] = None
    return ShiftReport(
        table=table,
        dealers=tuple(dealers),
        coups=count["WagersSettled"] - count["in_credits"],
        void=count["CoupVoided"],
        dummy=count["DummyCoupDeclared"],
        corrected=count["CoupRecalculated"] + count["CoupInvalidated"],
        tickets=count["TicketIssued"],
        came_in=_by_kind(after, before, "came_in"),
        paid=_by_kind(after, before, "paid"),
        win=win_report(table, after, before),
        chip_float=float_figures(records, after, before),
    )


def _by_kind(after: BareTable, before: BareTable, meter: str) -> dict[str, int]:
    total: Counter[str] = Counter()
    for state, sign in ((after, 1), (before, -1)):
        for meters in state.money_meters.values():
            for kind, cents in getattr(meters, meter).items():
                total[kind] += sign * cents
    return {kind: cents for kind, cents in total.items() if cents}


def float_figures(records: Iterable[Recorded], after: BareTable, before: BareTable = UNCONFIGURED) -> FloatFigures:
    fills = credited = differences = uncounted = 0
    for event in (event for record in records for event in record.events):
        match event:
            case e.ChipsFilled():
                fills += event.cents
            case e.ChipsCredited():
                credited += event.cents
            case e.FloatCounted():
                fills += event.brought_forward_cents
                differences += event.difference_cents
            case e.FloatUncounted():
                uncounted += 1
    first, last = before.money_ledger.balance(CHIP_RACK), after.money_ledger.balance(CHIP_RACK)
    patrons = last - first - fills + credited - differences
    return FloatFigures(first, fills, credited, patrons, differences, last, uncounted)


def float_lines(records: Iterable[Recorded]) -> tuple[FloatLine, ...]:
    """All that was done about the float, with the person who approved it."""
    kinds = (e.ChipsFilled, e.ChipsCredited, e.FloatCounted, e.FloatUncounted)
    return tuple(
        _float_line(record, event) for record in records for event in record.events if isinstance(event, kinds)
    )


def _float_line(
    record: Recorded, event: e.ChipsFilled | e.ChipsCredited | e.FloatCounted | e.FloatUncounted
) -> FloatLine:
    return FloatLine(
        at_ms=record.at_ms,
        kind=type(event).__name__,
        when=getattr(event, "when", ""),
        cents=getattr(event, "cents", 0),
        expected=getattr(event, "expected_cents", None),
        difference=getattr(event, "difference_cents", None),
        slip=getattr(event, "slip", ""),
        carried_by=getattr(event, "brought_by", "") or getattr(event, "taken_by", ""),
        by=event.by,
        approver=_approver(record),
        clause=event.clause,
    )


def _approver(record: Recorded) -> str:
    """Who approved it, or signed for the time of a failure."""
    seconds = [one.second for one in record.events if isinstance(one, e.Countersigned)]
    failures = [one for one in record.events if isinstance(one, e.StationFaulted | e.SystemFailed)]
    return next((one for one in (*seconds, *(one.signed_by for one in failures if one.signed_by != one.by)) if one), "")


def put_right(records: Iterable[Recorded]) -> tuple[PutRightLine, ...]:
    """Voids, dummy coups, corrections, waivers and payments by hand, with the approver where one was due."""
    return tuple(
        _put_right_line(record, event) for record in records for event in record.events if type(event) in _CENTS
    )


def _put_right_line(record: Recorded, event: e.Event) -> PutRightLine:
    told = ("reason", "decision", "cause")
    return PutRightLine(
        at_ms=record.at_ms,
        kind=type(event).__name__,
        coup=getattr(event, "coup", None),
        station=getattr(event, "station", ""),
        cents=_CENTS[type(event)](event),
        reason=next((str(getattr(event, name)) for name in told if getattr(event, name, "")), ""),
        by=getattr(event, "by", ""),
        approver=_approver(record),
        clause=str(getattr(event, "clause", "")),
    )


def _refunds(event: e.CoupVoided | e.DummyCoupDeclared) -> int:
    return sum(sum(wagers.values()) for wagers in event.refunds.values())


def _taken_back(event: e.ResolutionTakenBack) -> int:
    return sum(one.brings() for one in event.moved)


def _adjustments(event: e.CoupRecalculated | e.CoupInvalidated | e.WagersReversed) -> int:
    return sum(one.change_cents for one in event.adjustments.values())


def _booked_difference(event: e.DifferenceBooked) -> int:
    """What an account follows the meters by; where the meters follow the ledger, nothing moves."""
    return event.meters_cents - event.ledger_cents if event.station and event.right == "meters" else 0


_CENTS: dict[type[e.Event], Callable[[Any], int]] = {
    e.CoupVoided: _refunds,
    e.DummyCoupDeclared: _refunds,
    e.ResolutionTakenBack: _taken_back,
    e.WagersVoided: lambda event: sum(event.wagers.values()),
    e.OutcomeCorrected: lambda _: 0,
    e.CoupRecalculated: _adjustments,
    e.CoupInvalidated: _adjustments,
    e.WagersReversed: _adjustments,
    e.OwedWaived: lambda event: event.cents,
    e.BuyInCorrected: lambda event: event.adjustment.change_cents,
    e.TicketPaidManually: lambda event: event.cents,
    e.DifferenceBooked: _booked_difference,
    e.PaidByHand: lambda event: event.cents,
    e.DisputeDecided: lambda event: sum(event.adjustments.values()),
}
"""The events of a report of corrections, and the money that each moved to patrons."""


def bets_report(played: Iterable[Played]) -> tuple[BetLine, ...]:
    """Actual figures by bet, each coup as it was settled last and none that was made invalid."""
    wagers: Counter[str] = Counter()
    turnover: Counter[str] = Counter()
    win: Counter[str] = Counter()
    for one in _standing(played):
        for settled in one.settlements.values():
            for line in settled:
                wagers[line.bet] += 1
                turnover[line.bet] += line.stake_cents
                win[line.bet] -= line.net_cents
    return tuple(BetLine(bet, wagers[bet], turnover[bet], win[bet]) for bet in wagers)


def _standing(played: Iterable[Played]) -> list[Played]:
    """Each coup as it was settled last for money, without those that were made invalid and those of tournaments."""
    return [one for one in {one.coup: one for one in played}.values() if not one.invalid and not one.session]
