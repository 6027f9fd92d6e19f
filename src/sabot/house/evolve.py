"""Evolving: a state and an event give the next state. No rule is checked here; what happened, happened."""

from collections.abc import Callable, Iterable
from functools import reduce
from typing import Any

from msgspec.structs import replace

from sabot.house import events as e
from sabot.house.days import evolving as days
from sabot.house.devices import evolving as devices
from sabot.house.escrow import evolving as escrow
from sabot.house.exclusions import evolving as exclusions
from sabot.house.lights import evolving as lights
from sabot.house.money import postings
from sabot.house.services import evolving as services
from sabot.house.settings import evolving as settings
from sabot.house.slips import evolving as slips
from sabot.house.staff import evolving as staff
from sabot.house.state import HouseState
from sabot.house.tickets import evolving as tickets


def evolve(state: HouseState, event: e.HouseEvent) -> HouseState:
    moved = postings(event, state)
    after = _APPLY[type(event)](state, event)
    return replace(after, ledger=after.ledger.book(moved)) if moved else after


def fold(events: Iterable[e.HouseEvent], state: HouseState | None = None) -> HouseState:
    """The state that a whole history comes to."""
    return reduce(evolve, events, state or HouseState())


_APPLY: dict[type[e.HouseEvent], Callable[[HouseState, Any], HouseState]] = {
    **settings.APPLY,
    **staff.APPLY,
    **devices.APPLY,
    **exclusions.APPLY,
    **tickets.APPLY,
    **escrow.APPLY,
    **slips.APPLY,
    **days.APPLY,
    **lights.APPLY,
    **services.APPLY,
}
