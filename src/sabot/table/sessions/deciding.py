"""Sessions of a tournament at a table: reserved, opened, seated, concluded and closed (CROWN rule 12).

Each order of the tournament is carried again and again until it is done, so a repetition decides nothing.
"""

from sabot.basics.mistake import Mistake
from sabot.basics.stamp import Stamp
from sabot.rules.limits import check_limits
from sabot.table import acts
from sabot.table.cases.state import CaseKind
from sabot.table.events import (
    ConclusionAgreed,
    CreditsAdded,
    CreditsForfeited,
    Event,
    SeatOpened,
    SessionClosed,
    SessionOpened,
    SessionPlayed,
    ShoeEnded,
    SubstituteSeated,
    TableReleased,
    TableReserved,
)
from sabot.table.history.kept import session_kept
from sabot.table.no import No
from sabot.table.phase import Phase
from sabot.table.refusal import Cause
from sabot.table.sessions.closing import Ending, closed_seat, end_of_play
from sabot.table.sessions.standing import scores_of
from sabot.table.sessions.state import OVER, SeatStatus, SessionStage, SessionState
from sabot.table.sessions.terms import SessionSeat, SessionTerms
from sabot.table.state import Stage, TableState

RESERVED_BY = "CROWN 12.3.2"
CREDITS_BY = "CROWN 12.2.1(b)"
LATE_BY = "CROWN 12.2.1(i)"


def reserve_table(state: TableState, act: acts.ReserveTable, stamp: Stamp) -> tuple[Event, ...]:
    """To reserve a table is to close it to cash play: patrons present have their sign first (CROWN 13.7, G-130)."""
    before = state.reserved
    if before is not None and before.tournament != act.tournament:
        raise No(Cause.RESERVED, tournament=before.tournament)
    if before is not None and dict(before.limits) == act.limits:
        return ()
    _check_between_coups(state)
    if state.session is not None:
        raise No(Cause.SESSION_ON, sitting=state.session.sitting)
    accounts = [name for name, one in state.stations.items() if one.is_open]
    if accounts or state.deferred:
        raise No(Cause.ACCOUNTS_OPEN, stations=", ".join(accounts))
    _check_no_claims(state)
    shown = state.limits if before is None else before.limits
    offered = state.offered if before is None else before.limits.keys()
    rises = any(bet in offered and limits.minimum > shown[bet].minimum for bet, limits in act.limits.items())
    earliest = stamp.at_ms + state.figures.notice_ms if rises else stamp.at_ms
    return (
        TableReserved(
            tournament=act.tournament,
            title=act.title,
            limits=act.limits,
            at_ms=stamp.at_ms,
            sign_until_ms=max(earliest, 0 if before is None else before.sign_until_ms),
            clause=RESERVED_BY,
        ),
    )


def release_table(state: TableState, act: acts.ReleaseTable, _stamp: Stamp) -> tuple[Event, ...]:
    if state.reserved is None or state.reserved.tournament != act.tournament:
        return ()
    if state.session is not None:
        raise No(Cause.SESSION_ON, sitting=state.session.sitting)
    return (TableReleased(tournament=act.tournament, clause=RESERVED_BY),)


def open_session(state: TableState, act: acts.OpenSession, stamp: Stamp) -> tuple[Event, ...]:
    """The money is put aside and every entrant who is there has the same credits (CROWN 12.1.1)."""
    terms = act.terms
    if state.session is not None and state.session.sitting == terms.sitting:
        return ()
    if session_kept(state, terms.sitting) is not None:
        return ()
    if state.reserved is None or state.reserved.tournament != terms.tournament:
        raise No(Cause.NOT_RESERVED, tournament=terms.tournament)
    if state.session is not None:
        raise No(Cause.SESSION_ON, sitting=state.session.sitting)
    _check_between_coups(state)
    _check_equal(state, terms)
    _check_seats(state, act)
    if terms.fresh_shoe and not _is_fresh(state):
        raise No(Cause.SHOE_NOT_FRESH)
    if stamp.at_ms < state.reserved.sign_until_ms:
        raise No(Cause.SIGN_DUE, from_ms=state.reserved.sign_until_ms)
    opened = SessionOpened(
        terms=terms, seats=act.seats, first_coup=state.coups + 1, at_ms=stamp.at_ms, clause=CREDITS_BY
    )
    present = [(name, seat) for name, seat in act.seats.items() if seat.present]
    seated = (
        _seated(terms.sitting, name, seat, state.controls + place, stamp.at_ms)
        for place, (name, seat) in enumerate(present, 1)
    )
    return (opened, *seated)


