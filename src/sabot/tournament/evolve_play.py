"""How events of seats, sessions, progress, prizes and the end change a tournament."""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from sabot.basics.growing_list import GrowingList
from sabot.tournament import events as e
from sabot.tournament.acts import ScoreNews
from sabot.tournament.evolve_entry import with_entrant, with_status
from sabot.tournament.phase import TournamentPhase
from sabot.tournament.sittings.finding import (
    PLAYS,
    is_there,
    next_rounds,
    round_played,
    seat_of,
    sittings_on,
)
from sabot.tournament.state import (
    SITTING_OVER,
    Entrant,
    EntrantStatus,
    PlayOff,
    RoundProgress,
    SeatOrder,
    Sitting,
    SittingState,
    TournamentState,
)

_NO_SCORES: GrowingList[Any] = GrowingList()


def _with_round(state: TournamentState, name: str, progress: RoundProgress) -> TournamentState:
    return replace(state, rounds={**state.rounds, name: progress})


def _with_sitting(state: TournamentState, known: str, sitting: Sitting) -> TournamentState:
    return replace(state, sittings={**state.sittings, known: sitting})


def _without_commitment(state: TournamentState, label: str) -> TournamentState:
    return replace(state, commitments={one: made for one, made in state.commitments.items() if one != label})


def _ordered(state: TournamentState, order: int) -> TournamentState:
    return replace(state, orders=max(state.orders, order))


# Seats


def _draw_committed(state: TournamentState, event: e.DrawCommitted) -> TournamentState:
    return replace(
        state,
        commitments={**state.commitments, event.draw: event.commitment},
        committed={**state.committed, event.draw: state.committed.get(event.draw, 0) + 1},
    )


def _seats_drawn(state: TournamentState, event: e.SeatsDrawn) -> TournamentState:
    progress = replace(
        state.progress(event.round),
        drawn=event.places,
        commitment=event.commitment,
        seed=event.seed,
        words=event.words,
    )
    state = _without_commitment(_with_round(state, event.round, progress), f"{state.tournament}/{event.round}")
    for placed in event.places:
        state = with_status(state, placed.entrant, EntrantStatus.SEATED, event.at_ms)
    return state


def _start_altered(state: TournamentState, event: e.StartAltered) -> TournamentState:
    progress = state.progress(event.round)
    return _with_round(
        state, event.round, replace(progress, starts_ms={**progress.starts_ms, event.session: event.to_ms})
    )


# Sessions


def _session_called(state: TournamentState, event: e.SessionCalled) -> TournamentState:
    progress = state.progress(event.round)
    state = _with_round(state, event.round, replace(progress, called=progress.called | {event.session}))
    state = replace(state, on=(event.round, event.session))
    for called in event.sittings:
        state = _sitting_called(state, called, event.round, event.session, event.at_ms)
    return state


def _sitting_called(
    state: TournamentState, called: e.SittingCalled, name: str, session: int, at_ms: int
) -> TournamentState:
    sitting = Sitting(
        round=name, session=session, table=called.table, seats=called.seats, counted=called.counted, called_ms=at_ms
    )
    for seat in called.seats.values():
        if seat.present:
            state = with_status(state, seat.entrant, EntrantStatus.PLAYING, at_ms)
    return _with_sitting(state, called.sitting, sitting)


def _sitting_noted(state: TournamentState, event: e.SittingNoted) -> TournamentState:
    sitting = state.sittings[event.sitting]
    if event.state == "waiting":
        return _with_sitting(state, event.sitting, replace(sitting, why=event.why))
    return _with_sitting(state, event.sitting, replace(sitting, state=SittingState(event.state), why=event.why))


