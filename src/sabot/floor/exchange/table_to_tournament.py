"""What a table tells a tournament: how far it is with what is wanted of it, and the scores of its sittings.

It is derived from the two states and may be told again at any time. States only go forward, and figures are whole.
"""

from collections.abc import Iterator

from sabot.basics.stamp import Stamped, clock_stamp
from sabot.floor.exchange.session_news import SessionNews, news_of
from sabot.floor.exchange.tournament_to_table import refused_by_table
from sabot.table.sessions.state import SeatNews
from sabot.table.state import TableState
from sabot.tournament import acts
from sabot.tournament.state import Sitting, SittingState, TournamentState

TournamentStamped = Stamped[acts.TournamentAct]
_FORWARD = (SittingState.PLANNED, SittingState.CALLED, SittingState.OPEN, SittingState.PLAYED, SittingState.CLOSED)


def table_to_tournament(tournament: TournamentState, state: TableState, at_ms: int) -> list[TournamentStamped]:
    """What the tournament has not noted yet of the table of this state."""
    stamp = clock_stamp(at_ms)
    told = (*_of_table(tournament, state, at_ms), *_of_sittings(tournament, state, at_ms))
    return [TournamentStamped(act, stamp) for act in told]


def _of_table(tournament: TournamentState, state: TableState, at_ms: int) -> Iterator[acts.TournamentAct]:
    table = state.configuration.table
    known = tournament.tables.get(table)
    if known is None:
        return
    is_reserved = state.reserved is not None and state.reserved.tournament == tournament.tournament
    if known.state == "releasing" and not is_reserved:
        yield acts.NoteTable(tournament=tournament.tournament, table=table, state="released")
    elif known.state != "releasing" and is_reserved and known.state != "reserved":
        yield acts.NoteTable(tournament=tournament.tournament, table=table, state="reserved")
    elif not is_reserved or known.state == "releasing":
        refused = refused_by_table(tournament, state, at_ms)
        if refused is not None and refused.text != known.why:
            yield acts.NoteTable(tournament=tournament.tournament, table=table, state="waiting", why=refused.text)


def _of_sittings(tournament: TournamentState, state: TableState, at_ms: int) -> Iterator[acts.TournamentAct]:
    table = state.configuration.table
    for name, sitting in tournament.sittings.items():
        if sitting.table != table:
            continue
        told = news_of(state, name)
        if told is not None:
            yield from _of_session(tournament.tournament, table, name, sitting, told)
        elif sitting.state is SittingState.CALLED:
            refused = refused_by_table(tournament, state, at_ms)
            if refused is not None and refused.text != sitting.why:
                yield acts.NoteTable(
                    tournament=tournament.tournament, table=table, sitting=name, state="waiting", why=refused.text
                )


def _of_session(
    tournament: str, table: str, name: str, sitting: Sitting, told: SessionNews
) -> Iterator[acts.TournamentAct]:
    """The scores before the state, so that a sitting that is played or closed has them all."""
    seats = {station: _seat(seat) for station, seat in told.seats.items()}
    noted = sitting.revision, dict(sitting.told), sitting.claims_open
    if told.revision >= sitting.revision and (told.revision, seats, told.claims_open) != noted:
        yield acts.NoteScore(
            tournament=tournament,
            table=table,
            sitting=name,
            revision=told.revision,
            counted=told.counted,
            left=told.left,
            scores=tuple(
                acts.ScoreNews(one.counted, dict(one.scores)) for one in told.scores if one.revision > sitting.revision
            ),
            seats=seats,
            claims_open=told.claims_open,
        )
    state = SittingState(told.state)
    if sitting.state in _FORWARD and _FORWARD.index(state) > _FORWARD.index(sitting.state):
        yield acts.NoteTable(tournament=tournament, table=table, sitting=name, state=told.state)


def _seat(seat: SeatNews) -> acts.SeatTold:
    return acts.SeatTold(seat.entrant, seat.present, seat.bust, seat.closed, seat.agreed, seat.warnings)
