"""Evolving: a state and an event give the next state. No rule is checked here; what happened, happened."""

from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from typing import Any, TypeVar

from msgspec.structs import replace

from sabot.ledger.audit import NO_METERS
from sabot.ledger.meters import Meters
from sabot.rules.cards import CARDS
from sabot.table import events as e
from sabot.table.configuration import offered_bets, terms_of
from sabot.table.money import postings
from sabot.table.phase import TRANSITIONS, Phase
from sabot.table.state import (
    KEPT_UNDOS,
    Case,
    CoupUnderWay,
    Fact,
    Played,
    Scheduled,
    Shoe,
    Stage,
    Station,
    TableState,
    Ticket,
    seen,
)

V = TypeVar("V")


def evolve(state: TableState, event: e.Event) -> TableState:
    kind = type(event)
    if kind is e.WagersChanged:  # The commonest by far; it changes no phase.
        return _wagers_changed(state, event)  # type: ignore[arg-type]
    apply = _APPLY.get(kind)
    after = apply(state, event) if apply else state
    moved = postings(event)
    phase: Phase = TRANSITIONS[state.phase].get(kind.__name__, state.phase)
    if moved or phase is not state.phase:
        after = replace(after, phase=phase, ledger=after.ledger.book(moved) if moved else after.ledger)
    return after


def fold(events: Iterable[e.Event], state: TableState | None = None) -> TableState:
    """The state that a whole history comes to."""
    return reduce(evolve, events, state or TableState())


def _put(mapping: Mapping[str, V], key: str, value: V) -> Mapping[str, V]:
    return {**mapping, key: value}


def _wagers_changed(state: TableState, event: e.WagersChanged) -> TableState:
    station = state.stations[event.station]
    layout = state.ledger.purses[event.station].layout
    history = station.undo[:-1] if event.undoes else (*station.undo, layout)[-KEPT_UNDOS:]
    changed = Station(
        station.control,
        station.patron,
        station.nominee,
        station.leaving,
        station.directed_to_leave,
        history,  # type: ignore[arg-type]
        station.last_wagers,
        station.brought,
        station.idle,
    )
    return replace(
        state,
        ledger=state.ledger.book(postings(event)),
        stations={**state.stations, event.station: changed},
    )


def _configured(state: TableState, event: e.Configured) -> TableState:
    wanted = event.configuration
    first = state.configuration is None or state.phase is Phase.CLOSED
    return replace(
        state,
        configuration=wanted,
        terms=terms_of(wanted),
        rule_set_digest=event.rule_set_digest,
        offered=frozenset(offered_bets(wanted)),
        limits=wanted.limits if first else state.limits,
        aggregate_minimum=wanted.aggregate_minimum if first else state.aggregate_minimum,
        face_up=wanted.face_up if first else state.face_up,
        stations={name: state.stations.get(name, Station()) for name in wanted.stations},
        approved_builds=state.approved_builds | frozenset(wanted.approved_builds),
    )


def _option_taken_up(state: TableState, event: e.OptionTakenUp) -> TableState:
    assert state.configuration is not None
    options = {**state.configuration.options, event.option: event.choice}
    configuration = replace(state.configuration, options=options)
    return replace(state, configuration=configuration, terms=terms_of(configuration))


def _signed_on(state: TableState, event: e.SignedOn) -> TableState:
    return replace(state, signed_on=_put(state.signed_on, event.who, event.role))


def _signed_off(state: TableState, event: e.SignedOff) -> TableState:
    return replace(state, signed_on={who: role for who, role in state.signed_on.items() if who != event.who})


def _build_approved(state: TableState, event: e.BuildApproved) -> TableState:
    return replace(state, approved_builds=state.approved_builds | {event.build})


def _table_closed(state: TableState, event: e.TableClosed) -> TableState:  # noqa: ARG001
    kept = tuple(notice for notice in state.notices if notice.kind != "closure")
    return replace(state, notices=kept, cards_checked="", shoe=Shoe(number=state.shoe.number))


def _locked(state: TableState, event: e.TableLocked) -> TableState:
    return replace(state, locked=event.why)


def _notice_given(state: TableState, event: e.NoticeGiven) -> TableState:
    scheduled = Scheduled(event.kind, event.from_ms, event.bet, event.cents)
    """A newer sign takes the place of one that was still to come; one whose time has come still takes effect."""
    kept = tuple(
        one
        for one in state.notices
        if (one.kind, one.bet) != (event.kind, event.bet) or (one.kind != "closure" and one.from_ms <= event.shown_ms)
    )
    return replace(state, notices=(*kept, scheduled))


