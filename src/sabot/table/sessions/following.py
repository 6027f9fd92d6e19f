"""What follows in a session when a coup ends or is put right: forfeits, the count, the scores, seats that close.

It stands in the same record as what it follows, so that a coup is counted and scored once.
"""

from collections.abc import Iterator, Mapping

from sabot.basics.stamp import Stamp
from sabot.rules.limits import Limits
from sabot.rules.terms import Settlement
from sabot.table.events import (
    CoupDecided,
    CoupInvalidated,
    CoupRecalculated,
    CoupVoided,
    CreditsForfeited,
    DisputeDecided,
    DummyCoupDeclared,
    Event,
    ForfeitReturned,
    MissWarned,
    SessionPlayed,
    SessionRescored,
    SessionScored,
    WageringClosed,
    WagersReversed,
    WagersSettled,
    WagersVoided,
)
from sabot.table.evolve import fold
from sabot.table.sessions.closing import Ending, closed_seat
from sabot.table.sessions.standing import changes_by_entrant, scores_after, with_forfeits
from sabot.table.sessions.state import SeatInSession, SeatStatus, SessionStage, SessionState
from sabot.table.state import CoupUnderWay, TableState

COUNT = "CROWN 12.2.1(d)"
COMPULSORY = "CROWN 12.2.1(c)"
NO_WAGERS = "CROWN 11.4"
_ENDS_A_COUP = (WagersSettled, CoupVoided, CoupDecided, DummyCoupDeclared)
_FREES_A_SEAT = (*_ENDS_A_COUP, WagersVoided)
_PUTS_RIGHT = (CoupRecalculated, CoupInvalidated, WagersReversed, DisputeDecided)


def in_session(state: TableState, stamp: Stamp, events: tuple[Event, ...]) -> tuple[Event, ...]:
    """The events of an act, and what follows from them in the session that is on."""
    session = _on(state)
    if any(isinstance(event, _PUTS_RIGHT) for event in events):
        events = (*events, *_corrected(state, events))
    ended = next((event for event in events if isinstance(event, WagersSettled | CoupVoided)), None)
    if ended is not None and session.stage is SessionStage.OPEN:
        events = (*events, *_counted(state, events, ended, stamp.at_ms))
    waits = any(seat.closing for seat in session.seats.values())
    if waits and any(isinstance(event, _FREES_A_SEAT) for event in events):
        events = (*events, *_seats_closed(fold(events, state)))
    return events


def _corrected(state: TableState, events: tuple[Event, ...]) -> list[Event]:
    corrected: list[Event] = []
    for event in events:
        following = tuple(_put_right(state, _on(state), event))
        corrected += following
        state = fold((event, *following), state)
    return corrected


def _counted(
    state: TableState, events: tuple[Event, ...], ended: WagersSettled | CoupVoided, at_ms: int
) -> Iterator[Event]:
    """The forfeits of the coup, then the scores, then the end of play where it was the last that counts (G-123).

    What the events come to is not worked out a second time: a settlement adds its net to a score, a void adds nothing.
    """
    session, coup = _on(state), _sealed_coup(state, events)
    if coup is None or coup.dummy or not _counts(session, ended):
        return
    scores = scores_after(state, session, ended.settlements if isinstance(ended, WagersSettled) else {})
    due = isinstance(ended, WagersSettled) or ended.clause == NO_WAGERS
    missed = tuple(_missed(state, events, coup, scores)) if due and session.terms.each_coup == "compulsory" else ()
    yield from missed
    for event in missed:
        if isinstance(event, CreditsForfeited):
            scores[event.entrant] -= event.credits
    counted = session.counted + 1
    left = None if session.terms.coups is None else max(0, session.terms.coups - counted)
    yield SessionScored(
        sitting=session.sitting,
        coup=ended.coup,
        counted=counted,
        left=left,
        revision=session.revision + 1 + sum(not isinstance(event, CreditsForfeited) for event in missed),
        scores=scores,
        clause=COUNT,
    )
    if left == 0 or (session.ends_ms is not None and at_ms >= session.ends_ms):
        why = "coups" if left == 0 else "time"
        yield SessionPlayed(sitting=session.sitting, counted=counted, why=why, clause=COUNT)


def _counts(session: SessionState, ended: WagersSettled | CoupVoided) -> bool:
    """A settled coup counts, and so does one that nobody wagered on, since everybody had the chance (G-123)."""
    return isinstance(ended, WagersSettled) or ended.clause == NO_WAGERS or session.terms.void_coups == "counted"


def _sealed_coup(before: TableState, events: tuple[Event, ...]) -> CoupUnderWay | None:
    """The coup with the wagers as they were sealed, where the same act closed the wagering."""
    closed = next((place for place, event in enumerate(events) if isinstance(event, WageringClosed)), None)
    return before.coup if closed is None else fold(events[: closed + 1], before).coup


def _missed(
    state: TableState, events: tuple[Event, ...], coup: CoupUnderWay, scores: Mapping[int, int]
) -> Iterator[Event]:
    """What becomes of those who did not make the compulsory wager (CROWN 12.2.1(c), G-102, G-125)."""
    session = _on(state)
    terms, sealed = session.terms, coup.sealed
    for station, seat in session.open_seats.items():
        laid = sum(sealed[station].values()) if station in sealed else 0
        if laid >= terms.credits or is_excused(state, coup, station):
            continue
        missing = most_to_lay(state, min(terms.credits, state.purse(station).total)) - laid
        if missing <= 0:
            continue
        if terms.missed != "forfeit":
            yield from _warned(fold(events, state), station, seat, coup.number)
        elif lost := min(missing, max(0, scores[seat.entrant])):
            yield CreditsForfeited(
                sitting=session.sitting,
                station=station,
                entrant=seat.entrant,
                coup=coup.number,
                credits=lost,
                clause=COMPULSORY,
            )


