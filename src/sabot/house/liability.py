"""What the house owes for tickets: a report as a value, which agrees with the books or says that it does not."""

from collections import Counter

import msgspec

from sabot.house.state import OUTSTANDING, Day, HouseState, TicketStatus
from sabot.ledger.account import TICKETS, UNCLAIMED


class Outstanding(msgspec.Struct, frozen=True, gc=False):
    """Tickets of one status and one age."""

    status: TicketStatus
    days_old: int
    """Gaming days since the one of its issue."""
    tickets: int
    cents: int


class Liability(msgspec.Struct, frozen=True):
    day: int
    outstanding: tuple[Outstanding, ...]
    outstanding_cents: int
    unclaimed_cents: int
    days: dict[int, Day]
    agrees: bool
    """Whether tickets, days and books come to the same sums."""


def liability(state: HouseState) -> Liability:
    counted: Counter[tuple[TicketStatus, int]] = Counter()
    cents: Counter[tuple[TicketStatus, int]] = Counter()
    for ticket in state.tickets.live.values():
        if ticket.status in OUTSTANDING:
            key = (ticket.status, state.day - ticket.day)
            counted[key] += 1
            cents[key] += ticket.cents
    unclaimed = sum(one.cents for one in state.tickets.over.values() if one.status is TicketStatus.EXPIRED)
    outstanding = sum(cents.values())
    return Liability(
        day=state.day,
        outstanding=tuple(Outstanding(*key, counted[key], cents[key]) for key in sorted(counted)),
        outstanding_cents=outstanding,
        unclaimed_cents=unclaimed,
        days=dict(state.days),
        agrees=(outstanding, unclaimed, outstanding)
        == (state.ledger.balance(TICKETS), state.ledger.balance(UNCLAIMED), _by_days(state)),
    )


def _by_days(state: HouseState) -> int:
    return sum(
        day.issued - day.paid - day.by_hand - day.void - day.expired + day.reinstated for day in state.days.values()
    )