def _score_noted(state: TournamentState, event: e.ScoreNoted) -> TournamentState:
    """A sitting's figures; an early conclusion that rests on another count lapses (CROWN 12.3.5)."""
    sitting = state.sittings[event.sitting]
    stands = sitting.conclusion is not None and sitting.conclusion[1] == event.counted
    noted = replace(
        sitting,
        revision=event.revision,
        counted=event.counted,
        left=event.left,
        scores=_scored(sitting.scores, event.counted, event.scores),
        told=event.seats,
        claims_open=event.claims_open,
        conclusion=sitting.conclusion if stands else None,
    )
    state = _with_sitting(state, event.sitting, noted)
    for told in event.seats.values():
        if state.entrants[str(told.entrant)].status in PLAYS and (told.present or told.bust):
            status = EntrantStatus.BUST if told.bust else EntrantStatus.PLAYING
            state = with_status(state, told.entrant, status, event.at_ms)
    return state


def _scored(scores: GrowingList[Any], counted: int, news: Iterable[ScoreNews]) -> GrowingList[Any]:
    """The trail of scores up to `counted`, each coup that was told replaced whole."""
    told = {one.counted: one.scores for one in news if one.counted <= counted}
    if len(scores) == counted - 1 and told.keys() == {counted}:
        return scores.then(told[counted])
    trail = dict(enumerate(scores, start=1))
    after = _NO_SCORES
    for coup in range(1, counted + 1):
        after = after.then(told.get(coup, trail.get(coup, {})))
    return after


def _session_ended(state: TournamentState, event: e.SessionEnded) -> TournamentState:
    progress = state.progress(event.round)
    state = _with_round(state, event.round, replace(progress, ended=progress.ended | {event.session}))
    played = round_played(state, event.round)
    if played is not None and played.play_off:
        of = state.progress(played.of)
        marked = tuple(replace(one, done=True) if one.number == played.play_off else one for one in of.play_offs)
        state = _with_round(state, played.of, replace(of, play_offs=marked))
    return replace(state, on=None)


def _arrival_recorded(state: TournamentState, event: e.ArrivalRecorded) -> TournamentState:
    state = _admitted(state, event.entrant, event.order, penalty=True)
    return with_status(state, event.entrant, EntrantStatus.PLAYING, event.at_ms)


def _admitted(state: TournamentState, entrant: int, order: int, *, penalty: bool) -> TournamentState:
    """The order to seat an entrant, or the substitute of one, at the seat that is drawn or admitted."""
    found = seat_of(state, entrant)
    assert found is not None, "an entrant without a seat was admitted"
    substitute = state.entrants[str(entrant)].substitute
    seat = replace(found.seat, present=True, substitute=substitute)
    return _seat_ordered(state, found.sitting, SeatOrder(order, "admit", found.station, seat, penalty))


def _seat_ordered(state: TournamentState, known: str, order: SeatOrder) -> TournamentState:
    sitting = state.sittings[known]
    state = _with_sitting(state, known, replace(sitting, orders=(*sitting.orders, order)))
    return _ordered(state, order.order)


def _entrant_absent(state: TournamentState, event: e.EntrantAbsent) -> TournamentState:
    progress = state.progress(event.round)
    state = _with_round(state, event.round, replace(progress, absent=tuple(sorted({*progress.absent, event.entrant}))))
    return with_status(state, event.entrant, EntrantStatus.ABSENT, event.at_ms)


def _substitute_approved(state: TournamentState, event: e.SubstituteApproved) -> TournamentState:
    entrant = state.entrants[str(event.entrant)]
    state = with_entrant(
        state, event.entrant, replace(entrant, substitute=event.substitute, substitute_until=event.until)
    )
    found = seat_of(state, event.entrant)
    if found is None or not event.order:
        return state
    state = _admitted(state, event.entrant, event.order, penalty=not is_there(found.at, found.station))
    return with_status(state, event.entrant, EntrantStatus.PLAYING, event.at_ms)


_LEFT = {
    e.EntrantRetired: EntrantStatus.RETIRED,
    e.EntrantDisqualified: EntrantStatus.DISQUALIFIED,
    e.EntrantExcluded: EntrantStatus.EXCLUDED,
}


def _entrant_left(
    state: TournamentState, event: e.EntrantRetired | e.EntrantDisqualified | e.EntrantExcluded
) -> TournamentState:
    """The status, and the order to close the seat of an entrant who has one."""
    found = seat_of(state, event.entrant)
    state = with_status(state, event.entrant, _LEFT[type(event)], event.at_ms)
    if found is None or not event.order:
        return state
    return _seat_ordered(state, found.sitting, SeatOrder(event.order, "close", found.station, reason=event.reason))


