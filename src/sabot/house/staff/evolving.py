"""What appointments, sign-ons and lock-outs change."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from sabot.house import events as e
from sabot.house.changing import put, without
from sabot.house.state import AtWork, HouseState


def _appointed(state: HouseState, event: e.PersonAppointed) -> HouseState:
    return replace(state, staff=put(state.staff, event.person, event.roles))


def _dismissed(state: HouseState, event: e.PersonDismissed) -> HouseState:
    return replace(state, staff=put(state.staff, event.person, ()))


def _sign_on_announced(state: HouseState, event: e.SignOnAnnounced) -> HouseState:
    work = AtWork(event.role, event.number, event.at_ms)
    tables = put(state.at_work.get(event.person, {}), event.table, work)
    newest = max(state.sign_ons, event.number)
    return replace(state, at_work=put(state.at_work, event.person, tables), sign_ons=newest)


def _sign_off_noted(state: HouseState, event: e.SignOffNoted) -> HouseState:
    tables = without(state.at_work[event.person], event.table)
    kept = put(state.at_work, event.person, tables) if tables else without(state.at_work, event.person)
    return replace(state, at_work=kept)


def _locked_out(state: HouseState, event: e.PersonLockedOut) -> HouseState:
    if event.until_ms is None:
        return replace(state, locked_out=(*state.locked_out, event.person))
    places = put(state.locked_at.get(event.person, {}), event.console, event.until_ms)
    return replace(state, locked_at=put(state.locked_at, event.person, places))


def _unlocked(state: HouseState, event: e.PersonUnlocked) -> HouseState:
    times = state.unlocks.get(event.person, 0) + 1
    locked_out = tuple(person for person in state.locked_out if person != event.person)
    return replace(
        state,
        locked_out=locked_out,
        locked_at=without(state.locked_at, event.person),
        unlocks=put(state.unlocks, event.person, times),
    )


APPLY: dict[type[e.HouseEvent], Callable[[HouseState, Any], HouseState]] = {
    e.PersonAppointed: _appointed,
    e.PersonDismissed: _dismissed,
    e.SignOnAnnounced: _sign_on_announced,
    e.SignOffNoted: _sign_off_noted,
    e.PersonLockedOut: _locked_out,
    e.PersonUnlocked: _unlocked,
}