def admit_seat(state: TableState, act: acts.AdmitSeat, stamp: Stamp) -> tuple[Event, ...]:
    """A late arrival, an admitted place, or a substitute; between coups, so that nobody joins a running countdown."""
    session = _session(state, act.sitting, act.order)
    if session is None:
        return ()
    _check_station(state, act.station)
    station, seat = session.now_at(act.station), act.seat
    here = session.seats.get(station)
    if here is not None and here.entrant != seat.entrant:
        raise No(Cause.TAKEN, station=station, clause="CROWN 12.1.1")
    if here is not None and here.status is SeatStatus.PLAYING:
        return (
            SubstituteSeated(
                sitting=act.sitting,
                station=station,
                entrant=seat.entrant,
                substitute=seat.substitute,
                order=act.order,
                clause="CROWN 12.3.3",
            ),
        )
    if here is not None and here.status in OVER:
        raise No(Cause.SEAT_CLOSED, station=station)
    if any(one.entrant == seat.entrant for name, one in session.seats.items() if name != station):
        raise No(Cause.TAKEN, station=station, clause="CROWN 12.1.1")
    _check_between_coups(state)
    _check_stage(session)
    _check_not_too_late(session)
    opened = _seated(act.sitting, station, seat, state.controls + 1, stamp.at_ms, act.order)
    penalty = min(seat.credit, session.terms.penalty_credits * session.counted) if act.penalty else 0
    if not penalty:
        return (opened,)
    lost = CreditsForfeited(
        sitting=act.sitting, station=station, entrant=seat.entrant, coup=0, credits=penalty, clause=LATE_BY
    )
    return (opened, lost)


def add_credits(state: TableState, act: acts.AddCredits, _stamp: Stamp) -> tuple[Event, ...]:
    session = _session(state, act.sitting, act.order)
    if session is None:
        return ()
    _check_between_coups(state)
    _check_stage(session)
    station = session.now_at(act.station)
    seat = session.seats.get(station)
    if seat is None or seat.status is not SeatStatus.PLAYING:
        raise No(Cause.NO_ACCOUNT, station=station)
    if act.credits <= 0:
        raise No(Cause.BAD_AMOUNT, why=f"{act.credits} is no number of credits", clause="CROWN 12.2.1(e)")
    return (
        CreditsAdded(
            sitting=act.sitting,
            station=station,
            entrant=seat.entrant,
            credits=act.credits,
            order=act.order,
            clause="CROWN 12.2.1(e)",
        ),
    )


def close_seat(state: TableState, act: acts.CloseSeat, stamp: Stamp) -> tuple[Event, ...]:
    """Chips that can still be lifted are; what runs is settled first (CROWN 12.2.1(h))."""
    session = _session(state, act.sitting, act.order)
    if session is None:
        return ()
    _check_station(state, act.station)
    station = session.now_at(act.station)
    if station not in session.seats or session.seats[station].status in OVER:
        raise No(Cause.SEAT_CLOSED, station=station)
    return end_of_play(state, station, stamp.at_ms, Ending(act.reason, "CROWN 12.2.1(h)", act.order))


