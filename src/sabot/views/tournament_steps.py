"""What may be done with a tournament now, and if not, why. The tournament itself is asked: no rule is said twice."""

from collections.abc import Iterator

import msgspec

from sabot.basics.figures import Figure
from sabot.basics.role import Role
from sabot.basics.stamp import Stamp
from sabot.tournament import acts
from sabot.tournament.conditions.parts import RoundPart
from sabot.tournament.decide import RULES, decide
from sabot.tournament.phase import TournamentPhase
from sabot.tournament.refusal import TournamentCause, TournamentRefused
from sabot.tournament.state import TournamentState
from sabot.views.actions import StaffAction

_WORDS = "AS KD 7C 2H 9S TD"
"""What a person would draw before witnesses."""
_STAMPED_LATER = TournamentCause.WRONG_SEED.code
"""The seed of a draw is stamped when it is asked for, so its absence closes nothing."""
_UNTRIED = (acts.SaveConditions, acts.AppointDirector, acts.DesignateTables)
"""Acts that rest on what a person says and on what is stamped of it: nothing can be tried before it is said."""
_BY_PHASE: dict[TournamentPhase, type[acts.TournamentAct]] = {
    TournamentPhase.APPROVED: acts.OpenEntry,
    TournamentPhase.ENTRY_OPEN: acts.CloseEntry,
    TournamentPhase.IN_SESSION: acts.CloseSession,
    TournamentPhase.DECIDED: acts.AwardPrizes,
    TournamentPhase.FINISHED: acts.CloseBooks,
    TournamentPhase.CANCELLED: acts.CloseBooks,
}


class NextStep(msgspec.Struct, frozen=True):
    """The act that carries a tournament on."""

    verb: str
    round: str
    """Of which round it is, or nothing."""
    session: int
    open: bool
    roles: tuple[str, ...]
    code: str
    clause: str
    why: str
    """Why it is not open yet."""
    values: dict[str, Figure]


def action_of(state: TournamentState, act: acts.TournamentAct, at_ms: int) -> StaffAction:
    """Whether an act is open to a person who may give it, with a second person where one is due."""
    rule = RULES[type(act)]
    who = tuple(role.value for role in Role if role in rule.who and role is not Role.CLOCK)
    by_director = Role.TOURNAMENT_DIRECTOR in rule.who
    stamp = Stamp(
        by=state.director if by_director else "-",
        role=Role.TOURNAMENT_DIRECTOR if by_director else Role.OPERATOR,
        at_ms=at_ms,
        second="+" if rule.second else "",
        second_role=Role.CASINO_SUPERVISOR if rule.second else None,
    )
    decision = decide(state, act, stamp)
    if isinstance(decision, TournamentRefused) and decision.code != _STAMPED_LATER:
        code, clause, why, values = decision.code, decision.clause, decision.text, decision.values
        return StaffAction(open=False, roles=who, code=code, clause=clause, why=why, values=values)
    return StaffAction(open=True, roles=who)


def whole_actions(state: TournamentState, at_ms: int) -> dict[str, StaffAction]:
    """The acts about the whole tournament, each tried with what a person would say of it."""
    return {act.verb: action_of(state, act, at_ms) for act in _of_the_whole(state)}


def round_actions(state: TournamentState, part: RoundPart, at_ms: int) -> dict[str, StaffAction]:
    """The acts about one round; a session is the first that was not called yet."""
    return {act.verb: action_of(state, act, at_ms) for act in _of_a_round(state, part)}


def next_step(state: TournamentState, at_ms: int) -> NextStep | None:
    """Nothing once the books are closed."""
    act = _next(state)
    if act is None:
        return None
    untried = isinstance(act, _UNTRIED)
    shown = StaffAction(open=True, roles=_roles(act)) if untried else action_of(state, act, at_ms)
    return NextStep(
        verb=act.verb,
        round=getattr(act, "round", ""),
        session=getattr(act, "session", 0),
        open=shown.open,
        roles=shown.roles,
        code=shown.code,
        clause=shown.clause,
        why=shown.why,
        values=shown.values,
    )


def _roles(act: acts.TournamentAct) -> tuple[str, ...]:
    return tuple(role.value for role in Role if role in RULES[type(act)].who)


def _next(state: TournamentState) -> acts.TournamentAct | None:
    name, newest = state.tournament, state.newest
    if newest is None:
        return acts.SaveConditions(tournament=name, conditions={})
    if not newest.approval:
        return _approval(state)
    if not state.director:
        return acts.AppointDirector(tournament=name, director="X")
    if state.phase is TournamentPhase.READY:
        return _next_in_rounds(state)
    kind = _BY_PHASE.get(state.phase)
    return None if kind is None else kind(tournament=name)


def _next_in_rounds(state: TournamentState) -> acts.TournamentAct | None:
    if not state.present:
        return acts.BePresent(tournament=state.tournament)
    if not state.tables:
        return acts.DesignateTables(tournament=state.tournament, tables=("-",))
    for part in state.conditions.rounds:
        progress = state.progress(part.name)
        if progress.confirmed:
            continue
        draw, call, confirm = _of_a_round(state, part)
        if progress.drawn is None:
            return draw
        return call if len(progress.called) < part.sessions else confirm
    return None


def _approval(state: TournamentState) -> acts.ApproveConditions:
    newest = state.newest
    version, digest = (newest.version, newest.digest) if newest else (0, "")
    return acts.ApproveConditions(tournament=state.tournament, version=version, digest=digest, reference="-")


def _of_the_whole(state: TournamentState) -> Iterator[acts.TournamentAct]:
    name = state.tournament
    yield _approval(state)
    for kind in (acts.OpenEntry, acts.CloseEntry, acts.BePresent, acts.StepOut, acts.CloseSession, acts.CloseBooks):
        yield kind(tournament=name)
    yield acts.AwardPrizes(tournament=name)
    yield acts.CancelTournament(tournament=name, reason="-")


def _of_a_round(state: TournamentState, part: RoundPart) -> tuple[acts.DrawSeats, acts.CallSession, acts.ConfirmRound]:
    name, called = state.tournament, state.progress(part.name).called
    session = next((number for number in range(1, part.sessions + 1) if number not in called), part.sessions)
    return (
        acts.DrawSeats(tournament=name, round=part.name, words=_WORDS),
        acts.CallSession(tournament=name, round=part.name, session=session),
        acts.ConfirmRound(tournament=name, round=part.name, words=_WORDS),
    )
