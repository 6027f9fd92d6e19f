"""What wagers, cards and results change."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from sabot.ledger.audit import NO_METERS
from sabot.rules.cards import CARDS
from sabot.table import events as e
from sabot.table.state import CoupUnderWay, NewestPeriod, Played, StationState, TableState, seen


def _wagering_opened(state: TableState, event: e.WageringOpened) -> TableState:
    fresh = {
        name: replace(one, undo=(), wagered_ms=0) if one.undo or one.wagered_ms else one
        for name, one in state.stations.items()
    }
    return replace(
        state,
        coup=CoupUnderWay(event.coup, event.deadline_ms),
        coups=event.coup,
        stations=fresh,
        fact=None,
        faulted=frozenset(),
        awaits_confirmation=False,
        period=NewestPeriod(event.coup, event.at_ms),
        doubts=tuple(doubt for doubt in state.doubts if doubt.declared),
    )


def _wagering_closed(state: TableState, event: e.WageringClosed) -> TableState:
    assert state.coup is not None
    coup = replace(
        state.coup, sealed=event.sealed, root=event.root, closed_by=event.closed_by, closed_at_ms=event.at_ms
    )
    ended = min(event.at_ms, state.coup.deadline_ms)
    period = replace(state.period, ended_ms=ended) if state.period is not None else None
    return replace(state, coup=coup, period=period)


def _coup_voided(state: TableState, event: e.CoupVoided) -> TableState:
    doubts = tuple(doubt for doubt in state.doubts if doubt.coup != event.coup)
    return replace(state, coup=None, fact=None, awaits_confirmation=False, doubts=doubts)


def _face_up_changed(state: TableState, event: e.FaceUpChanged) -> TableState:
    return replace(state, face_up=event.face_up)


def _card_dealt(state: TableState, event: e.CardDealt) -> TableState:
    assert state.coup is not None
    coup = replace(state.coup, cards=(*state.coup.cards, CARDS[event.card]))
    if not event.carried:
        shoe = replace(state.shoe, out=event.position, census=seen(state.shoe, event.card))
    else:
        known = state.shoe.carried[0] is not None
        census = state.shoe.census if known else seen(state.shoe, event.card)
        shoe = replace(state.shoe, carried=state.shoe.carried[1:], census=census)
    return replace(state, coup=coup, shoe=shoe)


def _card_amended(state: TableState, event: e.CardAmended) -> TableState:
    assert state.coup is not None
    coup = replace(state.coup, cards=(*state.coup.cards[:-1], CARDS[event.card]))
    shoe = replace(state.shoe, census=seen(state.shoe, event.was, -1))
    shoe = replace(shoe, census=seen(shoe, event.card))
    return replace(state, coup=coup, shoe=shoe)


def _coup_decided(state: TableState, event: e.CoupDecided) -> TableState:
    shoe = replace(state.shoe, coups_dealt=state.shoe.coups_dealt + 1)
    coup = None if event.dummy else state.coup
    return replace(state, last_result=event.announcement, shoe=shoe, coup=coup, fact=None)


def _wagers_settled(state: TableState, event: e.WagersSettled) -> TableState:
    assert state.coup is not None
    meters = dict(state.meters)
    for station, settled in event.settlements.items():
        stakes = net = commission = 0
        for one in settled:
            stakes += one.stake_cents
            net += one.net_cents
            commission += one.commission_cents
        meters[station] = meters.get(station, NO_METERS).settled(stakes, stakes + net, commission)
    played = Played(
        event.coup,
        state.shoe.number,
        tuple(card.notation for card in state.coup.cards),
        event.settlements,
        {station: state.stations[station].control for station in event.settlements},
        state.terms,
        proved=bool(state.shoe.commitment),
    )
    return replace(
        state,
        coup=None,
        ledger=state.ledger.settled(event.settlements),
        meters=meters,
        stations=_after_the_coup(state, state.coup.sealed),
        played=state.played.then(played),
    )


def _after_the_coup(state: TableState, sealed: Mapping[str, Mapping[Any, int]]) -> Mapping[str, StationState]:
    """Remember what was wagered, and count who sat idle while every other seat was in use (CROWN 13.8, G-117)."""
    if not sealed:
        return state.stations
    closed = [name for name, station in state.stations.items() if not station.control]
    after = {}
    for name, station in state.stations.items():
        wagers = sealed.get(name)
        if wagers:
            after[name] = replace(station, last_wagers=wagers, idle=0, undo=())
        elif station.control:
            after[name] = replace(station, idle=0 if closed else station.idle + 1)
        else:
            after[name] = station
    return after


APPLY: dict[type[e.Event], Callable[[TableState, Any], TableState]] = {
    e.WageringOpened: _wagering_opened,
    e.WageringClosed: _wagering_closed,
    e.CoupVoided: _coup_voided,
    e.CardDealt: _card_dealt,
    e.CardAmended: _card_amended,
    e.FaceUpChanged: _face_up_changed,
    e.CoupDecided: _coup_decided,
    e.WagersSettled: _wagers_settled,
}
