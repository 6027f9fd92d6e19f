"""What wagers, cards and results change."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from sabot.ledger.audit import NO_METERS
from sabot.ledger.ledger import Purse
from sabot.rules.cards import CARDS
from sabot.table import events as e
from sabot.table.money import laid
from sabot.table.state import (
    KEPT_UNDOS,
    CoupUnderWay,
    Fact,
    Played,
    Station,
    TableState,
    seen,
)


def wagers_changed(state: TableState, event: e.WagersChanged) -> TableState:
    name, ledger = event.station, state.ledger
    stations = {**state.stations, name: touched(state.stations[name], ledger.purses[name], event)}
    return replace(state, ledger=ledger.relaid({name: laid(event)}), stations=stations)


def touched(station: Station, purse: Purse, event: e.WagersChanged) -> Station:
    """The station after a touch: it remembers the layout before it, or forgets the one that it went back to."""
    undo = station.undo[:-1] if event.undoes else (*station.undo, purse.layout)[-KEPT_UNDOS:]
    return replace(station, undo=undo)


def _wagering_opened(state: TableState, event: e.WageringOpened) -> TableState:
    fresh = {name: replace(one, undo=()) if one.undo else one for name, one in state.stations.items()}
    coup = CoupUnderWay(event.coup, event.deadline_ms)
    return replace(
        state, coup=coup, coups=event.coup, stations=fresh, fact=None, faulted=frozenset(), awaits_confirmation=False
    )


def _wagering_closed(state: TableState, event: e.WageringClosed) -> TableState:
    assert state.coup is not None
    coup = replace(
        state.coup, sealed=event.sealed, root=event.root, closed_by=event.closed_by, closed_at_ms=event.at_ms
    )
    return replace(state, coup=coup)


def _coup_voided(state: TableState, event: e.CoupVoided) -> TableState:  # noqa: ARG001
    return replace(state, coup=None, fact=None, awaits_confirmation=False)


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


def _after_the_coup(state: TableState, sealed: Mapping[str, Mapping[Any, int]]) -> Mapping[str, Station]:
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


def _fact_stated(state: TableState, event: e.FactStated) -> TableState:
    fact = Fact(event.kind, event.cards, event.hand, event.reconstructible, event.order_known)
    return replace(state, fact=fact)


def _fact_resolved(state: TableState, event: e.FactResolved | e.FactWithdrawn) -> TableState:  # noqa: ARG001
    return replace(state, fact=None)


def _coup_reconstructed(state: TableState, event: e.CoupReconstructed) -> TableState:
    """The burn that was entered never happened, so one card fewer has left the shoe than was counted."""
    assert state.coup is not None
    shoe = replace(state.shoe, out=state.shoe.out - 1, hidden_burn=False)
    if event.left_over:  # They were drawn before any card that waits already.
        shoe = replace(shoe, carried=(*event.left_over, *shoe.carried), carried_by=event.clause)
    cards = tuple(CARDS[notation] for notation in event.cards)
    return replace(state, coup=replace(state.coup, cards=cards, burned=True), shoe=shoe)


def _dummy_declared(state: TableState, event: e.DummyCoupDeclared) -> TableState:
    last = state.shoe.last_coup
    later = last is not None and last >= event.coup and not event.counts_as_coup
    shoe = replace(state.shoe, last_coup=last + 1) if later and last is not None else state.shoe
    coup = state.coup or CoupUnderWay(event.coup, 0)
    return replace(state, coup=replace(coup, dummy=True, sealed={}), coups=event.coup, shoe=shoe)


APPLY: dict[type[e.Event], Callable[[TableState, Any], TableState]] = {
    e.WageringOpened: _wagering_opened,
    e.WageringClosed: _wagering_closed,
    e.CoupVoided: _coup_voided,
    e.CardDealt: _card_dealt,
    e.CardAmended: _card_amended,
    e.FactStated: _fact_stated,
    e.FactResolved: _fact_resolved,
    e.FactWithdrawn: _fact_resolved,
    e.CoupReconstructed: _coup_reconstructed,
    e.DummyCoupDeclared: _dummy_declared,
    e.FaceUpChanged: _face_up_changed,
    e.CoupDecided: _coup_decided,
    e.WagersSettled: _wagers_settled,
}
