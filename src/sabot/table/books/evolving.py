"""What bookings and payments at a locked table change beside the ledger."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from sabot.table import events as e
from sabot.table.parts import meters_of, put
from sabot.table.state import TableState


def _difference_booked(state: TableState, event: e.DifferenceBooked) -> TableState:
    if not event.station or event.right == "meters":
        return state
    meters = meters_of(state, event.station).corrected(event.ledger_cents - event.meters_cents)
    return replace(state, meters=put(state.meters, event.station, meters))


def _paid_by_hand(state: TableState, event: e.PaidByHand) -> TableState:
    meters = meters_of(state, event.station).corrected(event.cents - event.meters_cents)
    return replace(state, meters=put(state.meters, event.station, meters.paid_out("manual", event.cents)))


def _unlocked(state: TableState, event: e.TableUnlocked) -> TableState:  # noqa: ARG001
    return replace(state, locked="")


APPLY: dict[type[e.Event], Callable[[TableState, Any], TableState]] = {
    e.DifferenceBooked: _difference_booked,
    e.PaidByHand: _paid_by_hand,
    e.TableUnlocked: _unlocked,
}
