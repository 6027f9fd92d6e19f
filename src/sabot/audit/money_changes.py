"""What an event adds to a station's meters and to the books of a table, told from the event alone.

A sum of a period begins anywhere in a stream, without the table's state. The rules are those by which the table's own
meters and ledger go on; a test holds the two together over random nights.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from sabot.audit.period_sum import StationSum
from sabot.ledger.account import ASSETS, CHIP_RACK, AccountKind
from sabot.table import events as e
from sabot.table.money import postings

_OUTSIDE = {AccountKind.OWED: 1, AccountKind.UNCOLLECTED: 1, AccountKind.PAYABLE: -1, AccountKind.SEIZED: -1}
"""Corrections reach the ledger at once, and a meter only when money enters or leaves the patron's account."""
_BOOKED = {AccountKind.WIN, AccountKind.COMMISSION}


class StationTotals:
    """A station's sum that is being added up."""

    __slots__ = ("adjusted", "came_in", "commission", "coups", "credited", "moved", "paid", "wagered")

    def __init__(self) -> None:
        self.coups = self.wagered = self.credited = self.adjusted = self.commission = self.moved = 0
        self.came_in: Counter[str] = Counter()
        self.paid: Counter[str] = Counter()

    def add(self, one: StationSum) -> None:
        self.coups += one.coups
        self.wagered += one.wagered
        self.credited += one.credited
        self.adjusted += one.adjusted
        self.commission += one.commission
        self.moved += one.moved
        for total, part in ((self.came_in, one.came_in), (self.paid, one.paid)):
            for kind, cents in part.items():
                total[kind] += cents

    def sum(self) -> StationSum:
        came_in, paid = ({kind: cents for kind, cents in one.items() if cents} for one in (self.came_in, self.paid))
        figures = (self.coups, self.wagered, self.credited, self.adjusted, self.commission)
        return StationSum(*figures, came_in, paid, self.moved)


TotalsOf = Callable[[str], StationTotals]
"""The totals of a station, which has meters from then on."""


def meter(event: e.Event, of: TotalsOf) -> None:
    """Add what the meters of the stations count for an event."""
    count = _METERED.get(type(event))
    if count is not None:
        count(event, of)


def booked(event: e.Event) -> tuple[int, int, int]:
    """What an event adds to win and commission, to what stands outside the meters, and to the chip rack."""
    won = outside = rack = 0
    for one in postings(event):
        for account, change in ((one.debit, -one.cents), (one.credit, one.cents)):
            kind = account.kind
            brought = -change if kind in ASSETS else change
            if kind in _BOOKED:
                won += brought
            elif kind in _OUTSIDE:
                outside += _OUTSIDE[kind] * brought
            elif account == CHIP_RACK:
                rack += brought
    return won, outside, rack


def _settled(event: e.WagersSettled, of: TotalsOf) -> None:
    for station, settled in event.settlements.items():
        stakes = net = 0
        for one in settled:
            stakes += one.stake_cents
            net += one.net_cents
        totals = of(station)
        totals.wagered += stakes
        totals.credited += stakes + net
        totals.coups += 1


def _adjusted(adjustments: Mapping[str, e.Adjustment], of: TotalsOf) -> None:
    for name, one in adjustments.items():
        of(one.moved_to or name).adjusted += one.credited_cents - one.taken_cents - one.from_held_cents


def _corrected(event: e.CoupRecalculated | e.CoupInvalidated | e.WagersReversed, of: TotalsOf) -> None:
    _adjusted(event.adjustments, of)


def _disputed(event: e.DisputeDecided, of: TotalsOf) -> None:
    _adjusted(event.booked, of)


def _bought_in(event: e.BoughtIn, of: TotalsOf) -> None:
    of(event.station).came_in[event.tender] += event.cents


def _note(event: e.NoteStacked, of: TotalsOf) -> None:
    of(event.station).came_in["notes"] += event.cents


def _ticket_in(event: e.TicketCredited, of: TotalsOf) -> None:
    of(event.station).came_in["ticket"] += event.cents


def _buy_in_corrected(event: e.BuyInCorrected, of: TotalsOf) -> None:
    _adjusted({event.station: event.adjustment}, of)
    totals = of(event.station)
    totals.came_in[event.was_tender] -= event.was_cents
    totals.came_in[event.tender] += event.cents
    totals.adjusted -= event.adjustment.change_cents


def _paid_out(event: e.PaidOut, of: TotalsOf) -> None:
    of(event.station).paid["chips"] += event.cents


def _ticket(event: e.TicketIssued, of: TotalsOf) -> None:
    of(event.station).paid["ticket"] += event.cents


def _collected(event: e.OwedCollected, of: TotalsOf) -> None:
    of(event.station).adjusted -= event.cents


def _taken_back(event: e.ResolutionTakenBack, of: TotalsOf) -> None:
    for station, cents in event.corrected.items():
        of(station).adjusted += cents


def _seized(event: e.WinningsSeized, of: TotalsOf) -> None:
    of(event.station).adjusted -= event.cents - event.from_payable_cents


def _difference(event: e.DifferenceBooked, of: TotalsOf) -> None:
    if event.station and event.right != "meters":
        of(event.station).adjusted += event.ledger_cents - event.meters_cents


def _by_hand(event: e.PaidByHand, of: TotalsOf) -> None:
    totals = of(event.station)
    totals.adjusted += event.cents - event.meters_cents
    totals.paid["manual"] += event.cents


def _moved(event: e.PatronMoved, of: TotalsOf) -> None:
    """Both stations have meters then, whatever the patron takes along."""
    cents = event.balance_cents + event.held_cents + sum(event.wagers.values())
    of(event.station).moved -= cents
    of(event.target).moved += cents


_METERED: dict[type[e.Event], Callable[[Any, TotalsOf], None]] = {
    e.BoughtIn: _bought_in,
    e.NoteStacked: _note,
    e.TicketCredited: _ticket_in,
    e.BuyInCorrected: _buy_in_corrected,
    e.WagersSettled: _settled,
    e.CoupRecalculated: _corrected,
    e.CoupInvalidated: _corrected,
    e.WagersReversed: _corrected,
    e.DisputeDecided: _disputed,
    e.ResolutionTakenBack: _taken_back,
    e.OwedCollected: _collected,
    e.WinningsSeized: _seized,
    e.PaidOut: _paid_out,
    e.TicketIssued: _ticket,
    e.DifferenceBooked: _difference,
    e.PaidByHand: _by_hand,
    e.PatronMoved: _moved,
}
