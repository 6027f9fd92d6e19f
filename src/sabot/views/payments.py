"""Payments at the table: what the dealer is to hand over, and what was handed over last.

What is to be paid is reckoned by the decision that will pay it, so the card at the console and the record have one
amount. It stays until the dealer says that it is paid (G-202).
"""

from typing import Any

import msgspec

from sabot.basics.stamp import Stamp
from sabot.table import acts
from sabot.table import events as e
from sabot.table.accounts.deciding import is_running, paid_in_full, pays_by_ticket
from sabot.table.phase import Phase
from sabot.table.role import Role
from sabot.table.state import TableState
from sabot.views.actions import ActionShown, asked

KEPT_PAYMENTS = 8
MOST_DUE = 20
PAYING: frozenset[type[e.Event]] = frozenset({e.PaidOut, e.PayablePaid, e.PaidByHand, e.TicketPaidManually})
"""With these a dealer hands over money."""


class PaymentDue(msgspec.Struct, frozen=True):
    """What a patron who leaves is to be handed over."""

    station: str
    control: int
    patron: str
    cents: int
    chips_cents: int
    coin_cents: int
    """The part too small for any chip (G-51)."""
    collected_cents: int
    """What the patron owed, which is not handed over (G-89)."""
    pay: ActionShown
    stay: ActionShown


class PaymentMade(msgspec.Struct, frozen=True, gc=False):
    station: str
    cents: int
    chips_cents: int
    coin_cents: int
    by: str
    at_ms: int


class Payments(msgspec.Struct, frozen=True):
    due: tuple[PaymentDue, ...]
    idle: tuple[PaymentDue, ...]
    """What closing the account of a patron who was asked to vacate would pay (CROWN 13.8)."""
    made: tuple[PaymentMade, ...]
    """The newest ones, newest first."""


def payments_due(state: TableState, at_ms: int) -> tuple[PaymentDue, ...]:
    """Of patrons who leave, or all at a closed table; none for whom wagers still run or a ticket is printed."""
    if state.session is not None:
        return ()
    closed = state.phase is Phase.CLOSED
    going = (
        name
        for name, station in state.stations.items()
        if station.is_open
        and (station.leaving or closed)
        and not pays_by_ticket(state, name)
        and not is_running(state, name, at_ms)
    )
    found = (_due(state, name, at_ms) for name in going)
    return tuple(one for one in found if one.cents)[:MOST_DUE]


def payments_of_idle(state: TableState, at_ms: int) -> tuple[PaymentDue, ...]:
    """Of patrons who were asked to vacate and have no wager."""
    asked_to_vacate = (
        name
        for name, station in state.stations.items()
        if station.vacate_by is not None and not state.purse(name).layout and not pays_by_ticket(state, name)
    )
    return tuple(_due(state, name, at_ms) for name in asked_to_vacate)[:MOST_DUE] if state.session is None else ()


def _due(state: TableState, name: str, at_ms: int) -> PaymentDue:
    by = Stamp(by=state.dealer or "", role=Role.DEALER, at_ms=at_ms)
    events = paid_in_full(state, name, by)
    paid = next((event for event in events if isinstance(event, e.PaidOut)), None)
    collected = sum(event.cents for event in events if isinstance(event, e.OwedCollected))
    station = state.stations[name]
    return PaymentDue(
        station=name,
        control=station.control,
        patron=station.patron,
        cents=paid.cents if paid else 0,
        chips_cents=paid.chips_cents if paid else 0,
        coin_cents=paid.coin_cents if paid else 0,
        collected_cents=collected,
        pay=asked(state, acts.Pay(station=name), by),
        stay=asked(state, acts.Stay(station=name), by),
    )


def with_payment(made: tuple[PaymentMade, ...], state: TableState, event: Any, at_ms: int) -> tuple[PaymentMade, ...]:
    """The newest payments after another one."""
    if isinstance(event, e.TicketPaidManually):
        station = state.tickets[event.ticket].station
        coin = event.cents % state.configuration.smallest_chip
    else:
        station, coin = event.station, event.coin_cents
    one = PaymentMade(station, event.cents, event.cents - coin, coin, event.by, at_ms)
    return (one, *made)[:KEPT_PAYMENTS]
