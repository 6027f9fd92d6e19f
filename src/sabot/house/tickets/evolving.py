"""What the life of a ticket changes, beside the ledger."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from sabot.house import events as e
from sabot.house.changing import counted, put, without
from sabot.house.state import HouseState, RegisteredTicket, TicketStatus
from sabot.house.tickets.deciding import WRONG_NUMBERS


def _requested(state: HouseState, event: e.TicketRequested) -> HouseState:
    ticket = RegisteredTicket(TicketStatus.REQUESTED, event.table, event.station)
    return replace(state, tickets=state.tickets.file(event.ticket, ticket, event.at_ms))


def _registered(state: HouseState, event: e.TicketRegistered) -> HouseState:
    ticket = RegisteredTicket(TicketStatus.ISSUED, event.table, event.station, event.cents, state.day, event.expires_ms)
    state = replace(state, tickets=state.tickets.put(event.ticket, ticket))
    return counted(state, "issued", event.cents)


def _printed(state: HouseState, event: e.TicketPrinted) -> HouseState:
    return _with_status(state, event.ticket, TicketStatus.PRINTED)


def _closed_to_the_cage(state: HouseState, event: e.TicketClosedToTheCage) -> HouseState:
    ticket = replace(state.tickets[event.ticket], status=TicketStatus.NOT_PRINTED, faulted=True)
    return replace(state, tickets=state.tickets.put(event.ticket, ticket))


def _released(state: HouseState, event: e.TicketReleased) -> HouseState:
    ticket = replace(state.tickets[event.ticket], status=TicketStatus.RELEASED, releases=event.release)
    return replace(state, tickets=state.tickets.put(event.ticket, ticket))


def _release_ended(state: HouseState, event: e.TicketReleaseEnded) -> HouseState:
    return _with_status(state, event.ticket, TicketStatus.NOT_PRINTED)


def _settled_by_hand(state: HouseState, event: e.TicketSettledByHand) -> HouseState:
    return counted(_over(state, event.ticket, TicketStatus.BY_HAND), "by_hand", state.tickets[event.ticket].cents)


def _redeemed(state: HouseState, event: e.TicketRedeemed) -> HouseState:
    return counted(_over(state, event.ticket, TicketStatus.PAID, event.at_ms), "paid", event.cents)


def _voided(state: HouseState, event: e.TicketVoided) -> HouseState:
    return counted(_over(state, event.ticket, TicketStatus.VOID), "void", event.cents)


def _expired(state: HouseState, event: e.TicketExpired) -> HouseState:
    return counted(_over(state, event.ticket, TicketStatus.EXPIRED, event.at_ms), "expired", event.cents)


def _reinstated(state: HouseState, event: e.TicketReinstated) -> HouseState:
    before = state.tickets[event.ticket]
    ticket = replace(before, status=TicketStatus.PRINTED, expires_ms=event.expires_ms)
    state = replace(state, tickets=state.tickets.put(event.ticket, ticket))
    return counted(state, "reinstated", before.cents) if before.status is TicketStatus.EXPIRED else state


def _wrong_number(state: HouseState, event: e.WrongNumberTried) -> HouseState:
    tried = (*state.wrong_numbers.get(event.by, ()), event.at_ms)
    return replace(state, wrong_numbers=put(state.wrong_numbers, event.by, tried[-WRONG_NUMBERS:]))


def _alarmed(state: HouseState, event: e.GuessingAlarmed) -> HouseState:
    return replace(state, wrong_numbers=without(state.wrong_numbers, event.by))


def _with_status(state: HouseState, number: str, status: TicketStatus) -> HouseState:
    return replace(state, tickets=state.tickets.put(number, replace(state.tickets[number], status=status)))


def _over(state: HouseState, number: str, status: TicketStatus, at_ms: int | None = None) -> HouseState:
    return replace(state, tickets=state.tickets.file(number, replace(state.tickets[number], status=status), at_ms))


APPLY: dict[type[e.HouseEvent], Callable[[HouseState, Any], HouseState]] = {
    e.TicketRequested: _requested,
    e.TicketRegistered: _registered,
    e.TicketPrinted: _printed,
    e.TicketClosedToTheCage: _closed_to_the_cage,
    e.TicketReleased: _released,
    e.TicketReleaseEnded: _release_ended,
    e.TicketSettledByHand: _settled_by_hand,
    e.TicketRedeemed: _redeemed,
    e.TicketVoided: _voided,
    e.TicketExpired: _expired,
    e.TicketReinstated: _reinstated,
    e.WrongNumberTried: _wrong_number,
    e.GuessingAlarmed: _alarmed,
}
