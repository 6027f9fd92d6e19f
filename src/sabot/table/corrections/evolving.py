"""What corrections change."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from sabot.ledger.audit import NO_METERS
from sabot.table import events as e
from sabot.table.accounts.state import StationState
from sabot.table.care.figures import counted_anew
from sabot.table.parts import meters_of, on_station, put
from sabot.table.phase import Phase
from sabot.table.state import Played, TableState, seen


def _frozen(state: TableState, event: e.AccountsFrozen) -> TableState:
    return replace(state, frozen_at_ms=event.at_ms)


def _unfrozen(state: TableState, event: e.AccountsUnfrozen) -> TableState:
    """The countdown stood still and resumes with what was left of it (G-90)."""
    coup = state.coup
    if coup is not None and state.phase is Phase.WAGERING and state.frozen_at_ms is not None:
        coup = replace(coup, deadline_ms=coup.deadline_ms + event.at_ms - state.frozen_at_ms)
    stations = {name: replace(one, brought_while_frozen=0) for name, one in state.stations.items()}
    return replace(state, frozen_at_ms=None, coup=coup, stations=stations, deferred=())


def _outcome_corrected(state: TableState, event: e.OutcomeCorrected) -> TableState:
    """The census follows the true cards, if they came from the shoe that is in play.

    Cards that wait for the next coup left the shoe before any other, so a card that was missing is one of them first.
    """
    shoe = state.shoe
    if state.has_shoe_of(last_played(state, event.coup)):
        for notation in event.was:
            shoe = replace(shoe, census=seen(shoe, notation, -1))
        for notation in (*event.cards, *event.left_over):
            shoe = replace(shoe, census=seen(shoe, notation))
        more = len(event.cards) + len(event.left_over) - len(event.was)
        waiting = shoe.carried[: max(0, more)]
        for known in waiting:
            shoe = replace(shoe, census=seen(shoe, known, -1)) if known is not None else shoe
        shoe = replace(shoe, out=shoe.out + more - len(waiting), carried=shoe.carried[len(waiting) :])
        if event.carried:
            shoe = replace(shoe, carried=(*event.left_over, *shoe.carried), carried_by="G-110")
    left_over = () if event.carried else event.left_over
    return replace(state, correction=(event.coup, event.cards, left_over), shoe=shoe)


def _recalculated(state: TableState, event: e.CoupRecalculated) -> TableState:
    assert state.correction is not None
    _, cards, left_over = state.correction
    played = last_played(state, event.coup)
    played = replace(played, cards=cards, left_over=left_over, settlements=event.settlements)
    return with_version(replace(adjusted(state, event.adjustments), correction=None), played)


def _invalidated(state: TableState, event: e.CoupInvalidated) -> TableState:
    played = replace(last_played(state, event.coup), invalid=True)
    waiting = state.correction if state.correction and state.correction[0] != event.coup else None
    stations = {name: _without(one, event.coup) for name, one in state.stations.items()}
    state = adjusted(replace(state, stations=stations), event.adjustments)
    return with_version(replace(state, correction=waiting), played)


def _without(station: StationState, coup: int) -> StationState:
    """Nobody sat idle in a coup that counts for nothing (G-185)."""
    if coup not in station.idle_in:
        return station
    return replace(station, idle_in=tuple(number for number in station.idle_in if number != coup))


def _owed_collected(state: TableState, event: e.OwedCollected) -> TableState:
    meters = meters_of(state, event.station).corrected(-event.cents)
    return replace(state, meters=put(state.meters, event.station, meters))


def _buy_in_corrected(state: TableState, event: e.BuyInCorrected) -> TableState:
    """The meter of money in follows the tender, and what the account does not follow is an adjustment."""
    one, was = event.adjustment, state.buy_ins[event.buy_in]
    state = adjusted(state, {event.station: one})
    meters = meters_of(state, event.station).rekeyed(event.was_tender, event.was_cents, event.tender, event.cents)
    tendered = replace(was, cents=event.cents, tender=event.tender)
    state = replace(
        state,
        meters=put(state.meters, event.station, meters.corrected(-one.change_cents)),
        buy_ins={**state.buy_ins, event.buy_in: tendered},
    )
    if not one.same_patron:
        return state
    there = state.stations[event.station]
    while_owing = there.brought_while_owing + (one.change_cents if was.while_owing else 0)
    return on_station(
        state,
        event.station,
        brought=there.brought + one.change_cents,
        brought_while_owing=max(0, while_owing),
    )


def _waiting_buy_in_corrected(state: TableState, event: e.WaitingBuyInCorrected) -> TableState:
    waiting, place = state.deferred, event.place
    kept = (replace(waiting[place], cents=event.cents, tender=event.tender),) if event.cents else ()
    return replace(state, deferred=(*waiting[:place], *kept, *waiting[place + 1 :]))


def adjusted(state: TableState, adjustments: Mapping[str, e.Adjustment]) -> TableState:
    meters = dict(state.meters)
    for name, one in adjustments.items():
        station = one.moved_to or name
        change = one.credited_cents - one.taken_cents - one.from_held_cents
        meters[station] = meters.get(station, NO_METERS).corrected(change)
        if one.owed_cents and one.same_patron and not state.owed(station):
            untouched = state.stations[station].brought_while_frozen
            state = on_station(state, station, brought_while_owing=untouched)
    return replace(state, meters=meters)


def last_played(state: TableState, number: int) -> Played:
    return next(played for played in reversed(state.played) if played.coup == number)


def with_version(state: TableState, played: Played) -> TableState:
    """The table with this coup as it stands now, in patrons' figures too; what it was before is in the records."""
    others = tuple(one for one in state.played if one.coup != played.coup)
    stations = counted_anew(state, last_played(state, played.coup), played)
    return replace(state, played=(*others, played), stations=stations)


APPLY: dict[type[e.Event], Callable[[TableState, Any], TableState]] = {
    e.AccountsFrozen: _frozen,
    e.AccountsUnfrozen: _unfrozen,
    e.OutcomeCorrected: _outcome_corrected,
    e.CoupRecalculated: _recalculated,
    e.CoupInvalidated: _invalidated,
    e.OwedCollected: _owed_collected,
    e.BuyInCorrected: _buy_in_corrected,
    e.WaitingBuyInCorrected: _waiting_buy_in_corrected,
}
