"""What the slips and books of tournaments change, beside the ledger."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from sabot.house import events as e
from sabot.house.changing import counted, put
from sabot.house.state import WAITING, HouseSlip, HouseSlipStatus, HouseState, HouseTournament


def _slip_registered(state: HouseState, event: e.SlipRegistered) -> HouseState:
    slip = HouseSlip(
        *(HouseSlipStatus.OPEN, event.tournament, event.direction, event.cents, event.parts, event.purpose),
        *(event.entrant, event.player, state.day, event.expires_ms),
    )
    return replace(state, slips=state.slips.put(event.slip, slip))


def _slip_taken(state: HouseState, event: e.SlipTaken) -> HouseState:
    state = _with_slip(state, event.slip, status=HouseSlipStatus.TAKEN, tender=event.tender)
    return counted(state, "slips_taken", event.cents)


def _slip_paid(state: HouseState, event: e.SlipPaid) -> HouseState:
    return counted(_with_slip(state, event.slip, status=HouseSlipStatus.PAID), "slips_paid", event.cents)


def _slip_cancelled(state: HouseState, event: e.SlipCancelled) -> HouseState:
    return _with_slip(state, event.slip, status=HouseSlipStatus.CANCELLED)


def _slip_held(state: HouseState, event: e.SlipHeld) -> HouseState:
    return _with_slip(state, event.slip, status=HouseSlipStatus.HELD)


def _slip_released(state: HouseState, event: e.SlipReleased) -> HouseState:
    return _with_slip(state, event.slip, status=HouseSlipStatus.OPEN, expires_ms=event.expires_ms)


def _slip_forfeited(state: HouseState, event: e.SlipForfeited) -> HouseState:
    return _with_slip(state, event.slip, status=HouseSlipStatus.FORFEITED)


def _slip_expired(state: HouseState, event: e.SlipExpired) -> HouseState:
    return _with_slip(state, event.slip, status=HouseSlipStatus.EXPIRED)


def _pool_raised(state: HouseState, event: e.PoolRaised) -> HouseState:
    return _with_tournament(state, event.tournament, added=event.cents)


def _stakes_settled(state: HouseState, event: e.StakesSettled) -> HouseState:
    won = state.tournaments.get(event.tournament, HouseTournament()).won
    return _with_tournament(state, event.tournament, won=put(won, event.sitting, event.won_cents))


def _tournament_closed(state: HouseState, event: e.TournamentClosed) -> HouseState:
    slips = state.slips
    for number, slip in state.slips.open.whole().items():
        if slip.tournament == event.tournament:
            slips = slips.file(number, slip, event.at_ms)
    return _with_tournament(replace(state, slips=slips), event.tournament, closed=True)


def _with_slip(state: HouseState, number: str, **changes: object) -> HouseState:
    """A slip stays open until its tournament's books are closed, since the tournament must still hear of it."""
    slip = replace(state.slips[number], **changes)
    closed = state.tournaments.get(slip.tournament, HouseTournament()).closed
    over = closed and slip.status not in WAITING
    return replace(state, slips=state.slips.file(number, slip) if over else state.slips.put(number, slip))


def _with_tournament(state: HouseState, name: str, **changes: object) -> HouseState:
    tournament = replace(state.tournaments.get(name, HouseTournament()), **changes)
    return replace(state, tournaments=put(state.tournaments, name, tournament))


APPLY: dict[type[e.HouseEvent], Callable[[HouseState, Any], HouseState]] = {
    e.SlipRegistered: _slip_registered,
    e.SlipTaken: _slip_taken,
    e.SlipPaid: _slip_paid,
    e.SlipCancelled: _slip_cancelled,
    e.SlipHeld: _slip_held,
    e.SlipReleased: _slip_released,
    e.SlipForfeited: _slip_forfeited,
    e.SlipExpired: _slip_expired,
    e.PoolRaised: _pool_raised,
    e.StakesSettled: _stakes_settled,
    e.TournamentClosed: _tournament_closed,
}
