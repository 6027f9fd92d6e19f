"""What sessions of a tournament change beside the ledger."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from sabot.basics.growing_list import GrowingList
from sabot.ledger.account import Unit
from sabot.ledger.ledger import Ledger
from sabot.table import events as e
from sabot.table.accounts.state import ControlSession, StationState
from sabot.table.corrections.evolving import last_played, with_version
from sabot.table.parts import meters_of, on_station, put
from sabot.table.sessions.standing import is_bust
from sabot.table.sessions.state import (
    KeptSession,
    MoneyAside,
    Reservation,
    SeatInSession,
    SeatStatus,
    SessionScore,
    SessionStage,
    SessionState,
)
from sabot.table.state import NoticeKind, TableState


def _reserved(state: TableState, event: e.TableReserved) -> TableState:
    """The sign that announced the closing to cash play has done its work."""
    reserved = Reservation(event.tournament, event.title, event.limits, event.at_ms, event.sign_until_ms)
    kept = tuple(notice for notice in state.notices if notice.kind is not NoticeKind.CLOSURE)
    return replace(state, reserved=reserved, notices=kept)


def _released(state: TableState, event: e.TableReleased) -> TableState:  # noqa: ARG001
    return replace(state, reserved=None)


def _opened(state: TableState, event: e.SessionOpened) -> TableState:
    terms = event.terms
    money = MoneyAside(state.ledger, state.meters, state.offered, state.limits, state.minimums, state.aggregate_minimum)
    expected = {
        station: SeatInSession(seat.entrant, seat.patron, seat.substitute, SeatStatus.EXPECTED)
        for station, seat in event.seats.items()
    }
    session = SessionState(
        terms=terms,
        money=money,
        seats=expected,
        opened_ms=event.at_ms,
        first_coup=event.first_coup,
        counted=terms.counted,
    )
    return replace(
        state,
        session=session,
        ledger=Ledger(unit=Unit.CREDITS),
        meters={},
        offered=frozenset(terms.offered),
        limits=terms.limits,
        minimums={bet: limits.minimum for bet, limits in terms.limits.items()},
        aggregate_minimum=terms.credits if terms.each_coup == "minimum" else 0,
    )


def _seat_opened(state: TableState, event: e.SeatOpened) -> TableState:
    station = StationState(control=event.control, patron=event.patron, nominee=event.substitute)
    seat = SeatInSession(event.entrant, event.patron, event.substitute, SeatStatus.PLAYING, event.control)
    state = replace(
        state,
        stations=put(state.stations, event.station, station),
        controls=event.control,
        sessions={**state.sessions, event.control: ControlSession(event.station, event.patron, event.at_ms)},
        meters=put(state.meters, event.station, meters_of(state, event.station).bought_in("credits", event.credits)),
        ledger=replace(state.ledger, purses=put(state.ledger.purses, event.station, state.purse(event.station))),
    )
    return _seat(state, event.station, seat, event.order)


def _substitute_seated(state: TableState, event: e.SubstituteSeated) -> TableState:
    session = on(state)
    seat = replace(session.seats[event.station], substitute=event.substitute)
    state = _seat(state, event.station, seat, event.order)
    return on_station(state, event.station, nominee=event.substitute) if _is_playing(seat) else state


def _credits_added(state: TableState, event: e.CreditsAdded) -> TableState:
    meters = meters_of(state, event.station).bought_in("credits", event.credits)
    state = replace(state, meters=put(state.meters, event.station, meters))
    return _seat(state, event.station, on(state).seats[event.station], event.order)


def _forfeited(state: TableState, event: e.CreditsForfeited) -> TableState:
    meters = meters_of(state, event.station).paid_out("forfeited", event.credits)
    state = replace(state, meters=put(state.meters, event.station, meters))
    if not event.coup:
        return state
    session = on(state)
    of_the_coup = {**session.forfeits.get(event.coup, {}), event.station: event.credits}
    return replace(state, session=replace(session, forfeits={**session.forfeits, event.coup: of_the_coup}))


def _forfeit_returned(state: TableState, event: e.ForfeitReturned) -> TableState:
    meters = meters_of(state, event.station).paid_out("forfeited", -event.credits)
    session = on(state)
    rest = {name: cents for name, cents in session.forfeits[event.coup].items() if name != event.station}
    forfeits = {coup: rest if coup == event.coup else some for coup, some in session.forfeits.items()}
    session = replace(session, forfeits={coup: some for coup, some in forfeits.items() if some})
    return replace(state, meters=put(state.meters, event.station, meters), session=session)


def _warned(state: TableState, event: e.MissWarned) -> TableState:
    return _seat(state, event.station, replace(on(state).seats[event.station], warnings=event.warnings))


def _to_close(state: TableState, event: e.SeatToClose) -> TableState:
    return _seat(state, event.station, replace(on(state).seats[event.station], closing=event.reason), event.order)


def _seat_closed(state: TableState, event: e.SeatClosed) -> TableState:
    session = on(state)
    seat = session.seats[event.station]
    if _is_playing(seat):
        meters = meters_of(state, event.station).paid_out("returned", event.credits)
        meters_now = put(state.meters, event.station, meters) if event.credits else state.meters
        state = replace(state, meters=meters_now, stations=put(state.stations, event.station, StationState()))
    seat = replace(seat, status=_status_after(state, event), score=event.score, closing="")
    return _seat(state, event.station, seat, event.order)


def _status_after(state: TableState, event: e.SeatClosed) -> SeatStatus:
    seat = on(state).seats[event.station]
    if not event.at_the_end:
        return SeatStatus.CLOSED if _is_playing(seat) else SeatStatus.ABSENT
    return SeatStatus.BUST if _is_playing(seat) and is_bust(state, event.station) else seat.status


def _agreed(state: TableState, event: e.ConclusionAgreed) -> TableState:
    session = on(state)
    agreed, revision = (*session.agreed, event.station), session.revision + 1
    return replace(state, session=replace(session, agreed=agreed, revision=revision))


def _scored(state: TableState, event: e.SessionScored) -> TableState:
    score = SessionScore(event.counted, event.coup, event.revision, event.scores)
    session = on(state)
    session = replace(session, counted=event.counted, revision=event.revision, scores=session.scores.then(score))
    return replace(state, session=session)


def _rescored(state: TableState, event: e.SessionRescored) -> TableState:
    session = on(state)
    scores: GrowingList[SessionScore] = GrowingList()
    for score in rescored(session.scores, event):
        scores = scores.then(score)
    if event.carried and scores.last is not None:
        last = scores.last
        borne = {number: cents + event.carried.get(number, 0) for number, cents in last.scores.items()}
        scores = scores.instead(replace(last, scores=borne, revision=event.revision))
    seats = {name: corrected_seat(seat, event.changes) for name, seat in session.seats.items()}
    counted = session.counted - event.uncounted
    session = replace(session, scores=scores, seats=seats, counted=counted, revision=event.revision)
    return replace(state, session=session)


def rescored(
    scores: Iterable[SessionScore], event: e.SessionRescored | e.SessionCoupCorrected
) -> Iterable[SessionScore]:
    """The scores after a correction: those from its coup on change, and a coup that no longer counts is left out."""
    uncounted = isinstance(event, e.SessionRescored) and event.uncounted
    for score in scores:
        if score.coup < event.coup or not (uncounted or event.changes):
            yield score
        elif score.coup > event.coup or not uncounted:
            changed = {number: cents + event.changes.get(number, 0) for number, cents in score.scores.items()}
            counted = score.counted - uncounted
            if changed == score.scores and counted == score.counted:
                yield score
            else:
                yield SessionScore(counted, score.coup, event.revision, changed)


def corrected_seat(seat: SeatInSession, changes: Mapping[int, int]) -> SeatInSession:
    """A seat that is closed has returned its credits, so a correction changes its score alone."""
    if seat.status is not SeatStatus.CLOSED or seat.entrant not in changes:
        return seat
    return replace(seat, score=seat.score + changes[seat.entrant])


def _played(state: TableState, event: e.SessionPlayed) -> TableState:
    session = on(state)
    orders = (*session.orders, event.order) if event.order else session.orders
    return replace(state, session=replace(session, stage=SessionStage.PLAYED, agreed=(), orders=orders))


def _closed(state: TableState, event: e.SessionClosed) -> TableState:
    """The money comes back as it was; what the tournament may still ask is kept."""
    session = on(state)
    money = session.money
    kept = KeptSession(
        session.terms,
        session.revision,
        session.counted,
        tuple(session.scores),
        session.seats,
        session.first_coup,
        state.coups,
        (*session.orders, event.order),
        session.forfeits,
    )
    return replace(
        state,
        session=None,
        kept_sessions={**state.kept_sessions, event.sitting: kept},
        ledger=money.ledger,
        meters=money.meters,
        offered=money.offered,
        limits=money.limits,
        minimums=money.minimums,
        aggregate_minimum=money.aggregate_minimum,
    )


def _coup_corrected(state: TableState, event: e.SessionCoupCorrected) -> TableState:
    kept = state.kept_sessions[event.sitting]
    played = last_played(state, event.coup)
    if event.invalid:
        played = replace(played, invalid=True)
    else:
        assert state.correction is not None
        _, cards, left_over = state.correction
        played = replace(played, cards=cards, left_over=left_over, settlements=event.settlements)
    waiting = state.correction if state.correction and state.correction[0] != event.coup else None
    kept = replace(
        kept,
        revision=event.revision,
        scores=tuple(rescored(kept.scores, event)),
        seats={name: _kept_seat(seat, event.changes) for name, seat in kept.seats.items()},
    )
    kept_sessions = {**_others(state.kept_sessions, event.sitting), event.sitting: kept}
    return with_version(replace(state, correction=waiting, kept_sessions=kept_sessions), played)


def _others(kept: Mapping[str, KeptSession], sitting: str) -> Mapping[str, KeptSession]:
    """Without the one that changes, which becomes the newest: its tournament has not heard of it yet."""
    return {name: one for name, one in kept.items() if name != sitting}


def _kept_seat(seat: SeatInSession, changes: Mapping[int, int]) -> SeatInSession:
    return replace(seat, score=seat.score + changes.get(seat.entrant, 0))


def on(state: TableState) -> SessionState:
    """The session that is on."""
    assert state.session is not None, "no session is on"
    return state.session


def _is_playing(seat: SeatInSession) -> bool:
    return seat.status is SeatStatus.PLAYING


def _seat(state: TableState, station: str, seat: SeatInSession, order: int = 0) -> TableState:
    session = on(state)
    orders = (*session.orders, order) if order else session.orders
    seats, revision = {**session.seats, station: seat}, session.revision + 1
    return replace(state, session=replace(session, seats=seats, orders=orders, revision=revision))


APPLY: dict[type[e.Event], Callable[[TableState, Any], TableState]] = {
    e.TableReserved: _reserved,
    e.TableReleased: _released,
    e.SessionOpened: _opened,
    e.SeatOpened: _seat_opened,
    e.SubstituteSeated: _substitute_seated,
    e.CreditsAdded: _credits_added,
    e.CreditsForfeited: _forfeited,
    e.ForfeitReturned: _forfeit_returned,
    e.MissWarned: _warned,
    e.SeatToClose: _to_close,
    e.SeatClosed: _seat_closed,
    e.ConclusionAgreed: _agreed,
    e.SessionScored: _scored,
    e.SessionRescored: _rescored,
    e.SessionPlayed: _played,
    e.SessionClosed: _closed,
    e.SessionCoupCorrected: _coup_corrected,
}