def _warned(state: TableState, station: str, seat: SeatInSession, coup: int) -> Iterator[Event]:
    """So many warnings are given; the next miss ends the entrant's play."""
    session, warnings = _on(state), seat.warnings + 1
    yield MissWarned(
        sitting=session.sitting,
        station=station,
        entrant=seat.entrant,
        coup=coup,
        warnings=warnings,
        clause=COMPULSORY,
    )
    allowed = session.terms.warnings if session.terms.missed == "warning" else 0
    if warnings > allowed:
        yield closed_seat(state, session, station, Ending("the compulsory wager was not made", COMPULSORY))


def is_excused(state: TableState, coup: CoupUnderWay, station: str) -> bool:
    """Whether the station failed before the close, was out of service or showed no sign: nobody could wager (11.14)."""
    control = state.stations[station].control
    could = control in coup.could_wager
    if not could and not state.configuration.stations[station].remote:
        return True
    return station in state.out_of_service or (station in state.faulted and (control in coup.void or not could))


def most_to_lay(state: TableState, purse: int) -> int:
    """The most that can be laid with so many credits: main bets only, since others need one of them (G-125)."""
    bets = [state.limits[bet] for bet in sorted(state.offered) if state.terms.bets[bet].needs is None]
    return _most(bets, purse)


def _most(bets: list[Limits], purse: int) -> int:
    if not bets or not purse:
        return 0
    first, rest = bets[0], bets[1:]
    without = _most(rest, purse)
    laid = first.permitted(purse)
    return max(without, laid + _most(rest, purse - laid)) if laid else without


def _put_right(state: TableState, session: SessionState, event: Event) -> Iterator[Event]:
    """The scores from the coup on, and back what was forfeited in a coup that has no effect (13.4, G-126)."""
    if not isinstance(event, _PUTS_RIGHT):
        return
    if isinstance(event, DisputeDecided):
        changes = {session.seats[name].entrant: one.change_cents for name, one in event.booked.items()}
        coup = session.scores.last.coup if session.scores.last is not None else session.first_coup
        yield from _rescored(session, coup, changes, event.clause)
        return
    changes = changes_by_entrant(state, event.coup, _settled_after(event), session.seats)
    if isinstance(event, CoupInvalidated):
        yield from _without_effect(session, event, changes)
    else:
        yield from _rescored(session, event.coup, changes, event.clause)


def _without_effect(session: SessionState, event: CoupInvalidated, changes: Mapping[int, int]) -> Iterator[Event]:
    """Forfeits go back, and the coup is played again where the conditions say so (CROWN 13.4, G-123)."""
    forfeits = session.forfeits.get(event.coup, {})
    changes = with_forfeits(changes, forfeits, session.seats)
    for station, lost in forfeits.items():
        seat = session.seats[station]
        if seat.status is SeatStatus.PLAYING:
            yield ForfeitReturned(
                sitting=session.sitting,
                station=station,
                entrant=seat.entrant,
                coup=event.coup,
                credits=lost,
                clause="CROWN 13.4",
            )
    replayed = session.stage is SessionStage.OPEN and session.terms.void_coups == "replayed"
    if not replayed or not any(score.coup == event.coup for score in session.scores):
        yield from _rescored(session, event.coup, changes, event.clause)
        return
    yield SessionRescored(
        sitting=session.sitting,
        coup=event.coup,
        revision=session.revision + 1,
        changes=changes,
        uncounted=True,
        carried=_carried(session, event.coup, changes),
        clause=event.clause,
    )


def _carried(session: SessionState, coup: int, changes: Mapping[int, int]) -> dict[int, int]:
    """What the score before a newest coup must bear, so that it is what the books say once the coup is gone."""
    scores = list(session.scores)[-2:]
    if len(scores) < 2 or scores[1].coup != coup:
        return {}
    before, newest = scores
    should = {number: newest.scores[number] + changes.get(number, 0) - had for number, had in before.scores.items()}
    return {number: change for number, change in should.items() if change}


def _settled_after(event: CoupRecalculated | CoupInvalidated | WagersReversed) -> Mapping[str, list[Settlement]]:
    return {} if isinstance(event, CoupInvalidated) else event.settlements


def _rescored(session: SessionState, coup: int, changes: Mapping[int, int], clause: str) -> Iterator[SessionRescored]:
    changes = {entrant: change for entrant, change in changes.items() if change}
    if changes:
        yield SessionRescored(
            sitting=session.sitting, coup=coup, revision=session.revision + 1, changes=changes, clause=clause
        )


def _on(state: TableState) -> SessionState:
    assert state.session is not None, "no session is on"
    return state.session


def _seats_closed(state: TableState) -> Iterator[Event]:
    session = _on(state)
    for station, seat in session.seats.items():
        if seat.closing and not state.purse(station).layout:
            yield closed_seat(state, session, station, Ending(seat.closing, "CROWN 12.2.1(h)"))
