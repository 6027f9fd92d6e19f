"""Deciding: a state, an act and its stamp give events, or a refusal that names its clause. Nothing is changed.

The table below is the whole authority of a tournament. For each act it has who may give it, who must approve it where
nobody acts alone, in which phases, and what decides it.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from sabot.basics.act import Act
from sabot.basics.bounds import exceeded
from sabot.basics.role import Role, with_article
from sabot.basics.stamp import Stamp
from sabot.tournament import acts
from sabot.tournament.entry import entering as entry
from sabot.tournament.entry import planning, presence, slips
from sabot.tournament.events import TournamentEvent
from sabot.tournament.phase import ENDED, TournamentPhase
from sabot.tournament.places import awarding, progress
from sabot.tournament.refusal import TournamentCause, TournamentNo, TournamentRefused
from sabot.tournament.seats import seating
from sabot.tournament.sittings import attendance, calling, conclusion, leaving
from sabot.tournament.sittings import news as sitting
from sabot.tournament.state import TournamentState

Phases = frozenset[TournamentPhase]

_P = TournamentPhase
CLOCK = frozenset({Role.CLOCK})
OPERATORS = frozenset({Role.OPERATOR, Role.CASINO_SUPERVISOR})
DIRECTOR = frozenset({Role.TOURNAMENT_DIRECTOR})
DESK = OPERATORS | DIRECTOR
REGISTRATION = DESK | {Role.CASHIER}
SUPERVISORS = frozenset({Role.CASINO_SUPERVISOR})
NOBODY: frozenset[Role] = frozenset()
ALWAYS = frozenset(_P)
UNDER_WAY = ALWAYS - ENDED
PLANNED = frozenset({_P.DRAFT, _P.APPROVED})
ENTERING = frozenset({_P.ENTRY_OPEN})
BEFORE_PLAY = frozenset({_P.APPROVED, _P.ENTRY_OPEN, _P.READY})
PLAYING = frozenset({_P.READY, _P.IN_SESSION})
IN_SESSION = frozenset({_P.IN_SESSION})
READY = frozenset({_P.READY})


class TournamentRule(NamedTuple):
    who: frozenset[Role]
    decide: Callable[[TournamentState, Any, Stamp], tuple[TournamentEvent, ...]]
    clause: str
    """Cited when another role tries, or at another time."""
    phases: Phases = UNDER_WAY
    second: frozenset[Role] = NOBODY
    """Who must approve it; the operator, where a Casino Supervisor acts (G-99)."""


RULES: dict[type[Act], TournamentRule] = {
    acts.CreateTournament: TournamentRule(OPERATORS, planning.create_tournament, 'CROWN 1.1 "tournament"'),
    acts.SaveConditions: TournamentRule(OPERATORS, planning.save_conditions, "CROWN 12.2"),
    acts.WithdrawVersion: TournamentRule(OPERATORS, planning.withdraw_version, "CROWN 12.1.3"),
    acts.ApproveConditions: TournamentRule(OPERATORS, planning.approve_conditions, "CROWN 12.1.3", second=SUPERVISORS),
    acts.AppointDirector: TournamentRule(OPERATORS, planning.appoint_director, "CROWN 12.1.2"),
    acts.OpenEntry: TournamentRule(DESK | CLOCK, entry.open_entry, "CROWN 12.2.1(g)", PLANNED | ENTERING),
    acts.CloseEntry: TournamentRule(DESK | CLOCK, entry.close_entry, "CROWN 12.2.1(g)", ENTERING | READY),
    acts.RegisterEntrant: TournamentRule(REGISTRATION, entry.register_entrant, "CROWN 12.2.1(g)"),
    acts.RefuseApplication: TournamentRule(DESK, entry.refuse_application, "CROWN 12.2.1(f)(ii)"),
    acts.WithdrawEntrant: TournamentRule(
        DIRECTOR | {Role.CASHIER}, entry.withdraw_entrant, "CROWN 12.2.1(g)", ENTERING | PLAYING
    ),
    acts.RequireSignatures: TournamentRule(DIRECTOR, entry.require_signatures, "CROWN 12.2.4"),
    acts.Brief: TournamentRule(DIRECTOR, entry.brief, "CROWN 12.2.3"),
    acts.SignConditions: TournamentRule(DIRECTOR, entry.sign_conditions, "CROWN 12.2.4"),
    acts.BePresent: TournamentRule(DIRECTOR, presence.be_present, "CROWN 12.2.5"),
    acts.StepOut: TournamentRule(DIRECTOR, presence.step_out, "CROWN 12.2.5"),
    acts.DesignateTables: TournamentRule(DIRECTOR, presence.designate_tables, "CROWN 12.3.1"),
    acts.ReleaseTables: TournamentRule(DIRECTOR, presence.release_tables, "CROWN 12.3.1", ALWAYS),
    acts.CommitDraw: TournamentRule(CLOCK, seating.commit_draw, "CROWN 12.1.1"),
    acts.DrawSeats: TournamentRule(DIRECTOR, seating.draw_seats, "CROWN 12.1.1", PLAYING),
    acts.AlterStart: TournamentRule(DIRECTOR, seating.alter_start, "CROWN 12.3.4"),
    acts.CallSession: TournamentRule(DIRECTOR, calling.call_session, "CROWN 12.2.1(d)", PLAYING),
    acts.RecordArrival: TournamentRule(DIRECTOR, attendance.record_arrival, "CROWN 12.2.1(i)", PLAYING),
    acts.DeclareAbsent: TournamentRule(DIRECTOR, attendance.declare_absent, "CROWN 12.2.1(i)", PLAYING),
    acts.ApproveSubstitute: TournamentRule(DIRECTOR, attendance.approve_substitute, "CROWN 12.3.3", PLAYING),
    acts.Retire: TournamentRule(DIRECTOR, leaving.retire, "CROWN 12.2.1(h)", PLAYING),
    acts.Disqualify: TournamentRule(
        DIRECTOR | {Role.CASINO_SUPERVISOR}, leaving.disqualify, "CROWN 12.2.1(h)", ENTERING | PLAYING
    ),
    acts.ConcludeEarly: TournamentRule(DIRECTOR, conclusion.conclude_early, "CROWN 12.3.5", IN_SESSION),
    acts.CloseSession: TournamentRule(DIRECTOR, conclusion.close_session, "CROWN 12.2.1(b)", IN_SESSION),
    acts.AbandonSitting: TournamentRule(
        DIRECTOR, conclusion.abandon_sitting, "CROWN 12.2.1(d)", IN_SESSION, second=SUPERVISORS
    ),
    acts.ConfirmRound: TournamentRule(DIRECTOR, progress.confirm_round, "CROWN 12.2.1(d)", PLAYING),
    acts.ReopenRound: TournamentRule(
        DIRECTOR, progress.reopen_round, "G-133", PLAYING | {_P.DECIDED}, second=SUPERVISORS
    ),
    acts.AdmitPlace: TournamentRule(DIRECTOR, progress.admit_place, "G-133", IN_SESSION),
    acts.BuyBack: TournamentRule(DIRECTOR | {Role.CASHIER}, slips.buy_back, "CROWN 12.2.1(e)", PLAYING),
    acts.AwardPrizes: TournamentRule(
        DIRECTOR, awarding.award_prizes, "CROWN 12.2.1(j)", frozenset({_P.DECIDED}), second=SUPERVISORS
    ),
    acts.CancelTournament: TournamentRule(OPERATORS, awarding.cancel_tournament, "G-140", second=SUPERVISORS),
    acts.CloseBooks: TournamentRule(
        OPERATORS, awarding.close_books, "CROWN 12.2.1(j)", frozenset({_P.FINISHED, _P.CANCELLED})
    ),
    acts.NoteTable: TournamentRule(CLOCK, sitting.note_table, "CROWN 12.3.2", ALWAYS),
    acts.NoteScore: TournamentRule(CLOCK, sitting.note_score, "CROWN 12.2.1(d)", ALWAYS),
    acts.NoteSlip: TournamentRule(CLOCK, slips.note_slip, "CROWN 12.2.1(a)", ALWAYS),
    acts.NoteExclusion: TournamentRule(CLOCK, entry.note_exclusion, "CROWN 13.2.2", ALWAYS),
    acts.NoteDismissal: TournamentRule(CLOCK, presence.note_dismissal, "CROWN 12.2.5", ALWAYS),
}


def decide(
    state: TournamentState, act: acts.TournamentAct, stamp: Stamp
) -> tuple[TournamentEvent, ...] | TournamentRefused:
    rule = RULES[type(act)]
    try:
        _check_authority(state, stamp, rule)
        _check_second(stamp, rule)
        _check_bounds(act, stamp)
        _check_reason(act)
        _check_phase(state, act, rule)
        return rule.decide(state, act, stamp)
    except TournamentNo as no:
        return no.refused


def _check_bounds(act: acts.TournamentAct, stamp: Stamp) -> None:
    found = exceeded(act, stamp.at_ms)
    if found is not None:
        raise TournamentNo(TournamentCause[found.cause], **found.figures)


def _check_authority(state: TournamentState, stamp: Stamp, rule: TournamentRule) -> None:
    """The role must fit the act. A Director directs the tournament that names this person, and no other."""
    if stamp.role not in rule.who:
        raise TournamentNo(
            TournamentCause.WRONG_ROLE,
            clause=rule.clause,
            needed=with_article(rule.who - CLOCK),
            role=with_article({stamp.role}),
        )
    if stamp.role is Role.TOURNAMENT_DIRECTOR and state.tournament and not _directs(state, stamp.by):
        director = state.director or "nobody"
        raise TournamentNo(TournamentCause.NOT_THE_DIRECTOR, who=stamp.by, director=director)


def _directs(state: TournamentState, person: str) -> bool:
    """The appointed Director, or a deputy whom the conditions name (G-120)."""
    held = state.approved
    return person == state.director or (held is not None and person in held.conditions.director.deputies)


def _check_second(stamp: Stamp, rule: TournamentRule) -> None:
    """Where two are due, the other is another person, and entitled to approve (G-99)."""
    if not rule.second:
        return
    entitled = frozenset({Role.OPERATOR}) if stamp.role is Role.CASINO_SUPERVISOR else rule.second
    if not stamp.second:
        raise TournamentNo(TournamentCause.SECOND_PERSON_DUE, needed=with_article(entitled))
    if stamp.second == stamp.by:
        raise TournamentNo(TournamentCause.SAME_PERSON, who=stamp.by)
    if stamp.second_role not in entitled:
        role = "nobody on the staff list" if stamp.second_role is None else with_article({stamp.second_role})
        raise TournamentNo(TournamentCause.SECOND_ROLE, needed=with_article(entitled), role=role)


_REASONED = (
    acts.RefuseApplication,
    acts.Disqualify,
    acts.AbandonSitting,
    acts.ReopenRound,
    acts.AdmitPlace,
    acts.CancelTournament,
)


def _check_reason(act: acts.TournamentAct) -> None:
    if isinstance(act, _REASONED) and not act.reason.strip():
        raise TournamentNo(TournamentCause.REASON_MISSING)


def _check_phase(state: TournamentState, act: acts.TournamentAct, rule: TournamentRule) -> None:
    if not isinstance(act, acts.CreateTournament):
        if not state.tournament:
            raise TournamentNo(TournamentCause.NO_TOURNAMENT, tournament=act.tournament)
        if state.phase not in rule.phases:
            phase = state.phase.replace("_", " ")
            raise TournamentNo(TournamentCause.WRONG_PHASE, clause=rule.clause, phase=phase)
