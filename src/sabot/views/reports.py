"""Reports as data: the figures of a shift, the win of each table and station, voids and corrections with their authors.

`audit/table_report` makes them from the sum of a period.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import msgspec

from sabot.table import events as e


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
    low: float | None = None
    high: float | None = None
    """The bounds within which 95 of 100 such periods end."""


class AccountMoved(msgspec.Struct, frozen=True, gc=False):
    """What a correction did to one account, in cents; together it is what the correction is worth to the patron."""

    station: str
    """Empty where a payment names no station."""
    credited: int = 0
    taken: int = 0
    payable: int = 0
    """What could not be credited, because the patron had left."""
    owed: int = 0
    """What could not be taken."""
    set_off: int = 0
    """What an earlier correction had left open and this one closed: above zero of a debt, below zero of a payable."""

    @property
    def cents(self) -> int:
        return self.credited - self.taken + self.payable - self.owed + self.set_off


class PutRightLine(msgspec.Struct, frozen=True):
    """A void, a correction or a payment by hand, with the persons who gave and approved it."""

    at_ms: int
    kind: str
    coup: int | None
    moved: tuple[AccountMoved, ...]
    """By account; empty where no money moved."""
    reason: str
    by: str
    approver: str
    clause: str

    @property
    def cents(self) -> int:
        """What it was worth to patrons."""
        return sum(one.cents for one in self.moved)


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


class DealerLine(msgspec.Struct, frozen=True, kw_only=True):
    """The coups whose wagering a dealer opened, as they stand, and the time for which the dealer ran the game."""

    dealer: str
    coups: int
    turnover: int
    win: int
    """What the house won by them, commission included."""
    commission: int
    voids: int
    corrected: int
    """How often a coup of this dealer was recalculated or made invalid in the period."""
    present_ms: int
    coups_an_hour: float | None
    theoretical_win: float | None = None
    low: float | None = None
    high: float | None = None


class PatronLine(msgspec.Struct, frozen=True, kw_only=True):
    """The coups in which a patron wagered who gave a reference, as they stand, and the time at a station."""

    patron: str
    coups: int
    turnover: int
    win: int
    """What the house won by them; below zero what the patron won."""
    commission: int
    present_ms: int
    theoretical_win: float | None = None


class MeterLine(msgspec.Struct, frozen=True):
    """What the meters of a station counted in the period, by the names of standards (`meter_names.tsv`)."""

    station: str
    meters: dict[str, int]
    """In cents, but for the games. `credit` is what the credit of the station changed by."""


class TableReport(msgspec.Struct, frozen=True):
    """All figures that the reports of a table show."""

    heading: Heading
    table: str
    currency: str
    as_of: int
    """The version of the newest record that was read."""
    signed_to: int
    """The version up to which the table's records are signed; with 0 nobody vouches for any of them."""
    records: int
    """How many records of the period changed something."""
    first: int
    last: int
    """The versions of the first and last of them; 0 where there are none."""
    shift: ShiftReport
    put_right: tuple[PutRightLine, ...]
    bets: tuple[BetLine, ...]
    dealers: tuple[DealerLine, ...]
    """By dealer; their coups are those of the bets."""
    patrons: tuple[PatronLine, ...]
    """By reference; empty unless they were asked for, and in a report over several tables, which has its own."""
    float_lines: tuple[FloatLine, ...]
    meters: tuple[MeterLine, ...]
    """By station."""


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
        approver=approver(record),
        clause=event.clause,
    )


def approver(record: Recorded) -> str:
    """Who approved it, or signed for the time of a failure."""
    seconds = [one.second for one in record.events if isinstance(one, e.Countersigned)]
    failures = [one for one in record.events if isinstance(one, e.StationFaulted | e.SystemFailed)]
    return next((one for one in (*seconds, *(one.signed_by for one in failures if one.signed_by != one.by)) if one), "")