def agree_to_conclude(state: TableState, act: acts.AgreeToConclude, stamp: Stamp) -> tuple[Event, ...]:
    """At the own station, between coups; it lapses when wagering opens again (CROWN 12.3.5(b), G-128)."""
    if act.station not in ("", stamp.by):
        raise No(Cause.NOT_THIS_STATION, station=act.station)
    session = state.session
    if session is None:
        raise No(Cause.NO_TOURNAMENT_SESSION)
    if session.terms.balances != "cash":
        raise No(Cause.NOT_BY_AGREEMENT)
    if session.stage is not SessionStage.OPEN:
        raise No(Cause.SITTING_OVER, sitting=session.sitting, counted=session.counted)
    if state.phase is not Phase.BETWEEN_COUPS:
        raise No(Cause.COUP_IN_PROGRESS, clause="CROWN 12.3.5(b)")
    seat = session.seats.get(stamp.by)
    if seat is None or seat.status is not SeatStatus.PLAYING:
        raise No(Cause.NO_ACCOUNT, station=stamp.by)
    if stamp.by in session.agreed:
        return ()
    return (
        ConclusionAgreed(
            sitting=session.sitting,
            station=stamp.by,
            entrant=seat.entrant,
            counted=session.counted,
            clause="CROWN 12.3.5(b)",
        ),
    )


def conclude_session(state: TableState, act: acts.ConcludeSession, _stamp: Stamp) -> tuple[Event, ...]:
    """The order rests on a count: where another coup has counted meanwhile, it must be asked again."""
    session = _session(state, act.sitting, act.order)
    if session is None:
        return ()
    if session.stage is not SessionStage.OPEN:
        raise No(Cause.SITTING_OVER, sitting=act.sitting, counted=session.counted)
    if session.counted != act.counted:
        raise No(Cause.COUNT_MOVED, counted=session.counted, ordered=act.counted)
    if state.coup is not None:
        raise No(Cause.COUP_IN_PROGRESS, clause="CROWN 12.3.5")
    missing = [name for name in session.open_seats if name not in session.agreed]
    if act.by_agreement and missing:
        raise No(Cause.NOT_AGREED, stations=", ".join(missing))
    clause = "CROWN 12.3.5(b)" if act.by_agreement else "CROWN 12.3.5(a)"
    why = "agreed" if act.by_agreement else "concluded"
    return (SessionPlayed(sitting=act.sitting, counted=session.counted, why=why, order=act.order, clause=clause),)


def end_session(state: TableState, act: acts.EndSession, stamp: Stamp) -> tuple[Event, ...]:
    """Everything that is still open about it is decided in credits first; then the money comes back."""
    session = _session(state, act.sitting, act.order)
    if session is None:
        return ()
    if state.coup is not None:
        raise No(Cause.COUP_IN_PROGRESS, clause="CROWN 12.2.1(d)")
    _check_no_claims(state)
    if state.awaits_confirmation or any(doubt.declared for doubt in state.doubts):
        raise No(Cause.RECORDS_UNCONFIRMED)
    ending = Ending("the session is over", CREDITS_BY, at_the_end=True)
    closed = [closed_seat(state, session, name, ending) for name in session.open_seats]
    over = SessionClosed(
        sitting=act.sitting,
        counted=session.counted,
        revision=session.revision + len(closed),
        scores=scores_of(state, session),
        balances=session.terms.balances,
        order=act.order,
        at_ms=stamp.at_ms,
        clause=CREDITS_BY,
    )
    return (*closed, over, *_shoe_spent(state, stamp))


def _shoe_spent(state: TableState, stamp: Stamp) -> tuple[Event, ...]:
    if state.shoe.stage in (Stage.NONE, Stage.SPENT):
        return ()
    why = "the session it was played in is over"
    return (ShoeEnded(shoe=state.shoe.number, reason=why, by=stamp.by, clause="CROWN 12.1.1"),)