def _minimum_changed(state: TableState, event: e.MinimumChanged) -> TableState:
    kept = tuple(
        one for one in state.notices if (one.kind == "closure" or one.bet != event.bet or one.cents != event.cents)
    )
    if event.bet is None:
        return replace(state, aggregate_minimum=event.cents, notices=kept)
    limits = replace(state.limits[event.bet], minimum=event.cents)
    return replace(state, limits={**state.limits, event.bet: limits}, notices=kept)


def _device_reported(state: TableState, event: e.DeviceReported) -> TableState:
    down = state.down - {event.device} if event.up else state.down | {event.device}
    return replace(state, down=down)


def _cards_checked(state: TableState, event: e.CardsChecked) -> TableState:
    """An opening check that finds a card too few or too many does not let gaming start."""
    sound = event.when == "closing" or event.cards == event.expected
    return replace(state, cards_checked=event.when if sound else "")


def _pack_recorded(state: TableState, event: e.PackRecorded) -> TableState:
    return replace(state, packs=state.packs | {event.pack})


def _cards_shuffled(state: TableState, event: e.CardsShuffled) -> TableState:
    assert state.configuration is not None
    shoe = Shoe(number=event.shoe, stage=Stage.SHUFFLED, cards=52 * state.configuration.decks)
    return replace(state, shoe=shoe, packs=state.packs - {event.pack or ""})


def _shoe_ended(state: TableState, event: e.ShoeEnded) -> TableState:
    return replace(
        state, shoe=replace(state.shoe, stage=Stage.SPENT, ended=(event.reason, event.clause), carried=()), fact=None
    )


def _cards_replaced(state: TableState, event: e.CardsReplaced) -> TableState:
    clause = "CROWN 3.11.1" if event.clause == "CROWN 3.11" else event.clause
    shoe = replace(state.shoe, stage=Stage.SPENT, ended=("the cards are replaced", clause), replaced=True)
    return replace(state, shoe=shoe)


def _face_up_changed(state: TableState, event: e.FaceUpChanged) -> TableState:
    return replace(state, face_up=event.face_up)


def _cards_cut(state: TableState, event: e.CardsCut) -> TableState:
    shoe = replace(state.shoe, stage=Stage.CUT, behind_cutting_card=event.behind_cutting_card)
    return replace(state, shoe=shoe)


def _cards_burned(state: TableState, event: e.CardsBurned) -> TableState:
    shoe = replace(
        state.shoe,
        stage=Stage.IN_PLAY,
        out=state.shoe.cards - event.left,
        census=seen(state.shoe, event.shown) if event.shown else state.shoe.census,
        hidden_burn=event.shown is None and event.hidden == 1 and event.coup == 0 and not state.shoe.out,
        burns_due=event.still_due,
    )
    coup = replace(state.coup, burned=True) if state.coup and event.coup else state.coup
    return replace(state, shoe=shoe, coup=coup)


def _burn_shown(state: TableState, event: e.BurnShown) -> TableState:
    return replace(state, shoe=replace(state.shoe, census=seen(state.shoe, event.card), hidden_burn=False))


def _cutting_card_seen(state: TableState, event: e.CuttingCardSeen) -> TableState:
    return replace(state, shoe=replace(state.shoe, last_coup=event.last_coup))


def _station(state: TableState, name: str, **changes: object) -> TableState:
    return replace(state, stations=_put(state.stations, name, replace(state.stations[name], **changes)))


def _account_opened(state: TableState, event: e.AccountOpened) -> TableState:
    station = Station(control=event.control, patron=event.patron)
    return replace(state, stations=_put(state.stations, event.station, station), controls=event.control)


def _meters(state: TableState, station: str) -> Meters:
    return state.meters.get(station, NO_METERS)


def _bought_in(state: TableState, event: e.BoughtIn) -> TableState:
    meters = _meters(state, event.station).bought_in(event.tender, event.cents)
    return _brought(replace(state, meters=_put(state.meters, event.station, meters)), event.station, event.cents)


def _note_stacked(state: TableState, event: e.NoteStacked) -> TableState:
    meters = _meters(state, event.station).bought_in("notes", event.cents)
    return _brought(replace(state, meters=_put(state.meters, event.station, meters)), event.station, event.cents)


