"""What an escrow changes, beside the ledger."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from sabot.house import events as e
from sabot.house.changing import counted, put, without
from sabot.house.state import HouseState, InEscrow, TicketStatus


def _escrowed(state: HouseState, event: e.TicketEscrowed) -> HouseState:
    held = InEscrow(event.ticket, event.escrow, event.at_ms)
    there = put(state.in_escrow.get(event.table, {}), event.station, held)
    ticket = replace(
        state.tickets[event.ticket], status=TicketStatus.IN_ESCROW, taken_by=f"{event.station} at {event.table}"
    )
    return replace(
        state,
        tickets=state.tickets.put(event.ticket, ticket),
        in_escrow=put(state.in_escrow, event.table, there),
        escrows=event.escrow,
    )


def _ended(state: HouseState, event: e.TicketEscrowEnded) -> HouseState:
    """The paper was in the acceptor, so it was printed."""
    ticket = replace(state.tickets[event.ticket], status=TicketStatus.PRINTED, taken_by="")
    return _out_of_escrow(replace(state, tickets=state.tickets.put(event.ticket, ticket)), event)


def _taken_in(state: HouseState, event: e.TicketTakenIn) -> HouseState:
    ticket = replace(state.tickets[event.ticket], status=TicketStatus.TAKEN_IN)
    state = replace(state, tickets=state.tickets.file(event.ticket, ticket, event.at_ms))
    return counted(_out_of_escrow(state, event), "taken_in", event.cents)


def _out_of_escrow(state: HouseState, event: e.TicketEscrowEnded | e.TicketTakenIn) -> HouseState:
    there = without(state.in_escrow[event.table], event.station)
    others = without(state.in_escrow, event.table)
    return replace(state, in_escrow=put(others, event.table, there) if there else others)


APPLY: dict[type[e.HouseEvent], Callable[[HouseState, Any], HouseState]] = {
    e.TicketEscrowed: _escrowed,
    e.TicketEscrowEnded: _ended,
    e.TicketTakenIn: _taken_in,
}
