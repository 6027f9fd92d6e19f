"""What the screens of a table show of a tournament: that it is reserved, and the session that is on.

Credits take the place of money. A standing is a fact; no bet is named and no advice is given (CROWN 13.5).
"""

from collections.abc import Mapping

import msgspec

from sabot.table.sessions.standing import is_bust, is_hidden_coup, scores_of
from sabot.table.sessions.state import SeatStatus
from sabot.table.state import TableState
from sabot.views.tournament_board import TournamentBoard

_TOP = 3


class TableSession(msgspec.Struct, frozen=True):
    """What every screen of a table shows of the tournament that it is reserved for."""

    tournament: str
    title: Mapping[str, str]
    stage: str
    """`reserved`, `open` or `played`."""
    round: str = ""
    session: int = 0
    counted: int = 0
    coups: int | None = None
    left: int | None = None
    ends_ms: int | None = None
    hidden: bool = False
    """Whether the wagers of this coup are shown only after its result."""
    cash: bool = False
    """Whether credits are paid at face value at the end."""
    top: tuple[tuple[int, int], ...] = ()
    """The three best at the table: entrant and score."""
    director: bool = False
    """Whether a director is present (CROWN 12.2.5)."""
    agreed: int = 0
    """How many agree to end now, of those who are seated (CROWN 12.3.5(b))."""
    seated: int = 0


class SeatStanding(msgspec.Struct, frozen=True):
    """What a station shows of its entrant's standing."""

    entrant: int
    substitute: str
    status: str
    score: int
    rank_at_table: int
    seats: int
    rank: int | None
    """In the whole round, as of the newest scores that the tournament has noted."""
    entrants: int
    line: int | None
    """The score of the last place that goes on, or for an entrant who would go on, of the first that does not."""
    line_rank: int | None
    through: bool
    bust: bool
    warnings: int
    agreed: bool


class SeatEntrant(msgspec.Struct, frozen=True):
    """Who has a seat of a session, as the console shows it."""

    entrant: int
    substitute: str
    status: str
    """`expected` before arrival, then `playing`; `closed` or `absent` where nobody plays any more."""
    bust: bool


def session_shown(state: TableState, board: TournamentBoard | None) -> TableSession | None:
    """Nothing at a table that plays for money."""
    session = state.session
    if session is None:
        reserved = state.reserved
        return None if reserved is None else TableSession(reserved.tournament, reserved.title, "reserved")
    terms = session.terms
    best = sorted(scores_of(state, session).items(), key=lambda one: (-one[1], one[0]))
    return TableSession(
        tournament=terms.tournament,
        title=terms.title,
        stage=session.stage.value,
        round=terms.round,
        session=terms.session,
        counted=session.counted,
        coups=terms.coups,
        left=session.left,
        ends_ms=session.ends_ms,
        hidden=is_hidden_coup(state),
        cash=terms.balances == "cash",
        top=tuple(best[:_TOP]),
        director=board is not None and board.director,
        agreed=len(session.agreed),
        seated=len(session.open_seats),
    )


def standing_of(state: TableState, station: str, board: TournamentBoard | None) -> SeatStanding | None:
    """What the station of a session shows; nothing at a seat that the draw gave to nobody."""
    session = state.session
    seat = None if session is None else session.seats.get(station)
    if session is None or seat is None:
        return None
    scores = scores_of(state, session)
    own = scores.get(seat.entrant, 0)
    rank, entrants, line, line_rank, through = _overall(board, seat.entrant)
    return SeatStanding(
        entrant=seat.entrant,
        substitute=seat.substitute,
        status=seat.status.value,
        score=own,
        rank_at_table=1 + sum(1 for other in scores.values() if other > own),
        seats=len(scores),
        rank=rank,
        entrants=entrants,
        line=line,
        line_rank=line_rank,
        through=through,
        bust=seat.status is SeatStatus.PLAYING and is_bust(state, station),
        warnings=seat.warnings,
        agreed=station in session.agreed,
    )


def entrant_at(state: TableState, station: str) -> SeatEntrant | None:
    """Nothing where no session is on, or the draw gave the seat to nobody."""
    seat = None if state.session is None else state.session.seats.get(station)
    if seat is None:
        return None
    bust = seat.status is SeatStatus.PLAYING and is_bust(state, station)
    return SeatEntrant(seat.entrant, seat.substitute, seat.status.value, bust)


def _overall(board: TournamentBoard | None, entrant: int) -> tuple[int | None, int, int | None, int | None, bool]:
    """The rank in the round, how many are ranked, and the line: its score and rank, and whether it lies below."""
    if board is None:
        return None, 0, None, None, False
    own = board.by_entrant.get(entrant)
    through = own is not None and own.through
    line = board.first_out if through else board.last_on
    rank = None if own is None else own.rank
    return rank, len(board.rows), line.score if line else None, line.rank if line else None, through
