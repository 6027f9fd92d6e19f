"""Presence of the Director (CROWN 12.2.5), and the tables that are designated (CROWN 12.3.1)."""

from sabot.basics.stamp import Stamp, TablePlays
from sabot.rules.shipped import rule_set
from sabot.tournament import acts
from sabot.tournament import events as e
from sabot.tournament.conditions.parts import Conditions
from sabot.tournament.entry.planning import approved_conditions
from sabot.tournament.phase import ENDED
from sabot.tournament.refusal import TournamentCause, TournamentNo
from sabot.tournament.state import SITTING_OVER, TournamentState

_Events = tuple[e.TournamentEvent, ...]
PRESENCE = "CROWN 12.2.5"
DESIGNATED = "CROWN 12.3.1"


def be_present(state: TournamentState, _act: acts.BePresent, stamp: Stamp) -> _Events:
    """The Director or a deputy is present by an act of this person; one takes over from the other (G-120)."""
    if not state.director:
        raise TournamentNo(TournamentCause.NO_DIRECTOR)
    if state.present == stamp.by:
        raise TournamentNo(TournamentCause.PRESENT_ALREADY, who=stamp.by)
    present = e.DirectorPresent(person=stamp.by, by=stamp.by, at_ms=stamp.at_ms, clause=PRESENCE)
    return (*_away(state, stamp, "G-120"), present) if state.present else (present,)


def step_out(state: TournamentState, _act: acts.StepOut, stamp: Stamp) -> _Events:
    if state.present != stamp.by:
        raise TournamentNo(TournamentCause.NOT_PRESENT, who=stamp.by)
    return _away(state, stamp, PRESENCE)


def note_dismissal(state: TournamentState, act: acts.NoteDismissal, stamp: Stamp) -> _Events:
    """Who is dismissed by the house is not present any more (G-120)."""
    return _away(state, stamp, "G-120") if act.person == state.present else ()


def _away(state: TournamentState, stamp: Stamp, clause: str) -> _Events:
    return (e.DirectorAway(person=state.present, by=stamp.by, at_ms=stamp.at_ms, clause=clause),)


# Tables


def designate_tables(state: TournamentState, act: acts.DesignateTables, stamp: Stamp) -> _Events:
    """Every table plays what the conditions say, and has the seats of the largest sitting (CROWN 12.1.1)."""
    conditions = approved_conditions(state).conditions
    stations: dict[str, tuple[str, ...]] = {}
    for table in act.tables:
        plays = stamp.tables.get(table)
        if plays is None:
            raise TournamentNo(TournamentCause.UNKNOWN_TABLE, table=table)
        _check_free(state, table, plays)
        _check_equal(conditions, table, plays)
        _check_same_rules(table, plays, stamp.tables[act.tables[0]])
        stations[table] = plays.stations
    return (e.TablesDesignated(tables=stations, by=stamp.by, at_ms=stamp.at_ms, clause=DESIGNATED),)


def _check_free(state: TournamentState, table: str, plays: TablePlays) -> None:
    """Not another tournament's, and not this one's already; one that is being given back may be had again."""
    known = state.tables.get(table)
    if known is not None and known.state != "releasing":
        raise TournamentNo(TournamentCause.TABLE_TAKEN, table=table, tournament=state.tournament)
    if plays.reserved_for not in ("", state.tournament):
        raise TournamentNo(TournamentCause.TABLE_TAKEN, table=table, tournament=plays.reserved_for)


def _check_equal(conditions: Conditions, table: str, plays: TablePlays) -> None:
    game = conditions.game
    rules = rule_set(game.rule_set)
    if plays.document != conditions.document:
        figures = {"table": table, "found": plays.document, "wanted": conditions.document}
        raise TournamentNo(TournamentCause.UNEQUAL_TABLES, clause="CROWN 12.1", **figures)
    equal = (
        (plays.rule_set, game.rule_set),
        (f"{plays.decks} decks", f"{game.decks} decks"),
    )
    for found, wanted in equal:
        if found != wanted:
            raise TournamentNo(TournamentCause.UNEQUAL_TABLES, table=table, found=found, wanted=wanted)
    chosen, wanted_options = rules.choose(plays.options), rules.choose(game.options)
    for option, wanted_choice in wanted_options.items():
        if chosen[option] != wanted_choice:
            found, wanted = f"option {chosen[option]} of {option}", f"option {wanted_choice}"
            raise TournamentNo(TournamentCause.UNEQUAL_TABLES, table=table, found=found, wanted=wanted)
    needed = max(one.seats for one in conditions.rounds)
    if len(plays.stations) < needed:
        raise TournamentNo(TournamentCause.TOO_FEW_SEATS, needed=needed, found=len(plays.stations))


def _check_same_rules(table: str, plays: TablePlays, first: TablePlays) -> None:
    """One digest at all tables. Which one is the floor's to say: a later program's rule set may have another."""
    if plays.digest != first.digest:
        found, wanted = f"rules {plays.digest[:12]}", f"rules {first.digest[:12]}"
        raise TournamentNo(TournamentCause.UNEQUAL_TABLES, table=table, found=found, wanted=wanted)


def release_tables(state: TournamentState, act: acts.ReleaseTables, stamp: Stamp) -> _Events:
    """A table is given back when nobody sits there and no drawn seat is waiting there."""
    tables = act.tables or tuple(state.tables)
    if not tables:
        raise TournamentNo(TournamentCause.NONE_DESIGNATED)
    for table in tables:
        if table not in state.tables:
            raise TournamentNo(TournamentCause.NOT_DESIGNATED, table=table)
        for sitting in state.sittings.values():
            if sitting.table == table and sitting.state not in SITTING_OVER:
                raise TournamentNo(TournamentCause.SITTING_OPEN, table=table, state=sitting.state.value)
        if state.phase not in ENDED:
            _check_no_seat_waits(state, table)
    return (e.TablesReleased(tables=tables, by=stamp.by, at_ms=stamp.at_ms, clause=DESIGNATED),)


def _check_no_seat_waits(state: TournamentState, table: str) -> None:
    for name, progress in state.rounds.items():
        for place in progress.drawn or ():
            if place.table == table and place.session not in progress.called:
                raise TournamentNo(TournamentCause.DRAWN_ALREADY, round=name)