def _brought(state: TableState, station: str, cents: int) -> TableState:
    return _station(state, station, brought=state.stations[station].brought + cents)


def _case_opened(state: TableState, event: e.ClaimMade | e.DisputeOpened | e.BreachRecorded) -> TableState:
    kind = {e.ClaimMade: "claim", e.DisputeOpened: "dispute", e.BreachRecorded: "breach"}[type(event)]
    text = event.reason if isinstance(event, e.BreachRecorded) else event.text
    device = isinstance(event, e.BreachRecorded) and event.prohibited_device
    return replace(state, cases={**state.cases, event.case: Case(kind, event.station, text, device)})


def _case_closed(state: TableState, event: e.ClaimDecided | e.DisputeDecided | e.SeizedReleased) -> TableState:
    case = replace(state.cases[event.case], closed=True, seized=0)
    state = replace(state, cases={**state.cases, event.case: case})
    if isinstance(event, e.DisputeDecided):
        meters = dict(state.meters)
        for station, cents in event.adjustments.items():
            meters[station] = _meters(state, station).corrected(cents)
        state = replace(state, meters=meters)
    return state


def _winnings_seized(state: TableState, event: e.WinningsSeized) -> TableState:
    case = state.cases[event.case]
    cases = {**state.cases, event.case: replace(case, seized=case.seized + event.cents)}
    meters = _meters(state, event.station).corrected(-event.cents)
    return replace(state, cases=cases, meters=_put(state.meters, event.station, meters))


def _wagers_voided(state: TableState, event: e.WagersVoided) -> TableState:
    coup = state.coup
    if coup is not None:
        coup = replace(coup, sealed={name: one for name, one in coup.sealed.items() if name != event.station})
    return replace(state, coup=coup, faulted=state.faulted - {event.station} if _sealed(state) else state.faulted)


def _sealed(state: TableState) -> bool:
    return state.phase in (Phase.NO_MORE_BETS, Phase.DEALING)


def _excluded(state: TableState, event: e.PatronExcluded) -> TableState:
    return _station(state, event.station, directed_to_leave=True)


def _station_faulted(state: TableState, event: e.StationFaulted) -> TableState:
    return replace(state, faulted=state.faulted | {event.station})


def _restarted(state: TableState, event: e.SystemRestarted) -> TableState:
    return replace(state, awaits_confirmation=event.awaits_confirmation)


def _records_confirmed(state: TableState, event: e.RecordsConfirmed) -> TableState:
    if not event.station:
        return replace(state, awaits_confirmation=False)
    return replace(state, faulted=state.faulted - {event.station})


def _wagers_reversed(state: TableState, event: e.WagersReversed) -> TableState:
    played = replace(_last_played(state, event.coup), settlements=event.settlements)
    return replace(
        state,
        played=state.played.then(played),
        meters=_adjusted_meters(state, event.adjustments),
        faulted=state.faulted - {event.station},
    )


def _nominee_named(state: TableState, event: e.NomineeNamed) -> TableState:
    return _station(state, event.station, nominee=event.nominee)


def _leave_asked(state: TableState, event: e.LeaveAsked) -> TableState:
    return _station(state, event.station, leaving=True)


def _directed_to_leave(state: TableState, event: e.DirectedToLeave) -> TableState:
    return _station(state, event.station, directed_to_leave=True)


def _paid_out(state: TableState, event: e.PaidOut) -> TableState:
    meters = _meters(state, event.station).paid_out("chips", event.cents)
    return replace(state, meters=_put(state.meters, event.station, meters))


def _ticket_issued(state: TableState, event: e.TicketIssued) -> TableState:
    meters = _meters(state, event.station).paid_out("ticket", event.cents)
    ticket = Ticket(event.station, event.cents, "issued")
    return replace(
        state,
        meters=_put(state.meters, event.station, meters),
        tickets=_put(state.tickets, event.ticket, ticket),
    )


def _print_failed(state: TableState, event: e.PrintFailed) -> TableState:
    ticket = replace(state.tickets[event.ticket], status="print_failed")
    return replace(state, tickets=_put(state.tickets, event.ticket, ticket))


def _paid_manually(state: TableState, event: e.TicketPaidManually) -> TableState:
    ticket = replace(state.tickets[event.ticket], status="paid_manually")
    return replace(state, tickets=_put(state.tickets, event.ticket, ticket))


def _account_closed(state: TableState, event: e.AccountClosed) -> TableState:
    return replace(state, stations=_put(state.stations, event.station, Station()))


