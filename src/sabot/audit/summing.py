"""Adds up the sum of a period, record by record or sum by sum, without the table's state."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from sabot.audit.coup_figures import CoupFigures, corrected_coup, figures_after, figures_of
from sabot.audit.money_changes import StationTotals, booked, meter
from sabot.audit.period_sum import START, FloatSum, PeriodSum, SumPlace
from sabot.audit.play_summing import PlaySumming
from sabot.audit.record_reading import RecordReading
from sabot.floor.records.record_codec import (
    read_answer,
    read_events,
    read_refusal,
    read_touched,
    sets_a_wager,
)
from sabot.journal.ownership import taking_of
from sabot.journal.record import FORMAT, Record
from sabot.rules.terms import Settlement
from sabot.table import events as e
from sabot.views.put_right import put_right
from sabot.views.reports import FloatLine, PutRightLine, Recorded, float_lines

RECENT = 256
"""Settled coups whose figures are at hand for a correction; those of an older one are read from the journal."""


class Summing:
    """The sum of the records from a place on."""

    def __init__(self, before: SumPlace = START, *, patrons: bool = True) -> None:
        """Without `patrons` the figures of patrons are left out, which take longest where many come."""
        self._before = before
        self.reading = RecordReading(before)
        """What the next record is read by."""
        self.taken: Sequence[e.Event] | None = ()
        """The events of the record that was taken last; nothing where it was one touch on the layout."""
        self._count: Counter[str] = Counter()
        self.records = self._accepted = self._touches = 0
        self._first = self._last = self._from_ms = self._to_ms = 0
        self._refusals: Counter[str] = Counter()
        self._events: Counter[str] = Counter()
        self._won: Counter[str] = Counter()
        self._dealers: dict[str, None] = {}
        self._stations: dict[str, StationTotals] = {}
        self._put_right: list[PutRightLine] = []
        self._float_lines: list[FloatLine] = []
        self._play = PlaySumming(self.reading, patrons=patrons)
        self._recent: dict[int, CoupFigures] = {}

    @property
    def place(self) -> SumPlace:
        """Where the sum ends so far."""
        return self.reading.place()

    @property
    def before(self) -> SumPlace:
        return self._before

    @property
    def version(self) -> int:
        return self.reading.version

    @property
    def at_ms(self) -> int:
        """The newest time of an act so far."""
        return self.reading.at_ms

    @property
    def has_acts(self) -> bool:
        return bool(self._accepted or self._refusals)

    @property
    def from_ms(self) -> int:
        """The time of the first act; 0 where there is none."""
        return self._from_ms

    @property
    def is_configured(self) -> bool:
        return bool(self.reading.day_starts)

    @property
    def coups(self) -> int:
        return self._count["coups"]

    def take(self, record: Record) -> tuple[int, ...]:
        """Add a record, or name the coups whose figures must be told first; nothing is added then."""
        self.taken = ()
        if not self._touched(record):
            answer = read_answer(record)
            events = () if answer.accepted is msgspec.UNSET else read_events(answer.accepted)
            missing = self._missing(events)
            if missing:
                return missing
            self.taken = events
            if answer.accepted is not msgspec.UNSET:
                self.happened(record.version, record.entry.at_ms, events)
            elif answer.refused is not msgspec.UNSET:
                self._refused(record, read_refusal(answer.refused).code)
            else:
                self._count["owners"] += taking_of(record) is not None
        self.records += 1
        self.reading.version = record.version
        return ()

    def _touched(self, record: Record) -> bool:
        """Add a touch on the layout, as most records are; of those only names are read."""
        answer = record.entry.answer
        if record.form != FORMAT or not sets_a_wager(bytes(answer)):
            return False
        names, refused = read_touched(answer)
        if refused is not None:
            self._refused(record, refused)
        elif names == _ONE_TOUCH:
            self._touches += 1
            self.taken = None
            self._accept(record.version, record.entry.at_ms)
        else:
            return False
        return True

    def _refused(self, record: Record, code: str) -> None:
        self._acted(record.entry.at_ms)
        self._refusals[code] += 1

    def _accept(self, version: int, at_ms: int) -> None:
        self._acted(at_ms)
        self._accepted += 1
        self._last = version
        if not self._first:
            self._first = version

    def remember(self, coup: int, figures: CoupFigures) -> None:
        """The figures of an earlier coup, as it stands before the next record."""
        self._recent[coup] = figures
        if len(self._recent) > RECENT:
            del self._recent[next(iter(self._recent))]

    def figures(self, coup: int) -> CoupFigures | None:
        """The figures of a coup as it stands now, where they are at hand."""
        return self._recent.get(coup)

    def _missing(self, events: Sequence[e.Event]) -> tuple[int, ...]:
        named = (corrected_coup(event) for event in events)
        return tuple(dict.fromkeys(coup for coup in named if coup is not None and coup not in self._recent))

    def happened(self, version: int, at_ms: int, events: Sequence[e.Event]) -> None:
        """Add what an accepted act caused."""
        self._accept(version, at_ms)
        for event in events:
            self._events[type(event).__name__] += 1
            if not self.reading.in_credits:
                self._moved(event)
            self._count_event(event)
            self._corrected(event)
            self.reading.take(event)
        self._play.follow(self.reading)
        self.reading.name_coup(events)
        lines = (Recorded(at_ms, tuple(events)),)
        self._put_right += put_right(lines)
        self._float_lines += float_lines(lines)

    def _acted(self, at_ms: int) -> None:
        self._to_ms = at_ms
        self.reading.at_ms = max(self.reading.at_ms, at_ms)
        if not self._from_ms and at_ms:
            self._from_ms = at_ms
            self._play.until(self.reading.at_ms)

    def _of_station(self, station: str) -> StationTotals:
        totals = self._stations.get(station)
        if totals is None:
            totals = self._stations[station] = StationTotals()
            self.reading.metered.setdefault(station)
        return totals

    def _moved(self, event: e.Event) -> None:
        """Meters and books."""
        if type(event) is e.WagersChanged:
            return
        meter(event, self._of_station)
        if type(event) is e.WagersSettled:
            self._count["booked"] -= sum(one.net_cents for settled in event.settlements.values() for one in settled)
            return
        won, outside, rack = booked(event)
        self._count["booked"] += won
        self._count["outside"] += outside
        self.reading.rack_cents += rack

    def _count_event(self, event: e.Event) -> None:
        if isinstance(event, e.WagersSettled):
            self._settled(event)
        elif isinstance(event, e.WageringOpened):
            self._dealers.setdefault(event.dealer)
        elif isinstance(event, e.CoupVoided):
            self._count["voided"] += 1
            self._play.voided(self.reading.coup_dealer)
        elif (figures := _FIGURES.get(type(event))) is not None:
            for name, number in figures(event).items():
                self._count[name] += number

    def _settled(self, event: e.WagersSettled) -> None:
        reading, count = self.reading, self._count
        figures = figures_of(event.settlements, reading.money_terms, reading.coup_dealer, reading.seated)
        self.remember(event.coup, figures)
        if not figures.counts:
            return
        count["coups"] += 1
        self._play.first_coup = self._play.first_coup or event.coup
        for line in figures.whole.bets.values():
            count["turnover"] += line.turnover
            count["win"] += line.win
        count["commission"] += figures.whole.commission
        for outcome, number in _outcomes(event.settlements).items():
            self._won[outcome] += number
        self._played(event.coup, figures, 1)

    def _corrected(self, event: e.Event) -> None:
        coup = corrected_coup(event)
        if coup is None:
            return
        before = self._recent[coup]
        after = figures_after(event, before)
        self.remember(coup, after)
        if isinstance(event, e.CoupRecalculated | e.CoupInvalidated):
            self._play.corrected(before.dealer)
        for figures, sign in ((before, -1), (after, 1)):
            if figures.counts:
                self._played(coup, figures, sign)

    def _played(self, coup: int, figures: CoupFigures, sign: int) -> None:
        """Add a coup as it stands, or take it away as it stood."""
        for station, cents in figures.commission.items():
            self._of_station(station).commission += sign * cents
        self._play.played(coup, figures, sign)

    def join(self, one: PeriodSum) -> None:
        """Add the sum of the period that follows."""
        assert one.before == self.place, "sums of periods add up where one follows the other"
        self.records += one.records
        self._accepted += one.accepted
        for name in _COUNTED:
            self._count[name] += getattr(one, name)
        for name in _OF_THE_FLOAT:
            self._count[name] += getattr(one.chip_float, name)
        self._first, self._last = self._first or one.first, one.last or self._last
        self._from_ms, self._to_ms = self._from_ms or one.from_ms, one.to_ms or self._to_ms
        for total, part in ((self._refusals, one.refusals), (self._events, one.events), (self._won, one.won)):
            for name, number in part.items():
                total[name] += number
        self._dealers |= dict.fromkeys(one.dealers)
        for station, totals in one.stations.items():
            self._of_station(station).add(totals)
        self._put_right += one.put_right
        self._float_lines += one.float_lines
        self.reading = RecordReading(one.after)
        self._play.join(one, self.reading)
        self._recent.clear()

    def sum(self) -> PeriodSum:
        """The sum so far."""
        if self._from_ms:
            self._play.until(self.reading.at_ms)
        play = self._play.sums()
        events = self._events + Counter({"WagersChanged": self._touches})
        return PeriodSum(
            records=self.records,
            accepted=self._accepted,
            **{name: self._count[name] for name in _COUNTED},
            before=self._before,
            after=self.place,
            first=self._first,
            last=self._last,
            from_ms=self._from_ms,
            to_ms=self._to_ms,
            refusals=dict(self._refusals),
            events=dict(events),
            dealers=tuple(self._dealers),
            won=dict(self._won),
            stations={station: totals.sum() for station, totals in self._stations.items()},
            chip_float=FloatSum(*(self._count[name] for name in _OF_THE_FLOAT)),
            put_right=tuple(self._put_right),
            float_lines=tuple(self._float_lines),
            first_coup=play.first_coup,
            terms=play.terms,
            dealing=play.dealing,
            patrons=play.patrons,
            late=play.late,
        )


_COUNTED = (
    *("owners", "coups", "voided", "turnover", "win", "commission", "came_in", "paid_out"),
    *("booked", "outside"),
)
_ONE_TOUCH = (e.WagersChanged.__name__,)
_OF_THE_FLOAT = FloatSum.__struct_fields__


def _void_taken_back(event: e.ResolutionTakenBack) -> dict[str, int]:
    return {"voided": -(event.id == "void" and event.coup is not None)}


_FIGURES: dict[type[e.Event], Callable[[Any], dict[str, int]]] = {
    e.ResolutionTakenBack: _void_taken_back,
    e.BoughtIn: lambda event: {"came_in": event.cents},
    e.NoteStacked: lambda event: {"came_in": event.cents},
    e.TicketCredited: lambda event: {"came_in": event.cents},
    e.BuyInCorrected: lambda event: {"came_in": event.cents - event.was_cents},
    e.PaidOut: lambda event: {"paid_out": event.cents},
    e.TicketIssued: lambda event: {"paid_out": event.cents},
    e.ChipsFilled: lambda event: {"fills": event.cents},
    e.ChipsCredited: lambda event: {"credits": event.cents},
    e.FloatCounted: lambda event: {
        "fills": event.brought_forward_cents,
        "differences": event.difference_cents,
    },
    e.FloatUncounted: lambda _: {"uncounted": 1},
}
"""What an event adds to the figures of a period that are plain counts."""


def _outcomes(settlements: Mapping[str, Sequence[Settlement]]) -> Counter[str]:
    pairs = Counter((one.bet, one.outcome) for settled in settlements.values() for one in settled)
    return Counter({f"{bet}.{outcome.value}": number for (bet, outcome), number in pairs.items()})
