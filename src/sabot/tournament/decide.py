"""What a tournament decides: events, or a refusal with its clause. Nothing is changed here."""

from collections.abc import Callable
from typing import Any

from sabot.basics.role import Role
from sabot.table.refusal import Refused
from sabot.table.role import OPERATOR
from sabot.tournament import commands as c
from sabot.tournament import events as e
from sabot.tournament.state import Conditions, TournamentState

_Events = tuple[e.TournamentEvent, ...]


class _No(Exception):
    def __init__(self, code: str, clause: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code, self.clause = code, clause


def decide(state: TournamentState, command: c.AnyCommand) -> _Events | Refused:
    try:
        if not isinstance(command, c.StartSession) and command.role not in OPERATOR:
            raise _No("wrong_role", "CROWN 12.1", f"{command.role.in_words} may not do this: the operator may")
        if not isinstance(command, c.CreateTournament) and not state.name:
            raise _No("no_tournament", 'CROWN 1.1 "tournament"', f"there is no tournament {command.tournament}")
        return _DECIDE[type(command)](state, command)
    except _No as no:
        return Refused(no.code, no.clause, str(no), None)


def _create(state: TournamentState, command: c.CreateTournament) -> _Events:
    if state.name:
        raise _No("tournament_exists", 'CROWN 1.1 "tournament"', f"there is a tournament {command.tournament} already")
    if not command.name.strip():
        raise _No("name_missing", 'CROWN 1.1 "tournament"', "a tournament has a name")
    return (
        e.TournamentCreated(
            tournament=command.tournament, by=command.by, name=command.name, clause='CROWN 1.1 "tournament"'
        ),
    )


def _save(state: TournamentState, command: c.SaveConditions) -> _Events:
    """Every change makes a new version, and a new version waits for its own approval (CROWN 12.1.3)."""
    if command.entry_fee_cents < 0 or command.starting_credit <= 0 or command.coups <= 0:
        sentence = "a fee is nothing or more, and there is credit to start with and a number of coups to play"
        raise _No("bad_conditions", 'CROWN 1.1 "tournament conditions"', sentence)
    return (
        e.ConditionsSaved(
            tournament=command.tournament,
            by=command.by,
            version=(state.conditions.version if state.conditions else 0) + 1,
            entry_fee_cents=command.entry_fee_cents,
            starting_credit=command.starting_credit,
            coups=command.coups,
            clause='CROWN 1.1 "tournament conditions"',
        ),
    )


def _approve(state: TournamentState, command: c.ApproveConditions) -> _Events:
    if state.conditions is None or command.version != state.conditions.version:
        sentence = f"version {command.version} is not the newest version of the conditions"
        raise _No("unknown_version", "CROWN 12.1.3", sentence)
    if not command.reference.strip():
        raise _No("approval_missing", "CROWN 12.1.3", "an approval is in writing and has a reference")
    return (
        e.ConditionsApproved(
            tournament=command.tournament,
            by=command.by,
            version=command.version,
            reference=command.reference,
            clause="CROWN 12.1.3",
        ),
    )


def _appoint(state: TournamentState, command: c.AppointDirector) -> _Events:
    if not command.director.strip() or command.director == state.director:
        raise _No("no_director", "CROWN 12.1.2", "a director is a person, and another than before")
    return (
        e.DirectorAppointed(
            tournament=command.tournament, by=command.by, director=command.director, clause="CROWN 12.1.2"
        ),
    )


def _register(state: TournamentState, command: c.RegisterEntrant) -> _Events:
    clause = 'CROWN 1.1 "tournament player"'
    if state.conditions is None:
        raise _No("no_conditions", clause, "nobody enters before there are conditions")
    if command.entrant in state.entrants:
        raise _No("entered_already", clause, f"entrant {command.entrant} is registered already")
    if command.fee_cents != state.conditions.entry_fee_cents:
        sentence = f"the entry fee is {state.conditions.entry_fee_cents} cents"
        raise _No("wrong_fee", clause, sentence)
    return (
        e.EntrantRegistered(
            tournament=command.tournament,
            by=command.by,
            entrant=command.entrant,
            player=command.player,
            fee_cents=command.fee_cents,
            clause=clause,
        ),
    )


def _start(state: TournamentState, command: c.StartSession) -> _Events:
    if not state.director:
        raise _No("no_director", "CROWN 12.1.2", "no Tournament Director is appointed")
    if command.role is not Role.TOURNAMENT_DIRECTOR or command.by != state.director:
        raise _No("wrong_role", 'CROWN 1.1 "Tournament Director"', f"{state.director} runs this tournament")
    conditions = _approved(state)
    seats = list(command.seats.values())
    unknown = [name for name in command.seats if not name.isdecimal() or int(name) not in state.entrants]
    if unknown or not seats:
        who = ", ".join(unknown) or "nobody"
        raise _No("unknown_entrant", 'CROWN 1.1 "tournament player"', f"no such entrant: {who}")
    if len(set(seats)) != len(seats):
        raise _No("seat_taken", 'CROWN 1.1 "tournament player"', "two entrants cannot share a seat")
    return (
        e.SessionStarted(
            tournament=command.tournament,
            by=command.by,
            session=state.sessions + 1,
            version=conditions.version,
            seats=command.seats,
            credit=conditions.starting_credit,
            clause="CROWN 12.1.1",
        ),
    )


def _approved(state: TournamentState) -> Conditions:
    if state.conditions is None:
        raise _No("no_conditions", 'CROWN 1.1 "tournament conditions"', "there are no conditions to play by")
    if not state.conditions.approval:
        sentence = f"version {state.conditions.version} of the conditions has no approval on record"
        raise _No("approval_missing", "CROWN 12.1.3", sentence)
    return state.conditions


_DECIDE: dict[type[c.Command], Callable[[TournamentState, Any], _Events]] = {
    c.CreateTournament: _create,
    c.SaveConditions: _save,
    c.ApproveConditions: _approve,
    c.AppointDirector: _appoint,
    c.RegisterEntrant: _register,
    c.StartSession: _start,
}