def _seated(sitting: str, station: str, seat: SessionSeat, control: int, at_ms: int, order: int = 0) -> SeatOpened:
    return SeatOpened(
        sitting=sitting,
        station=station,
        entrant=seat.entrant,
        patron=seat.patron,
        substitute=seat.substitute,
        control=control,
        credits=seat.credit,
        order=order,
        at_ms=at_ms,
        clause=CREDITS_BY,
    )


def _session(state: TableState, sitting: str, order: int) -> SessionState | None:
    """The session that is meant, or None where the order was done already."""
    session = state.session
    if session is not None and session.sitting == sitting:
        return None if order in session.orders else session
    kept = session_kept(state, sitting)
    if kept is None:
        raise No(Cause.NO_TOURNAMENT_SESSION)
    if order not in kept.orders:
        raise No(Cause.SITTING_OVER, sitting=sitting, counted=kept.counted)
    return None


def _check_between_coups(state: TableState) -> None:
    if state.coup is not None:
        raise No(Cause.COUP_IN_PROGRESS, clause=RESERVED_BY)


def _check_stage(session: SessionState) -> None:
    if session.stage is not SessionStage.OPEN:
        raise No(Cause.SITTING_OVER, sitting=session.sitting, counted=session.counted)


def _check_no_claims(state: TableState) -> None:
    claims = [str(number) for number, case in state.cases.items() if case.kind is CaseKind.CLAIM and not case.closed]
    if claims:
        raise No(Cause.CLAIMS_OPEN, cases=", ".join(claims))


def _check_station(state: TableState, station: str) -> None:
    if station not in state.stations:
        raise No(Cause.UNKNOWN_STATION, station=station)


def _check_seats(state: TableState, act: acts.OpenSession) -> None:
    """Each entrant once, at a station of this table, with what every other has or with what was carried."""
    for station, seat in act.seats.items():
        _check_station(state, station)
        if seat.present and seat.credit <= 0:
            raise No(Cause.UNEQUAL, what=f"{station} would start with {seat.credit}")
    entrants = [seat.entrant for seat in act.seats.values()]
    if len(set(entrants)) < len(entrants):
        raise No(Cause.UNEQUAL, what="an entrant would have two seats")


def _check_equal(state: TableState, terms: SessionTerms) -> None:
    """All tables of a session play the same (CROWN 12.1.1)."""
    configuration = state.configuration
    if terms.rule_set != state.rule_set_digest:
        raise No(Cause.UNEQUAL, what="another rule set is played here")
    if terms.decks not in (None, configuration.decks):
        raise No(Cause.UNEQUAL, what=f"{configuration.decks} decks are played here, and not {terms.decks}")
    rules = state.terms.rule_set
    if terms.options is not None and rules.choose(terms.options) != rules.choose(configuration.options):
        raise No(Cause.UNEQUAL, what="other options are played here")
    strange = [bet for bet in terms.offered if bet not in state.terms.bets or bet not in terms.limits]
    if strange:
        raise No(Cause.UNEQUAL, what=f"{strange[0]} cannot be offered here")
    try:
        check_limits(state.terms, {bet: terms.limits[bet] for bet in terms.offered})
    except Mistake as mistake:
        raise No(Cause.CONFIGURATION, clause="CROWN 5.1", why=mistake) from None


def _is_fresh(state: TableState) -> bool:
    """Whether no coup was dealt from the shoe: what has left it is its burn, of which one card is shown at most."""
    shoe = state.shoe
    ready = shoe.stage in (Stage.SHUFFLED, Stage.CUT, Stage.IN_PLAY)
    return ready and not shoe.coups_dealt and not shoe.carried and sum(shoe.census.values()) <= 1


def _check_not_too_late(session: SessionState) -> None:
    """Before the first counted coup nobody is late; after the latest coup nobody is admitted (CROWN 12.2.1(i))."""
    terms = session.terms
    if not session.counted or session.counted == terms.counted:
        return
    if not terms.late_admitted or (terms.latest_coup is not None and session.counted >= terms.latest_coup):
        raise No(Cause.TOO_LATE, counted=session.counted, latest=terms.latest_coup or 0)
