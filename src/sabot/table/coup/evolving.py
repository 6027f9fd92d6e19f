"""What wagers, cards and results change."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from sabot.ledger.audit import NO_METERS
from sabot.rules.cards import CARDS
from sabot.rules.terms import Settlement
from sabot.table import events as e
from sabot.table.accounts.state import StationState
from sabot.table.care.figures import counted
from sabot.table.phase import Phase
from sabot.table.sessions.state import SessionState
from sabot.table.signs.posted import seen_again, shows_limits
from sabot.table.state import CoupUnderWay, NewestPeriod, Played, ShoeState, TableState, seen


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
        notices=seen_again(state, event.at_ms) if state.notices else (),
        period=NewestPeriod(event.coup, event.at_ms),
        doubts=tuple(doubt for doubt in state.doubts if doubt.declared),
        session=_no_longer_agreed(state.session),
    )


def _no_longer_agreed(session: SessionState | None) -> SessionState | None:
    """That a session ends early is agreed between coups, and lapses with the next one (G-128)."""
    if session is None or not session.agreed:
        return session
    return replace(session, agreed=(), revision=session.revision + 1)


def _wagering_closed(state: TableState, event: e.WageringClosed) -> TableState:
    assert state.coup is not None
    coup = replace(
        state.coup,
        sealed=event.sealed,
        root=event.root,
        closed_by=event.closed_by,
        closed_at_ms=event.at_ms,
        could_wager=_could_wager(state),
    )
    ended = min(event.at_ms, state.coup.deadline_ms)
    period = replace(state.period, ended_ms=ended) if state.period is not None else None
    return replace(state, coup=coup, period=period)


def _could_wager(state: TableState) -> tuple[int, ...]:
    """A patron who is leaving, or whose station takes no wagers, abstains from nothing (CROWN 13.8, G-185)."""
    present = [(name, one.control) for name, one in state.stations.items() if one.control and not one.leaving]
    signs = state.signs
    return tuple(
        [
            control
            for name, control in present
            if state.is_seat(name) and (name not in signs or shows_limits(state, name))
        ]
    )


def _coup_voided(state: TableState, event: e.CoupVoided) -> TableState:
    """A last coup that is void before any card is not completed: the one that replaces it is the last (G-73).

    What was stated and is not resolved stays stated: the cards are where they were.
    """
    shoe, last = state.shoe, state.shoe.last_coup
    if last is not None and last == event.coup and state.coup is not None and not state.coup.cards:
        shoe = replace(shoe, last_coup=last + 1)
    doubts = tuple(doubt for doubt in state.doubts if doubt.coup != event.coup)
    return replace(state, coup=None, awaits_confirmation=False, shoe=shoe, doubts=doubts)


def _face_up_changed(state: TableState, event: e.FaceUpChanged) -> TableState:
    return replace(state, face_up=event.face_up)


def _card_dealt(state: TableState, event: e.CardDealt) -> TableState:
    assert state.coup is not None
    coup = replace(state.coup, cards=(*state.coup.cards, CARDS[event.card]))
    if not event.carried:
        shoe = replace(state.shoe, out=event.position, census=seen(state.shoe, event.card))
    else:
        first = state.shoe.carried[0]
        coup = replace(coup, waited=(*coup.waited, first))
        census = state.shoe.census if first is not None else seen(state.shoe, event.card)
        shoe = replace(state.shoe, carried=state.shoe.carried[1:], census=census)
    return replace(state, coup=coup, shoe=shoe)


def with_its_entries(state: TableState) -> TableState:
    """The table with the entries that were found never due as the coup's again, and no fact of them."""
    fact, coup, shoe = state.fact, state.coup, state.shoe
    if fact is None or not fact.entered or coup is None:
        return state
    for notation in fact.cards:
        shoe = replace(shoe, out=shoe.out + 1, census=seen(shoe, notation))
    coup = replace(coup, cards=(*coup.cards, *(CARDS[notation] for notation in fact.cards)))
    return replace(state, coup=coup, shoe=shoe, fact=None)


