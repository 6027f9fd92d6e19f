"""What buying in, leaving and being paid change beside the ledger."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from sabot.table import events as e
from sabot.table.accounts.state import (
    ControlSession,
    Deferred,
    StationEscrow,
    StationState,
    TableTicket,
    TableTicketStatus,
    Tendered,
)
from sabot.table.care.carrying import left_behind
from sabot.table.parts import meters_of, on_station, put
from sabot.table.state import TableState


def _account_opened(state: TableState, event: e.AccountOpened) -> TableState:
    station = StationState(control=event.control, patron=event.patron)
    session = ControlSession(event.station, event.patron, event.at_ms)
    return replace(
        state,
        stations=put(state.stations, event.station, station),
        controls=event.control,
        sessions={**state.sessions, event.control: session},
    )


def _bought_in(state: TableState, event: e.BoughtIn) -> TableState:
    meters = meters_of(state, event.station).bought_in(event.tender, event.cents)
    tendered = Tendered(
        event.station,
        state.stations[event.station].control,
        event.cents,
        event.tender,
        event.reference,
        while_owing=state.owed(event.station) > 0,
        day=state.day_ended,
    )
    number = state.buy_ins_made + 1
    state = replace(
        state,
        meters=put(state.meters, event.station, meters),
        buy_ins={**state.buy_ins, number: tendered},
        buy_ins_made=number,
    )
    return _brought(state, event.station, event.cents)


def _note_stacked(state: TableState, event: e.NoteStacked) -> TableState:
    meters = meters_of(state, event.station).bought_in("notes", event.cents)
    return _brought(replace(state, meters=put(state.meters, event.station, meters)), event.station, event.cents)


def _ticket_credited(state: TableState, event: e.TicketCredited) -> TableState:
    meters = meters_of(state, event.station).bought_in("ticket", event.cents)
    state = _escrow_over(replace(state, meters=put(state.meters, event.station, meters)), event)
    return _brought(state, event.station, event.cents)


def _escrow_over(state: TableState, event: e.TicketCredited | e.EscrowDropped) -> TableState:
    over = StationEscrow(event.escrow, event.ticket, isinstance(event, e.TicketCredited))
    return replace(state, escrows=put(state.escrows, event.station, over))


def _brought(state: TableState, station: str, cents: int) -> TableState:
    there = state.stations[station]
    while_owing = there.brought_while_owing + cents if state.owed(station) else 0
    while_frozen = 0 if state.frozen_at_ms is None else there.brought_while_frozen + cents
    return on_station(
        state,
        station,
        brought=there.brought + cents,
        brought_while_owing=while_owing,
        brought_while_frozen=while_frozen,
    )


def _buy_in_deferred(state: TableState, event: e.BuyInDeferred) -> TableState:
    one = Deferred(event.station, event.cents, event.tender, event.reference, event.patron, event.by)
    return replace(state, deferred=(*state.deferred, one))


def _nominee_named(state: TableState, event: e.NomineeNamed) -> TableState:
    return on_station(state, event.station, nominee=event.nominee)


def _leave_asked(state: TableState, event: e.LeaveAsked) -> TableState:
    return on_station(state, event.station, leaving=True)


def _leave_taken_back(state: TableState, event: e.LeaveTakenBack) -> TableState:
    return on_station(state, event.station, leaving=False)


def _directed_to_leave(state: TableState, event: e.DirectedToLeave) -> TableState:
    return on_station(state, event.station, directed_to_leave=True)


def _paid_out(state: TableState, event: e.PaidOut) -> TableState:
    meters = meters_of(state, event.station).paid_out("chips", event.cents)
    return replace(state, meters=put(state.meters, event.station, meters))


def _ticket_issued(state: TableState, event: e.TicketIssued) -> TableState:
    meters = meters_of(state, event.station).paid_out("ticket", event.cents)
    ticket = TableTicket(event.station, event.cents, TableTicketStatus.ISSUED, event.at_ms)
    return replace(
        state,
        meters=put(state.meters, event.station, meters),
        tickets=put(state.tickets, event.ticket, ticket),
    )


def _print_failed(state: TableState, event: e.PrintFailed) -> TableState:
    ticket = replace(state.tickets[event.ticket], status=TableTicketStatus.PRINT_FAILED)
    return replace(state, tickets=put(state.tickets, event.ticket, ticket))


def _paid_manually(state: TableState, event: e.TicketPaidManually) -> TableState:
    known = state.tickets[event.ticket]
    ticket = replace(known, status=TableTicketStatus.PAID_MANUALLY, release=event.release)
    return replace(state, tickets=put(state.tickets, event.ticket, ticket))


def _handed_back(state: TableState, event: e.ReleaseHandedBack) -> TableState:
    ticket = replace(state.tickets[event.ticket], handed_back=event.release)
    return replace(state, tickets=put(state.tickets, event.ticket, ticket))


def _asked_to_vacate(state: TableState, event: e.AskedToVacate) -> TableState:
    return on_station(state, event.station, vacate_by=event.coup)


def _account_closed(state: TableState, event: e.AccountClosed) -> TableState:
    left_care = left_behind(state, event.station)
    return replace(state, stations=put(state.stations, event.station, StationState()), left_care=left_care)


APPLY: dict[type[e.Event], Callable[[TableState, Any], TableState]] = {
    e.AccountOpened: _account_opened,
    e.BoughtIn: _bought_in,
    e.BuyInDeferred: _buy_in_deferred,
    e.NoteStacked: _note_stacked,
    e.TicketCredited: _ticket_credited,
    e.EscrowDropped: _escrow_over,
    e.NomineeNamed: _nominee_named,
    e.LeaveAsked: _leave_asked,
    e.LeaveTakenBack: _leave_taken_back,
    e.DirectedToLeave: _directed_to_leave,
    e.PaidOut: _paid_out,
    e.TicketIssued: _ticket_issued,
    e.PrintFailed: _print_failed,
    e.TicketPaidManually: _paid_manually,
    e.ReleaseHandedBack: _handed_back,
    e.AccountClosed: _account_closed,
    e.AskedToVacate: _asked_to_vacate,
}