def _wagering_opened(state: TableState, event: e.WageringOpened) -> TableState:
    fresh = {name: replace(one, undo=()) if one.undo else one for name, one in state.stations.items()}
    coup = CoupUnderWay(event.coup, event.deadline_ms)
    return replace(state, coup=coup, coups=event.coup, stations=fresh, fact=None, faulted=frozenset())


def _wagering_closed(state: TableState, event: e.WageringClosed) -> TableState:
    assert state.coup is not None
    coup = replace(
        state.coup, sealed=event.sealed, root=event.root, closed_by=event.closed_by, closed_at_ms=event.at_ms
    )
    return replace(state, coup=coup)


def _coup_voided(state: TableState, event: e.CoupVoided) -> TableState:  # noqa: ARG001
    return replace(state, coup=None, fact=None)


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


def _fact_stated(state: TableState, event: e.FactStated) -> TableState:
    fact = Fact(event.kind, event.cards, event.hand, event.reconstructible, event.order_known)
    return replace(state, fact=fact)


def _fact_resolved(state: TableState, event: e.FactResolved | e.FactWithdrawn) -> TableState:  # noqa: ARG001
    return replace(state, fact=None)


def _cards_carried(state: TableState, event: e.CardsCarried) -> TableState:
    shoe = replace(
        state.shoe,
        out=state.shoe.out + len(event.cards),
        carried=(*state.shoe.carried, *event.cards),
        carried_by=event.clause,
    )
    for notation in event.cards:
        if notation is not None:
            shoe = replace(shoe, census=seen(shoe, notation))
    return replace(state, shoe=shoe)


def _coup_reconstructed(state: TableState, event: e.CoupReconstructed) -> TableState:
    """The burn that was entered never happened, so one card fewer has left the shoe than was counted."""
    assert state.coup is not None
    shoe = replace(
        state.shoe, out=state.shoe.out - 1, hidden_burn=False, carried=event.left_over, carried_by=event.clause
    )
    return replace(state, coup=replace(state.coup, cards=tuple(CARDS[notation] for notation in event.cards)), shoe=shoe)


def _dummy_declared(state: TableState, event: e.DummyCoupDeclared) -> TableState:
    last = state.shoe.last_coup
    later = last is not None and last >= event.coup and not event.counts_as_coup
    shoe = replace(state.shoe, last_coup=last + 1) if later and last is not None else state.shoe
    coup = state.coup or CoupUnderWay(event.coup, 0)
    return replace(state, coup=replace(coup, dummy=True, sealed={}), coups=event.coup, shoe=shoe)


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
        stakes = sum(one.stake_cents for one in settled)
        net = sum(one.net_cents for one in settled)
        commission = sum(one.commission_cents for one in settled)
        meters[station] = meters.get(station, NO_METERS).settled(stakes, stakes + net, commission)
    played = Played(
        event.coup,
        state.shoe.number,
        tuple(card.notation for card in state.coup.cards),
        event.settlements,
        {station: state.stations[station].control for station in event.settlements},
    )
    return replace(
        state,
        coup=None,
        meters=meters,
        stations=_after_the_coup(state, state.coup.sealed),
        played=state.played.then(played),
    )


def _frozen(state: TableState, event: e.AccountsFrozen) -> TableState:
    return replace(state, frozen_at_ms=event.at_ms)


def _unfrozen(state: TableState, event: e.AccountsUnfrozen) -> TableState:
    """The countdown stood still and resumes with what was left of it (G-90)."""
    coup = state.coup
    if coup is not None and state.phase is Phase.WAGERING and state.frozen_at_ms is not None:
        coup = replace(coup, deadline_ms=coup.deadline_ms + event.at_ms - state.frozen_at_ms)
    return replace(state, frozen_at_ms=None, coup=coup)


def _outcome_corrected(state: TableState, event: e.OutcomeCorrected) -> TableState:
    """The census follows the true cards, if they came from the shoe that is in play."""
    shoe = state.shoe
    if _last_played(state, event.coup).shoe == shoe.number:
        for notation in event.was:
            shoe = replace(shoe, census=seen(shoe, notation, -1))
        for notation in (*event.cards, *event.left_over):
            shoe = replace(shoe, census=seen(shoe, notation))
        drawn_since = len(event.cards) + len(event.left_over) - len(event.was)
        shoe = replace(shoe, out=shoe.out + drawn_since)
        if event.carried:
            shoe = replace(shoe, carried=event.left_over, carried_by="G-110")
    return replace(state, correction=(event.coup, event.cards), shoe=shoe)


