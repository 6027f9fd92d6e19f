"""Planning: the tournament, its conditions, their approval, and who directs it (CROWN 12.1)."""

from sabot.basics.stamp import Stamp
from sabot.tournament import acts
from sabot.tournament import events as e
from sabot.tournament.conditions.file import digest_of, read_conditions
from sabot.tournament.conditions.parts import Conditions
from sabot.tournament.conditions.problem import ConditionsProblem, ConditionsRefused
from sabot.tournament.conditions.times import resolve_times
from sabot.tournament.refusal import TournamentCause, TournamentNo
from sabot.tournament.state import SavedConditions, TournamentState

_Events = tuple[e.TournamentEvent, ...]
APPROVAL = "CROWN 12.1.3"


def create_tournament(state: TournamentState, act: acts.CreateTournament, stamp: Stamp) -> _Events:
    if state.tournament:
        raise TournamentNo(TournamentCause.TOURNAMENT_EXISTS, tournament=state.tournament)
    if not act.name.strip():
        raise TournamentNo(TournamentCause.NAME_MISSING)
    return (
        e.TournamentCreated(
            tournament=act.tournament,
            name=act.name.strip(),
            by=stamp.by,
            at_ms=stamp.at_ms,
            clause='CROWN 1.1 "tournament"',
        ),
    )


# Conditions


def save_conditions(state: TournamentState, act: acts.SaveConditions, stamp: Stamp) -> _Events:
    """The first problem is the refusal. The local times become moments here, once for all."""
    try:
        conditions = read_conditions(act.conditions)
        times = resolve_times(conditions, stamp.time_zone)
    except ConditionsRefused as refused:
        raise _conditions_no(refused.problems[0]) from None
    _check_change(state, conditions)
    digest = digest_of(conditions)
    newest = state.newest
    if newest is not None and newest.digest == digest:
        return (_deputies_named(newest, conditions, stamp),)
    return (
        e.ConditionsSaved(
            version=state.saved + 1,
            digest=digest,
            conditions=conditions,
            opens_ms=times.opens_ms,
            closes_ms=times.closes_ms,
            withdraw_free_until_ms=times.withdraw_free_until_ms,
            starts_ms=times.starts_ms,
            by=stamp.by,
            at_ms=stamp.at_ms,
            clause="CROWN 12.2",
        ),
    )


def _conditions_no(problem: ConditionsProblem) -> TournamentNo:
    return TournamentNo(TournamentCause.CONDITIONS, clause=problem.clause, key=problem.key, why=problem.why)


def _check_change(state: TournamentState, conditions: Conditions) -> None:
    """The conditions are this tournament's, and leave alone what is under way by the earlier ones (CROWN 12.1.1)."""
    if conditions.id != state.tournament:
        clause, why = 'CROWN 1.1 "tournament conditions"', f"these are the conditions of {conditions.id}"
        raise _conditions_no(ConditionsProblem("id", clause, why))
    if state.newest is None:
        return
    held = state.conditions
    for one in held.rounds:
        if state.progress(one.name).begun and one not in conditions.rounds:
            why = f"{one.name} has begun and stays as it was approved"
            raise _conditions_no(ConditionsProblem("rounds", "CROWN 12.1.1", why))
    if state.tables and conditions.game != held.game:
        raise _conditions_no(ConditionsProblem("game", "CROWN 12.1.1", "tables are designated for the game as it is"))


def _deputies_named(newest: SavedConditions, conditions: Conditions, stamp: Stamp) -> e.DeputiesNamed:
    """The same digest is the same version: only who directs may differ, and an approval that approves nothing."""
    return e.DeputiesNamed(
        version=newest.version,
        person=conditions.director.person,
        deputies=conditions.director.deputies,
        by=stamp.by,
        at_ms=stamp.at_ms,
        clause="G-120",
    )


def withdraw_version(state: TournamentState, act: acts.WithdrawVersion, stamp: Stamp) -> _Events:
    newest = _newest(state, act.version)
    if newest.approval:
        raise TournamentNo(TournamentCause.APPROVED_ALREADY, version=act.version)
    return (e.VersionWithdrawn(version=act.version, by=stamp.by, at_ms=stamp.at_ms, clause=APPROVAL),)


def approve_conditions(state: TournamentState, act: acts.ApproveConditions, stamp: Stamp) -> _Events:
    """An approval names the text that it approves by its digest."""
    newest = _newest(state, act.version)
    if newest.approval:
        raise TournamentNo(TournamentCause.APPROVED_ALREADY, version=act.version)
    if act.digest != newest.digest:
        raise TournamentNo(TournamentCause.WRONG_DIGEST, version=act.version)
    if not act.reference.strip():
        raise TournamentNo(TournamentCause.REFERENCE_MISSING)
    return (
        e.ConditionsApproved(
            version=act.version,
            digest=act.digest,
            reference=act.reference.strip(),
            dated=act.dated,
            second=stamp.second,
            by=stamp.by,
            at_ms=stamp.at_ms,
            clause=APPROVAL,
        ),
    )


def _newest(state: TournamentState, version: int) -> SavedConditions:
    newest = state.newest
    if newest is None:
        raise TournamentNo(TournamentCause.NO_CONDITIONS)
    if newest.version != version:
        raise TournamentNo(TournamentCause.UNKNOWN_VERSION, version=version, newest=newest.version)
    return newest


def approved_conditions(state: TournamentState) -> SavedConditions:
    """The version to play by; while a newer one has no approval, nothing is begun (CROWN 12.1.3)."""
    if state.newest is None:
        raise TournamentNo(TournamentCause.NO_CONDITIONS)
    if not state.newest.approval:
        raise TournamentNo(TournamentCause.APPROVAL_MISSING, version=state.newest.version)
    return state.newest


# Director


def appoint_director(state: TournamentState, act: acts.AppointDirector, stamp: Stamp) -> _Events:
    """Another Director's appointment ends the presence of the former one or a deputy (G-120).

    The conditions may propose another person: a change of the Director makes no new version, so the appointment counts.
    """
    if not stamp.is_staff:
        raise TournamentNo(TournamentCause.NOT_ON_STAFF, who=act.director, role="a Tournament Director")
    appointed = e.DirectorAppointed(director=act.director, by=stamp.by, at_ms=stamp.at_ms, clause="CROWN 12.1.2")
    if not state.present or act.director == state.director:
        return (appointed,)
    away = e.DirectorAway(person=state.present, by=stamp.by, at_ms=stamp.at_ms, clause="G-120")
    return (appointed, away)