def _conclusion_ordered(state: TournamentState, event: e.ConclusionOrdered) -> TournamentState:
    ordered = (event.order, event.counted, event.by_agreement)
    sitting = replace(state.sittings[event.sitting], conclusion=ordered)
    return _ordered(_with_sitting(state, event.sitting, sitting), event.order)


def _closing_ordered(state: TournamentState, event: e.ClosingOrdered) -> TournamentState:
    for known in event.sittings:
        state = _with_sitting(state, known, replace(state.sittings[known], closing=event.order))
    return _ordered(state, event.order)


def _sitting_abandoned(state: TournamentState, event: e.SittingAbandoned) -> TournamentState:
    """The old sitting is over, and where it goes on elsewhere, its trail of scores goes on with it."""
    old = state.sittings[event.sitting]
    state = _with_sitting(
        state, event.sitting, replace(old, state=SittingState.ABANDONED, why=event.reason, closing=event.order)
    )
    state = _ordered(state, event.order)
    moved = event.moved_to
    if moved is None:
        return state
    state = _sitting_called(state, moved, old.round, old.session, event.at_ms)
    scores = old.scores if event.outcome == "resume" else _NO_SCORES
    fresh = replace(state.sittings[moved.sitting], stood_for=event.sitting, scores=scores, called_ms=old.called_ms)
    return _with_sitting(state, moved.sitting, fresh)


# Progress


def _tie_found(state: TournamentState, event: e.TieFound) -> TournamentState:
    progress = state.progress(event.round)
    found = PlayOff(event.play_off, event.entrants, event.places)
    return _with_round(state, event.round, replace(progress, play_offs=(*progress.play_offs, found)))


def _tie_broken(state: TournamentState, event: e.TieBroken) -> TournamentState:
    """Only what a draw decided is kept: everything else follows from the scores."""
    progress = state.progress(event.round)
    if event.how == "lots":
        progress = replace(progress, broken=(*progress.broken, event.entrants))
    elif event.how == "wild_cards":
        progress = replace(progress, wild_cards=event.entrants)
    else:
        return state
    label = f"{state.tournament}/{event.round}/{event.how.replace('_', '-')}"
    return _without_commitment(_with_round(state, event.round, progress), label)


def _round_confirmed(state: TournamentState, event: e.RoundConfirmed) -> TournamentState:
    """Who goes on, who is out, and whose substitute has done; the last confirmation decides the tournament."""
    progress = replace(
        state.progress(event.round),
        confirmed=True,
        through=event.through,
        eliminated=event.eliminated,
        ranked=event.ranked,
    )
    state = _with_round(state, event.round, progress)
    through = {number for numbers in event.through.values() for number in numbers}
    for number in event.ranked:
        if number in through:
            state = with_status(state, number, EntrantStatus.THROUGH, event.at_ms)
        elif number in event.eliminated:
            state = with_status(state, number, EntrantStatus.ELIMINATED, event.at_ms)
        elif state.entrants[str(number)].status in PLAYS:
            state = with_status(state, number, EntrantStatus.PLACED, event.at_ms)
    for number, entrant in _substituted(state, event.round):
        state = with_entrant(state, number, replace(entrant, substitute="", substitute_until=""))
    if all(state.progress(part.name).confirmed for part in state.conditions.rounds):
        state = replace(state, phase=TournamentPhase.DECIDED)
    return state


def _substituted(state: TournamentState, name: str) -> list[tuple[int, Entrant]]:
    everybody = state.entrants.whole().items()
    return [(int(number), one) for number, one in everybody if one.substitute and one.substitute_until == name]


_PASSED = frozenset({EntrantStatus.THROUGH, EntrantStatus.ELIMINATED, EntrantStatus.PLACED})


