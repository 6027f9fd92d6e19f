"""What a tournament wants of a table (CROWN 12.3), as far as the table can do it now.

Everything here may be asked for again at any time. The table's own rules are asked first, so that nothing is written
at a table that would refuse it; why it waits is told to the tournament (`table_to_tournament`).
"""

from collections.abc import Iterator

from sabot.basics.stamp import clock_stamp
from sabot.floor.exchange.house_to_table import TableStamped
from sabot.rules.rule_set import Bet
from sabot.rules.shipped import digest_of
from sabot.table import acts
from sabot.table.decide import decide
from sabot.table.evolve import evolve
from sabot.table.refusal import Refused
from sabot.table.sessions.state import SessionStage, SessionState
from sabot.table.sessions.terms import SessionSeat, SessionTerms
from sabot.table.state import TableState
from sabot.tournament.conditions.parts import Conditions
from sabot.tournament.events import SeatAllotted
from sabot.tournament.sittings.finding import round_played
from sabot.tournament.state import Sitting, SittingState, TournamentState


def tournament_to_table(tournament: TournamentState, state: TableState, at_ms: int) -> list[TableStamped]:
    """The orders that the table of this state has not done yet and can do now."""
    stamp = clock_stamp(at_ms)
    orders: list[TableStamped] = []
    for act in wanted_of_table(tournament, state):
        decision = decide(state, act, stamp)
        if not isinstance(decision, Refused) and decision:
            orders.append(TableStamped(act, stamp))
            for event in decision:
                state = evolve(state, event)
    return orders


def refused_by_table(tournament: TournamentState, state: TableState, at_ms: int) -> Refused | None:
    """Why the table cannot be reserved, released, or open its sitting yet."""
    for act in wanted_of_table(tournament, state):
        if isinstance(act, acts.ReserveTable | acts.ReleaseTable | acts.OpenSession):
            decision = decide(state, act, clock_stamp(at_ms))
            if isinstance(decision, Refused):
                return decision
    return None


def wanted_of_table(tournament: TournamentState, state: TableState) -> Iterator[acts.Act]:
    """Everything that a tournament wants of a table and that is not done there, in its order."""
    table = state.configuration.table
    if state.session is not None and state.session.terms.tournament == tournament.tournament:
        sitting = tournament.sittings.get(state.session.terms.sitting)
        if sitting is not None:
            yield from _of_sitting(state.session.terms.sitting, sitting, state.session)
        if state.session.terms.minutes is not None and state.coup is None:
            yield acts.Tick()  # Ends a session whose time is up between coups (G-124).
        return
    yield from _of_reservation(tournament, table, state)
    for name, sitting in tournament.sittings.items():
        if sitting.table == table and sitting.state is SittingState.CALLED and name not in state.kept_sessions:
            yield acts.OpenSession(terms=_terms(tournament, name, sitting), seats=_seats(sitting))


def _of_reservation(tournament: TournamentState, table: str, state: TableState) -> Iterator[acts.Act]:
    known = tournament.tables.get(table)
    is_wanted = known is not None and known.state != "releasing"
    reserved = state.reserved
    is_reserved = reserved is not None and reserved.tournament == tournament.tournament
    if is_wanted:
        conditions = tournament.conditions
        limits = dict(conditions.game.limits)
        if reserved is None or not is_reserved or dict(reserved.limits) != limits:
            yield acts.ReserveTable(tournament=tournament.tournament, title=conditions.title, limits=limits)
    elif is_reserved:
        yield acts.ReleaseTable(tournament=tournament.tournament)


def _of_sitting(name: str, sitting: Sitting, session: SessionState) -> Iterator[acts.Act]:
    """Seats first, in the order of the tournament's records; then the end."""
    for order in sitting.orders:
        if order.order in session.orders:
            continue
        if order.seat is not None:
            seat = _seat(order.seat)
            yield acts.AdmitSeat(
                sitting=name, order=order.order, station=order.station, seat=seat, penalty=order.penalty
            )
        else:
            yield acts.CloseSeat(sitting=name, order=order.order, station=order.station, reason=order.reason)
    if sitting.conclusion is not None and session.stage is SessionStage.OPEN:
        order_number, counted, by_agreement = sitting.conclusion
        yield acts.ConcludeSession(sitting=name, order=order_number, counted=counted, by_agreement=by_agreement)
    if sitting.closing:
        yield acts.EndSession(sitting=name, order=sitting.closing)


def _terms(tournament: TournamentState, name: str, sitting: Sitting) -> SessionTerms:
    """What the sitting is played by, whole."""
    conditions, played = tournament.conditions, round_played(tournament, sitting.round)
    assert played is not None, "a sitting of no round was called"
    game, wagers, late = conditions.game, conditions.wagers, conditions.attendance.late
    return SessionTerms(
        tournament=tournament.tournament,
        title=conditions.title,
        sitting=name,
        version=tournament.plays_by.version,
        round=sitting.round,
        session=sitting.session,
        rule_set=digest_of(game.rule_set),
        decks=game.decks,
        options=dict(game.options),
        offered=offered_in(conditions),
        limits=dict(game.limits),
        period_ms=game.period_ms,
        fresh_shoe=game.fresh_shoe,
        credit=played.credit,
        coups=played.coups,
        minutes=played.minutes,
        each_coup=wagers.each_coup.value,
        credits=wagers.credits,
        missed=wagers.missed.value if wagers.missed else None,
        warnings=wagers.warnings,
        shown=wagers.shown.value,
        hidden_last_coups=min(wagers.hidden_last_coups, played.coups or wagers.hidden_last_coups),
        late_admitted=late.admitted,
        penalty_credits=late.penalty_credits,
        latest_coup=late.latest_coup,
        void_coups=conditions.conduct.void_coups.value,
        excluded=conditions.accounts.excluded,
        modified=dict(conditions.accounts.modified),
        balances=played.balances.value,
        counted=sitting.counted,
    )


def offered_in(conditions: Conditions) -> tuple[Bet, ...]:
    """The bets of a session: those that have limits, which the conditions give to every bet that is offered."""
    return tuple(conditions.game.limits)


def _seats(sitting: Sitting) -> dict[str, SessionSeat]:
    return {station: _seat(seat) for station, seat in sitting.seats.items()}


def _seat(seat: SeatAllotted) -> SessionSeat:
    return SessionSeat(
        entrant=seat.entrant,
        patron=seat.player,
        substitute=seat.substitute,
        credit=seat.credit,
        present=seat.present,
    )
