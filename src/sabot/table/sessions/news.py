"""What a tournament should know of a table: how far it is with a sitting, its scores and its seats.

The floor asks again whenever the table moves. Figures are whole, never differences, so that an answer that was lost, or
came twice, does no harm.
"""

from collections.abc import Iterable, Mapping

import msgspec

from sabot.basics.stamp import clock_stamp
from sabot.table import acts
from sabot.table.cases.state import CaseKind
from sabot.table.decide import refusal_to_all
from sabot.table.refusal import Refused
from sabot.table.sessions.standing import is_bust
from sabot.table.sessions.state import OVER, SeatInSession, SeatNews, SeatStatus, SessionScore, SessionState
from sabot.table.state import TableState


class TableNews(msgspec.Struct, frozen=True, gc=False):
    """Whether the table is a tournament's, and how far its sittings here are."""

    reserved: bool
    sittings: dict[str, str]
    """`open`, `played` or `closed`, by sitting."""


class ScoresNews(msgspec.Struct, frozen=True, gc=False):
    """What is new of a sitting since a revision."""

    revision: int
    counted: int
    left: int | None
    scores: tuple[SessionScore, ...]
    """Every counted coup whose figures changed since then."""
    seats: dict[str, SeatNews]
    """All of them, by station."""
    claims_open: bool


def table_news(state: TableState, tournament: str) -> TableNews:
    closed = {sitting: "closed" for sitting, kept in state.kept_sessions.items() if kept.terms.tournament == tournament}
    session = state.session
    on = {} if session is None or session.terms.tournament != tournament else {session.sitting: session.stage.value}
    reserved = state.reserved is not None and state.reserved.tournament == tournament
    return TableNews(reserved, {**closed, **on})


def why_it_waits(state: TableState, order: acts.TournamentOrder, at_ms: int) -> Refused | None:
    """Why the table cannot do an order of the tournament now; None where it can, or has done it."""
    return refusal_to_all(state, order, clock_stamp(at_ms))


def score_since(state: TableState, sitting: str, revision: int, *, claims: bool = False) -> ScoresNews | None:
    """What a tournament that noted this revision has not heard; None where there is nothing, or no such sitting.

    A claim is no revision, so it is told where the tournament has noted otherwise.
    """
    session, kept = state.session, state.kept_sessions.get(sitting)
    if session is not None and session.sitting == sitting:
        if session.revision <= revision and _claims_open(state) == claims:
            return None
        seats = {name: _on(state, session, name, seat) for name, seat in session.seats.items()}
        scores = _since(session.scores, revision)
        return ScoresNews(session.revision, session.counted, session.left, scores, seats, _claims_open(state))
    if kept is None:
        return None
    open_now = _claims_open(state, kept.first_coup, kept.last_coup)
    if kept.revision <= revision and open_now == claims:
        return None
    left = None if kept.terms.coups is None else max(0, kept.terms.coups - kept.counted)
    scores = _since(kept.scores, revision)
    return ScoresNews(kept.revision, kept.counted, left, scores, _over(kept.seats), open_now)


def _since(scores: Iterable[SessionScore], revision: int) -> tuple[SessionScore, ...]:
    return tuple(score for score in scores if score.revision > revision)


def _on(state: TableState, session: SessionState, station: str, seat: SeatInSession) -> SeatNews:
    playing = seat.status is SeatStatus.PLAYING
    return SeatNews(
        entrant=seat.entrant,
        present=seat.status not in (SeatStatus.EXPECTED, SeatStatus.ABSENT),
        bust=playing and is_bust(state, station),
        closed=seat.status in OVER,
        agreed=station in session.agreed,
        warnings=seat.warnings,
        owed=state.owed(station) if playing else 0,
    )


def _over(seats: Mapping[str, SeatInSession]) -> dict[str, SeatNews]:
    return {
        name: SeatNews(
            entrant=seat.entrant,
            present=seat.status not in (SeatStatus.EXPECTED, SeatStatus.ABSENT),
            bust=seat.status is SeatStatus.BUST,
            closed=seat.status in OVER,
            warnings=seat.warnings,
        )
        for name, seat in seats.items()
    }


def _claims_open(state: TableState, first_coup: int = 0, last_coup: int | None = None) -> bool:
    """Whether a claim is open, of all coups or of these (CROWN 11.12)."""
    last = state.coups if last_coup is None else last_coup
    claims = [case for case in state.cases.values() if case.kind is CaseKind.CLAIM and not case.closed]
    return any(first_coup <= (case.coup or 0) <= last for case in claims)
