"""What tables tell: how far a sitting is, and its scores (CROWN 12.2.1(d), 12.3.2).

News come in any order, twice or not at all. States only go forward, figures are whole and have a revision; so what a
tournament knows depends only on the newest of them.
"""

from functools import reduce

from sabot.basics.stamp import Stamp
from sabot.tournament import acts, settling
from sabot.tournament import events as e
from sabot.tournament.evolve_play import APPLY
from sabot.tournament.sittings import OVER, is_closed
from sabot.tournament.state import EntrantStatus, Sitting, SittingState, TournamentState

_Events = tuple[e.TournamentEvent, ...]
_FORWARD = (SittingState.PLANNED, SittingState.CALLED, SittingState.OPEN, SittingState.PLAYED, SittingState.CLOSED)
_OF_TABLES = frozenset({"designated", "waiting", "reserved", "released"})


def note_table(state: TournamentState, act: acts.NoteTable, stamp: Stamp) -> _Events:
    """How far a table is. What is known already, or is of no sitting that is still on, changes nothing."""
    if not act.sitting:
        return _note_designated(state, act, stamp)
    sitting = state.sittings.get(act.sitting)
    if sitting is None or sitting.table != act.table or not _is_news(sitting, act):
        return ()
    noted = e.SittingNoted(
        sitting=act.sitting,
        table=act.table,
        state=act.state,
        why=act.why,
        by=stamp.by,
        at_ms=stamp.at_ms,
        clause="CROWN 12.3.2",
    )
    return (noted, *settling.over(state, act.sitting, stamp)) if act.state == SittingState.CLOSED else (noted,)


def _note_designated(state: TournamentState, act: acts.NoteTable, stamp: Stamp) -> _Events:
    table = state.tables.get(act.table)
    if table is None or act.state not in _OF_TABLES or (table.state, table.why) == (act.state, act.why):
        return ()
    return (
        e.TableNoted(
            table=act.table, state=act.state, why=act.why, by=stamp.by, at_ms=stamp.at_ms, clause="CROWN 12.3.2"
        ),
    )


def _is_news(sitting: Sitting, act: acts.NoteTable) -> bool:
    if act.state == "waiting":
        return sitting.state is SittingState.CALLED and sitting.why != act.why
    if sitting.state in OVER or act.state not in _FORWARD:
        return False
    return _FORWARD.index(SittingState(act.state)) > _FORWARD.index(sitting.state)


def note_score(state: TournamentState, act: acts.NoteScore, stamp: Stamp) -> _Events:
    """The scores of a sitting, whole; a revision that is not above the noted one is old."""
    sitting = state.sittings.get(act.sitting)
    if sitting is None or sitting.table != act.table or act.revision <= sitting.revision:
        return ()
    noted = e.ScoreNoted(
        sitting=act.sitting,
        table=act.table,
        revision=act.revision,
        counted=act.counted,
        left=act.left,
        scores=tuple(one for one in act.scores if one.counted <= act.counted),
        seats=act.seats,
        claims_open=act.claims_open,
        by=stamp.by,
        at_ms=stamp.at_ms,
        clause="CROWN 12.2.1(d)",
    )
    out = tuple(_sent_out(state, sitting, act, stamp))
    after = reduce(lambda at, event: APPLY[type(event)](at, event), (noted, *out), state)
    return (noted, *out, *settling.paid_after(after, act.sitting, act.revision, stamp))


_MISSED = "missed"
"""The ground of who did not make the compulsory wager (G-102); the conditions name it under `wagers.missed`."""


def _sent_out(state: TournamentState, sitting: Sitting, act: acts.NoteScore, stamp: Stamp) -> list[e.TournamentEvent]:
    """Who was closed at the table without an order: disqualified there for missed wagers (CROWN 12.2.1(c), G-102)."""
    if sitting.state in OVER or sitting.closing or not state.conditions.wagers.missed:
        return []
    gone = [
        told.entrant
        for station, told in sorted(act.seats.items())
        if told.closed
        and station in sitting.seats
        and not is_closed(sitting, station)
        and state.entrants[str(told.entrant)].status in (EntrantStatus.PLAYING, EntrantStatus.BUST)
    ]
    return [
        e.EntrantDisqualified(
            entrant=number,
            ground=_MISSED,
            reason="The compulsory wager was not made.",
            order=0,
            by=stamp.by,
            at_ms=stamp.at_ms,
            clause="CROWN 12.2.1(c)",
        )
        for number in gone
    ]
