"""What a table tells of a sitting, whether its session is on or over."""

from collections.abc import Mapping
from typing import NamedTuple

from sabot.table.cases.state import CaseKind
from sabot.table.sessions.standing import is_bust
from sabot.table.sessions.state import OVER, SeatInSession, SeatNews, SeatStatus, SessionScore, SessionState
from sabot.table.state import TableState


class SessionNews(NamedTuple):
    state: str
    """`open`, `played` or `closed`."""
    revision: int
    counted: int
    left: int | None
    scores: tuple[SessionScore, ...]
    seats: Mapping[str, SeatNews]
    """By station."""
    claims_open: bool


def news_of(state: TableState, sitting: str) -> SessionNews | None:
    """Nothing where the table knows no such sitting."""
    session, kept = state.session, state.kept_sessions.get(sitting)
    if session is not None and session.sitting == sitting:
        return SessionNews(
            state=session.stage.value,
            revision=session.revision,
            counted=session.counted,
            left=session.left,
            scores=tuple(session.scores),
            seats={station: _seat_on(state, session, station) for station in session.seats},
            claims_open=_has_claim(state, session.first_coup, state.coups),
        )
    if kept is None:
        return None
    return SessionNews(
        state="closed",
        revision=kept.revision,
        counted=kept.counted,
        left=0,
        scores=kept.scores,
        seats={station: _seat(seat, is_bust=seat.status is SeatStatus.BUST) for station, seat in kept.seats.items()},
        claims_open=_has_claim(state, kept.first_coup, kept.last_coup),
    )


def _seat_on(state: TableState, session: SessionState, station: str) -> SeatNews:
    seat = session.seats[station]
    bust = seat.status is SeatStatus.PLAYING and is_bust(state, station)
    return _seat(seat, is_bust=bust, agreed=station in session.agreed)


def _seat(seat: SeatInSession, *, is_bust: bool, agreed: bool = False) -> SeatNews:
    return SeatNews(
        entrant=seat.entrant,
        present=seat.status not in (SeatStatus.EXPECTED, SeatStatus.ABSENT),
        bust=is_bust,
        closed=seat.status in OVER,
        agreed=agreed,
        warnings=seat.warnings,
    )


def _has_claim(state: TableState, first_coup: int, last_coup: int) -> bool:
    """Whether a claim is open that concerns one of these coups (CROWN 11.12)."""
    return any(
        case.kind is CaseKind.CLAIM and not case.closed and first_coup <= case.coup <= last_coup
        for case in state.cases.values()
    )
