"""What tables tell: how far a sitting is, and its scores (CROWN 12.2.1(d), 12.3.2).

News come in any order, twice or not at all. States only go forward, figures are whole and have a revision; so what a
tournament knows depends only on the newest of them.
"""

from msgspec.structs import replace

from sabot.basics.stamp import Stamp
from sabot.tournament import acts
from sabot.tournament import events as e
from sabot.tournament.conditions.parts import Missed
from sabot.tournament.entry.entrants import next_order
from sabot.tournament.evolve import fold
from sabot.tournament.refusal import TournamentCause, TournamentNo
from sabot.tournament.sittings import settling
from sabot.tournament.sittings.finding import PLAYS, is_closed
from sabot.tournament.state import SITTING_OVER, Sitting, SittingState, TournamentState

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
    """A table that is given back has nothing to tell but that it is free."""
    table = state.tables.get(act.table)
    if table is None or act.state not in _OF_TABLES or (table.state, table.why) == (act.state, act.why):
        return ()
    if table.state == "releasing" and act.state != "released":
        return ()
    return (
        e.TableNoted(
            table=act.table, state=act.state, why=act.why, by=stamp.by, at_ms=stamp.at_ms, clause="CROWN 12.3.2"
        ),
    )


def _is_news(sitting: Sitting, act: acts.NoteTable) -> bool:
    if act.state == "waiting":
        return sitting.state is SittingState.CALLED and sitting.why != act.why
    if sitting.state in SITTING_OVER or act.state not in _FORWARD:
        return False
    return _FORWARD.index(SittingState(act.state)) > _FORWARD.index(sitting.state)


def note_score(state: TournamentState, act: acts.NoteScore, stamp: Stamp) -> _Events:
    """The scores of a sitting, whole; a revision that is not above the noted one is old, but for claims (11.12)."""
    sitting = state.sittings.get(act.sitting)
    if sitting is None or sitting.table != act.table or act.revision < sitting.revision:
        return ()
    if act.revision == sitting.revision and act.claims_open == sitting.claims_open:
        return ()
    _check_seated(sitting, act)
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
    if act.revision == sitting.revision:
        return (replace(noted, scores=()),)
    out = tuple(_sent_out(state, sitting, act, stamp))
    if not settling.is_cash(state, sitting):
        return (noted, *out)
    return (noted, *out, *settling.paid_after(fold((noted, *out), state), act.sitting, act.revision, stamp))


def _check_seated(sitting: Sitting, act: acts.NoteScore) -> None:
    """A table tells of nobody whom the tournament has not seated there."""
    seated = {seat.entrant for seat in sitting.seats.values()}
    told = {*(seat.entrant for seat in act.seats.values()), *(number for one in act.scores for number in one.scores)}
    for stranger in sorted(told - seated):
        raise TournamentNo(TournamentCause.NOT_SEATED, entrant=stranger)


def _sent_out(state: TournamentState, sitting: Sitting, act: acts.NoteScore, stamp: Stamp) -> list[e.TournamentEvent]:
    """Who was closed at the table without an order: for missed wagers (G-102), or directed to leave (G-132)."""
    if sitting.state in SITTING_OVER or sitting.closing:
        return []
    return [
        _out_for_missed_wagers(told.entrant, stamp)
        if _has_missed(state, told)
        else _directed_to_leave(state, told.entrant, stamp)
        for station, told in sorted(act.seats.items())
        if told.closed
        and station in sitting.seats
        and not is_closed(sitting, station)
        and state.entrants[str(told.entrant)].status in PLAYS
    ]


def _has_missed(state: TournamentState, told: acts.SeatTold) -> bool:
    """Whether the table gave more warnings than the conditions allow; a disqualification is the first of them."""
    wagers = state.conditions.wagers
    allowed = wagers.warnings if wagers.missed is Missed.WARNING else 0
    return wagers.missed in (Missed.WARNING, Missed.DISQUALIFICATION) and told.warnings > allowed


def _out_for_missed_wagers(number: int, stamp: Stamp) -> e.EntrantDisqualified:
    return e.EntrantDisqualified(
        entrant=number,
        ground="missed",
        reason="The compulsory wager was not made.",
        order=0,
        by=stamp.by,
        at_ms=stamp.at_ms,
        clause="CROWN 12.2.1(c)",
    )


def _directed_to_leave(state: TournamentState, number: int, stamp: Stamp) -> e.EntrantExcluded:
    return e.EntrantExcluded(
        entrant=number,
        player=state.entrants[str(number)].player,
        reason="The table closed the seat.",
        order=next_order(state),
        by=stamp.by,
        at_ms=stamp.at_ms,
        clause="G-132",
    )