def _round_reopened(state: TournamentState, event: e.RoundReopened) -> TournamentState:
    """Everybody of the round is where they were before it was confirmed; seats drawn after it are drawn anew."""
    progress = state.progress(event.round)
    for part in next_rounds(state, event.round):
        state = _undrawn(state, part.name)
    for number in progress.ranked:
        if state.entrants[str(number)].status in _PASSED:
            state = with_status(state, number, EntrantStatus.PLAYING, event.at_ms)
    return _with_round(state, event.round, replace(progress, confirmed=False, through={}, eliminated=(), ranked=()))


def _undrawn(state: TournamentState, name: str) -> TournamentState:
    progress = state.progress(name)
    for placed in progress.drawn or ():
        entrant = state.entrants[str(placed.entrant)]
        if entrant.status is EntrantStatus.SEATED:
            before, _ = entrant.history[-1]
            state = with_entrant(state, placed.entrant, replace(entrant, status=before, history=entrant.history[:-1]))
    return _with_round(state, name, replace(progress, drawn=None, commitment="", seed="", words=""))


def _place_admitted(state: TournamentState, event: e.PlaceAdmitted) -> TournamentState:
    """A seat more, which the table fills by an order and not with the call."""
    found = next(
        known for known, one in sittings_on(state) if one.table == event.table and one.state not in SITTING_OVER
    )
    sitting = state.sittings[found]
    player = state.entrants[str(event.entrant)].player
    seat = e.SeatAllotted(event.entrant, player, event.credit, present=False)
    state = _with_sitting(state, found, replace(sitting, seats={**sitting.seats, event.station: seat}))
    state = with_status(state, event.entrant, EntrantStatus.PLAYING, event.at_ms)
    return _admitted(state, event.entrant, event.order, penalty=False)


# Prizes and the end


def _prizes_awarded(state: TournamentState, event: e.PrizesAwarded) -> TournamentState:
    return replace(state, pool_cents=event.pool_cents, house_adds_cents=event.house_adds_cents, prizes=event.prizes)


def _stakes_due(state: TournamentState, event: e.StakesDue) -> TournamentState:
    return replace(state, stakes={**state.stakes, event.sitting: event.won_cents})


def _tournament_cancelled(state: TournamentState, event: e.TournamentCancelled) -> TournamentState:
    for known, sitting in tuple(sittings_on(state)):
        if sitting.state not in SITTING_OVER:
            ended = replace(sitting, state=SittingState.ABANDONED, why=event.reason, closing=event.order)
            state = _with_sitting(state, known, ended)
    return replace(_ordered(state, event.order), phase=TournamentPhase.CANCELLED, on=None)


def _books_closed(state: TournamentState, _event: e.BooksClosed) -> TournamentState:
    return replace(state, books_closed=True)


def _unchanged(state: TournamentState, _event: e.TournamentEvent) -> TournamentState:
    return state


APPLY: dict[type[e.TournamentEvent], Callable[[TournamentState, Any], TournamentState]] = {
    e.DrawCommitted: _draw_committed,
    e.SeatsDrawn: _seats_drawn,
    e.StartAltered: _start_altered,
    e.SessionCalled: _session_called,
    e.SittingNoted: _sitting_noted,
    e.ScoreNoted: _score_noted,
    e.SessionEnded: _session_ended,
    e.ArrivalRecorded: _arrival_recorded,
    e.EntrantAbsent: _entrant_absent,
    e.SubstituteApproved: _substitute_approved,
    e.SubstituteRefused: _unchanged,
    e.EntrantRetired: _entrant_left,
    e.EntrantDisqualified: _entrant_left,
    e.EntrantExcluded: _entrant_left,
    e.ConclusionOrdered: _conclusion_ordered,
    e.ClosingOrdered: _closing_ordered,
    e.SittingAbandoned: _sitting_abandoned,
    e.TieFound: _tie_found,
    e.TieBroken: _tie_broken,
    e.RoundConfirmed: _round_confirmed,
    e.RoundReopened: _round_reopened,
    e.PlaceAdmitted: _place_admitted,
    e.PrizesAwarded: _prizes_awarded,
    e.StakesDue: _stakes_due,
    e.TournamentCancelled: _tournament_cancelled,
    e.BooksClosed: _books_closed,
}
