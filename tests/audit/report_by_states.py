"""Reports by the states of a table: every record is replayed, and every coup kept. What reports by sums are held to."""

from collections import Counter
from collections.abc import Iterable
from math import sqrt

import msgspec

from sabot.audit.theory import NINETY_FIVE_OF_A_HUNDRED, covariance, edges
from sabot.floor.records.record_codec import read_answer, read_events
from sabot.journal.record import Record
from sabot.ledger.account import CHIP_RACK, COMMISSION, WIN, AccountKind
from sabot.ledger.audit import NO_METERS
from sabot.ledger.meters import Meters
from sabot.rules.terms import Terms
from sabot.table import events as e
from sabot.table.evolve import evolve
from sabot.table.state import UNCONFIGURED, AnyTable, BareTable, Played, TableState
from sabot.views.meter_names import by_standard
from sabot.views.put_right import put_right
from sabot.views.reports import (
    BetLine,
    FloatFigures,
    Heading,
    MeterLine,
    Recorded,
    ShiftReport,
    TableReport,
    WinLine,
    WinReport,
    float_lines,
)
from tests.audit.play_by_states import PlayByStates, expected, stakes


class ReportByStates:
    """Takes the records of a table one by one, and makes the report of a period at the end."""

    def __init__(self, table: str, from_ms: int, to_ms: int) -> None:
        self._table, self._from_ms, self._to_ms = table, from_ms, to_ms
        self._before: AnyTable = UNCONFIGURED
        self._state: AnyTable = UNCONFIGURED
        self._played: list[Played] = []
        """Every version of every coup."""
        self._played_before: list[Played] = []
        self._within: list[Recorded] = []
        self._versions: list[int] = []
        self._as_of = 0
        self._play = PlayByStates()

    def take(self, record: Record) -> bool:
        """Read one record, and return whether later ones may belong to the period."""
        answer, at_ms = read_answer(record), record.entry.at_ms
        is_act = answer.accepted is not msgspec.UNSET or answer.refused is not msgspec.UNSET
        if is_act and at_ms >= self._to_ms:
            return False
        if is_act:
            self._play.acted(at_ms, self._state, within=at_ms >= self._from_ms)
        self._as_of = record.version
        if answer.accepted is msgspec.UNSET:
            return True
        events = read_events(answer.accepted)
        for event in events:
            before, self._state = self._state, evolve(self._state, event)
            self._play.happened(event, before, self._state, within=at_ms >= self._from_ms)
            newest = self._state.put_right_last
            if newest is not None and newest is not before.put_right_last:
                self._played.append(newest)
        if at_ms < self._from_ms:
            self._before, self._played_before = self._state, list(self._played)
            return True
        self._within.append(Recorded(at_ms, tuple(events)))
        self._versions.append(record.version)
        return True

    def report(self, program: str, made_ms: int, signed_to: int) -> TableReport:
        earlier = {one.coup for one in self._played_before}
        played = [one for one in self._played if one.coup not in earlier and not one.session]
        bets = tuple(_with_theory(line, played) for line in bets_report(played))
        shift = self._shift_report()
        standing = [one for one in _standing(played) if one.settlements]
        theory = expected([(one.terms, stakes(one.settlements.values())) for one in standing])
        if theory.theoretical_win is not None:
            mean = round(theory.theoretical_win)
            win = msgspec.structs.replace(shift.win, theoretical_win=mean, low=theory.low, high=theory.high)
            shift = msgspec.structs.replace(shift, win=win)
        return TableReport(
            heading=Heading(f"Table {self._table}", program, self._from_ms, self._to_ms, made_ms),
            table=self._table,
            currency=self._state.configuration.currency if isinstance(self._state, TableState) else "",
            as_of=self._as_of,
            signed_to=signed_to,
            records=len(self._versions),
            first=self._versions[0] if self._versions else 0,
            last=self._versions[-1] if self._versions else 0,
            shift=shift,
            put_right=put_right(self._within),
            bets=bets,
            dealers=self._play.dealer_lines(_standing(played)),
            patrons=self._play.patron_lines(_standing(played)),
            float_lines=float_lines(self._within),
            meters=self._meters(shift),
        )

    def _meters(self, shift: ShiftReport) -> tuple[MeterLine, ...]:
        """The difference of the meters, but for the commission, which is that of the coups as they stand."""
        now, then = self._state.money_meters, self._before.money_meters
        lines = []
        for line in shift.win.stations:
            after, before = by_standard(now[line.station]), by_standard(then.get(line.station, NO_METERS))
            counted = {name: after[name] - before[name] for name in after}
            lines.append(MeterLine(line.station, counted | {"commission": line.commission}))
        return tuple(lines)

    def _shift_report(self) -> ShiftReport:
        commission = _commission(self._played)
        commission.subtract(_commission(self._played_before))
        return shift_report(self._table, self._within, self._state, self._before, commission)


def _with_theory(line: BetLine, played: list[Played]) -> BetLine:
    """The line with the expected win of the bet, and the bounds for 95 of 100 such periods.

    All wagers on a bet in one coup win or lose together, so the independent quantities are the sums by coup. Every coup
    is taken as the first of a fresh shoe, which is the mean over whole shoes.
    """
    staked: Counter[tuple[int, Terms]] = Counter()
    for one in {played.coup: played for played in played}.values():
        if one.invalid:
            continue
        for settled in one.settlements.values():
            for wager in settled:
                if wager.bet == line.bet:
                    staked[one.coup, one.terms] += wager.stake_cents
    mean = variance = 0.0
    for (_, terms), cents in staked.items():
        odds = edges(terms).get(line.bet)
        if odds is None:
            return line
        mean += odds * cents
        variance += covariance(terms, line.bet, line.bet) * cents**2
    reach = NINETY_FIVE_OF_A_HUNDRED * sqrt(variance)
    return msgspec.structs.replace(line, theoretical_win=mean, low=mean - reach, high=mean + reach)


def win_report(table: str, after: BareTable, before: BareTable, commission: Counter[str]) -> WinReport:
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


def _commission(played: Iterable[Played]) -> Counter[str]:
    """The commission of each station, by every coup as it was settled last."""
    paid: Counter[str] = Counter()
    for one in _standing(played):
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
    table: str, records: Iterable[Recorded], after: BareTable, before: BareTable, commission: Counter[str]
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
        win=win_report(table, after, before, commission),
        chip_float=float_figures(records, after, before),
    )


def _by_kind(after: BareTable, before: BareTable, meter: str) -> dict[str, int]:
    total: Counter[str] = Counter()
    for state, sign in ((after, 1), (before, -1)):
        for meters in state.money_meters.values():
            for kind, cents in getattr(meters, meter).items():
                total[kind] += sign * cents
    return {kind: cents for kind, cents in total.items() if cents}


def float_figures(records: Iterable[Recorded], after: BareTable, before: BareTable) -> FloatFigures:
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