def _recalculated(state: TableState, event: e.CoupRecalculated) -> TableState:
    assert state.correction is not None
    played = replace(_last_played(state, event.coup), cards=state.correction[1], settlements=event.settlements)
    return replace(
        state,
        correction=None,
        played=state.played.then(played),
        meters=_adjusted_meters(state, event.adjustments),
    )


def _invalidated(state: TableState, event: e.CoupInvalidated) -> TableState:
    played = replace(_last_played(state, event.coup), invalid=True)
    return replace(state, played=state.played.then(played), meters=_adjusted_meters(state, event.adjustments))


def _owed_collected(state: TableState, event: e.OwedCollected) -> TableState:
    meters = _meters(state, event.station).corrected(-event.cents)
    return replace(state, meters=_put(state.meters, event.station, meters))


def _adjusted_meters(state: TableState, adjustments: Mapping[str, e.Adjustment]) -> Mapping[str, Meters]:
    meters = dict(state.meters)
    for station, one in adjustments.items():
        meters[station] = _meters(state, station).corrected(one.credited_cents - one.taken_cents)
    return meters


def _last_played(state: TableState, number: int) -> Played:
    return next(played for played in reversed(list(state.played)) if played.coup == number)


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


_APPLY: dict[type[e.Event], Callable[[TableState, Any], TableState]] = {
    e.Configured: _configured,
    e.OptionTakenUp: _option_taken_up,
    e.SignedOn: _signed_on,
    e.SignedOff: _signed_off,
    e.BuildApproved: _build_approved,
    e.TableClosed: _table_closed,
    e.TableLocked: _locked,
    e.NoticeGiven: _notice_given,
    e.MinimumChanged: _minimum_changed,
    e.DeviceReported: _device_reported,
    e.CardsChecked: _cards_checked,
    e.PackRecorded: _pack_recorded,
    e.CardsShuffled: _cards_shuffled,
    e.ShoeEnded: _shoe_ended,
    e.CardsReplaced: _cards_replaced,
    e.CardsCut: _cards_cut,
    e.CardsBurned: _cards_burned,
    e.BurnShown: _burn_shown,
    e.CuttingCardSeen: _cutting_card_seen,
    e.AccountOpened: _account_opened,
    e.BoughtIn: _bought_in,
    e.NoteStacked: _note_stacked,
    e.NomineeNamed: _nominee_named,
    e.LeaveAsked: _leave_asked,
    e.DirectedToLeave: _directed_to_leave,
    e.PaidOut: _paid_out,
    e.TicketIssued: _ticket_issued,
    e.PrintFailed: _print_failed,
    e.TicketPaidManually: _paid_manually,
    e.AccountClosed: _account_closed,
    e.WageringOpened: _wagering_opened,
    e.WageringClosed: _wagering_closed,
    e.CoupVoided: _coup_voided,
    e.CardDealt: _card_dealt,
    e.CardAmended: _card_amended,
    e.ClaimMade: _case_opened,
    e.DisputeOpened: _case_opened,
    e.BreachRecorded: _case_opened,
    e.ClaimDecided: _case_closed,
    e.DisputeDecided: _case_closed,
    e.SeizedReleased: _case_closed,
    e.WinningsSeized: _winnings_seized,
    e.WagersVoided: _wagers_voided,
    e.PatronExcluded: _excluded,
    e.StationFaulted: _station_faulted,
    e.SystemRestarted: _restarted,
    e.RecordsConfirmed: _records_confirmed,
    e.WagersReversed: _wagers_reversed,
    e.AccountsFrozen: _frozen,
    e.AccountsUnfrozen: _unfrozen,
    e.OutcomeCorrected: _outcome_corrected,
    e.CoupRecalculated: _recalculated,
    e.CoupInvalidated: _invalidated,
    e.OwedCollected: _owed_collected,
    e.FactStated: _fact_stated,
    e.FactResolved: _fact_resolved,
    e.FactWithdrawn: _fact_resolved,
    e.CardsCarried: _cards_carried,
    e.CoupReconstructed: _coup_reconstructed,
    e.DummyCoupDeclared: _dummy_declared,
    e.FaceUpChanged: _face_up_changed,
    e.CoupDecided: _coup_decided,
    e.WagersSettled: _wagers_settled,
}
