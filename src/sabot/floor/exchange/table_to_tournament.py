"""What a table tells a tournament: how far it is with what is wanted of it, and the scores of its sittings.

It is derived from the two states and may be told again at any time. States only go forward, and figures are whole.
"""

from collections.abc import Iterator

from sabot.basics.stamp import Stamped, clock_stamp
from sabot.floor.exchange.tournament_to_table import refused_by_table
from sabot.table.sessions.news import score_since, table_news
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
    known = table_news(state, tournament.tournament).sittings
    for name, sitting in tournament.sittings.items():
        if sitting.table != table:
            continue
        if name in known:
            yield from _of_session(tournament.tournament, name, sitting, known[name], state)
        elif sitting.state is SittingState.CALLED:
            refused = refused_by_table(tournament, state, at_ms)
            if refused is not None and refused.text != sitting.why:
                yield acts.NoteTable(
                    tournament=tournament.tournament, table=table, sitting=name, state="waiting", why=refused.text
                )


def _of_session(
    tournament: str, name: str, sitting: Sitting, told: str, state: TableState
) -> Iterator[acts.TournamentAct]:
    """The scores before the state, so that a sitting that is played or closed has them all."""
    news = score_since(state, name, sitting.revision, claims=sitting.claims_open)
    if news is not None:
        yield acts.NoteScore(
            tournament=tournament,
            table=sitting.table,
            sitting=name,
            revision=news.revision,
            counted=news.counted,
            left=news.left,
            scores=tuple(acts.ScoreNews(one.counted, dict(one.scores)) for one in news.scores),
            seats={station: _seat(seat) for station, seat in news.seats.items()},
            claims_open=news.claims_open,
        )
    if sitting.state in _FORWARD and _FORWARD.index(SittingState(told)) > _FORWARD.index(sitting.state):
        yield acts.NoteTable(tournament=tournament, table=sitting.table, sitting=name, state=told)


def _seat(seat: SeatNews) -> acts.SeatTold:
    return acts.SeatTold(seat.entrant, seat.present, seat.bust, seat.closed, seat.agreed, seat.warnings, seat.owed)
