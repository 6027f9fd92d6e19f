"""Voids, corrections, waivers and payments by hand, with the money that each moved on every account."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from sabot.table import events as e
from sabot.table.corrections.events import Adjustment
from sabot.views.reports import AccountMoved, PutRightLine, Recorded, approver


def put_right(records: Iterable[Recorded]) -> tuple[PutRightLine, ...]:
    """Voids, dummy coups, corrections, waivers and payments by hand, with the approver where one was due."""
    return tuple(_line(record, event) for record in records for event in record.events if type(event) in _MOVED)


def _line(record: Recorded, event: e.Event) -> PutRightLine:
    told = ("reason", "decision", "cause")
    return PutRightLine(
        at_ms=record.at_ms,
        kind=type(event).__name__,
        coup=getattr(event, "coup", None),
        moved=tuple(_MOVED[type(event)](event)),
        reason=next((str(getattr(event, name)) for name in told if getattr(event, name, "")), ""),
        by=getattr(event, "by", ""),
        approver=approver(record),
        clause=str(getattr(event, "clause", "")),
    )


def _refunds(event: e.CoupVoided | e.DummyCoupDeclared) -> Iterator[AccountMoved]:
    for station, wagers in event.refunds.items():
        yield AccountMoved(station, credited=sum(wagers.values()))


def _taken_back(event: e.ResolutionTakenBack) -> Iterator[AccountMoved]:
    stations = dict.fromkeys(account.station for one in event.moved for account in (one.debit, one.credit))
    for station in filter(None, stations):
        yield _moved(station, sum(one.brings(station) for one in event.moved))


def _moved(station: str, cents: int) -> AccountMoved:
    return AccountMoved(station, credited=max(0, cents), taken=max(0, -cents))


def _adjusted(adjustments: Mapping[str, Adjustment]) -> Iterator[AccountMoved]:
    for name, one in adjustments.items():
        taken = one.taken_cents + one.from_held_cents
        moved = one.credited_cents - taken + one.payable_cents - one.owed_cents
        yield AccountMoved(
            one.moved_to or name,
            credited=one.credited_cents,
            taken=taken,
            payable=one.payable_cents,
            owed=one.owed_cents,
            set_off=one.change_cents - moved,
        )


def _difference(event: e.DifferenceBooked) -> Iterator[AccountMoved]:
    """What an account follows the meters by; where the meters follow the ledger, nothing moves."""
    if event.station and event.right == "meters":
        yield _moved(event.station, event.meters_cents - event.ledger_cents)


def _paid(event: e.TicketPaidManually | e.PaidByHand) -> Iterator[AccountMoved]:
    yield AccountMoved(getattr(event, "station", ""), credited=event.cents)


_MOVED: dict[type[e.Event], Callable[[Any], Iterable[AccountMoved]]] = {
    e.CoupVoided: _refunds,
    e.DummyCoupDeclared: _refunds,
    e.ResolutionTakenBack: _taken_back,
    e.WagersVoided: lambda event: (AccountMoved(event.station, credited=sum(event.wagers.values())),),
    e.OutcomeCorrected: lambda _: (),
    e.CoupRecalculated: lambda event: _adjusted(event.adjustments),
    e.CoupInvalidated: lambda event: _adjusted(event.adjustments),
    e.WagersReversed: lambda event: _adjusted(event.adjustments),
    e.OwedWaived: lambda event: (AccountMoved(event.station, set_off=event.cents),),
    e.BuyInCorrected: lambda event: _adjusted({event.station: event.adjustment}),
    e.TicketPaidManually: _paid,
    e.DifferenceBooked: _difference,
    e.PaidByHand: _paid,
    e.DisputeDecided: lambda event: _adjusted(event.booked),
}
"""The events of a report of corrections, and the money that each moved."""