def _card_amended(state: TableState, event: e.CardAmended) -> TableState:
    state = with_its_entries(state)
    shoe = replace(state.shoe, census=seen(state.shoe, event.was, -1))
    return _read_again(state, replace(shoe, census=seen(shoe, event.card)), event)


def _card_taken_back(state: TableState, event: e.CardTakenBack) -> TableState:
    """The first card that is taken back leaves a coup whose wagering is closed and that has no card."""
    state = with_its_entries(state)
    assert state.coup is not None
    entries, waited = len(event.cards) + len(event.left_over), state.coup.waited
    state = _read_again(state, _without_entry(state.shoe, event.card, waited[entries:]), event)
    assert state.coup is not None
    coup = replace(state.coup, dummy=event.dummy, dummy_for=state.coup.dummy_for if event.dummy else "")
    coup = replace(coup, waited=waited[:entries])
    phase = state.phase if event.cards or event.dummy else Phase.NO_MORE_BETS
    return replace(state, coup=coup, phase=phase)


def _without_entry(shoe: ShoeState, card: str, waits_again: tuple[str | None, ...]) -> ShoeState:
    """The card never left the shoe; only one that waited unseen lies there still, and waits again."""
    census = seen(shoe, card, -1)
    if None in waits_again:
        return replace(shoe, carried=(None, *shoe.carried), census=census)
    return replace(shoe, out=shoe.out - 1, census=census)


def _read_again(state: TableState, shoe: ShoeState, event: e.CardAmended | e.CardTakenBack) -> TableState:
    """Cards that were never due are no longer the coup's; the fact that tells of them has them."""
    assert state.coup is not None
    for notation in event.left_over:
        shoe = replace(shoe, out=shoe.out - 1, census=seen(shoe, notation, -1))
    coup = replace(state.coup, cards=tuple(CARDS[notation] for notation in event.cards))
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
        at_ms=event.at_ms,
        session="" if state.session is None else state.session.sitting,
    )
    return replace(
        state,
        coup=None,
        ledger=state.ledger.settled(event.settlements),
        meters=meters,
        stations=_after_the_coup(state, state.coup, event.settlements),
        played=(*state.played, played),
    )


def _after_the_coup(
    state: TableState, coup: CoupUnderWay, settlements: Mapping[str, list[Settlement]]
) -> Mapping[str, StationState]:
    """Remember what was wagered, and count who sat idle while every other seat was in use (CROWN 13.8, G-117).

    A coup in which a patron could not wager, or whose wagers are void, does not count for that patron (G-185).
    """
    if not coup.sealed:
        return state.stations
    has_free_seat = any(not one.control and state.is_seat(name) for name, one in state.stations.items())
    after = {}
    for name, station in state.stations.items():
        wagers = coup.sealed.get(name)
        if wagers:
            settled = settlements.get(name)
            care = counted(station.care, settled) if settled else station.care
            after[name] = replace(station, last_wagers=wagers, idle_in=(), vacate_by=None, undo=(), care=care)
        elif station.control and has_free_seat:
            after[name] = replace(station, idle_in=(), vacate_by=None)
        elif station.control in coup.could_wager and station.control not in coup.void:
            after[name] = replace(station, idle_in=(*station.idle_in, coup.number))
        else:
            after[name] = station
    return after


APPLY: dict[type[e.Event], Callable[[TableState, Any], TableState]] = {
    e.WageringOpened: _wagering_opened,
    e.WageringClosed: _wagering_closed,
    e.CoupVoided: _coup_voided,
    e.CardDealt: _card_dealt,
    e.CardAmended: _card_amended,
    e.CardTakenBack: _card_taken_back,
    e.FaceUpChanged: _face_up_changed,
    e.CoupDecided: _coup_decided,
    e.WagersSettled: _wagers_settled,
}
