"""Sessions: called, arrived at, left, concluded, closed and abandoned (CROWN 12.2.1(d), (h), (i), 12.3.3, 12.3.5)."""

from sabot.basics.stamp import Stamp
from sabot.tournament import acts
from sabot.tournament.events import TournamentEvent
from sabot.tournament.state import TournamentState

_Events = tuple[TournamentEvent, ...]


def call_session(state: TournamentState, act: acts.CallSession, stamp: Stamp) -> _Events:
    raise NotImplementedError


def record_arrival(state: TournamentState, act: acts.RecordArrival, stamp: Stamp) -> _Events:
    raise NotImplementedError


def declare_absent(state: TournamentState, act: acts.DeclareAbsent, stamp: Stamp) -> _Events:
    raise NotImplementedError


def approve_substitute(state: TournamentState, act: acts.ApproveSubstitute, stamp: Stamp) -> _Events:
    raise NotImplementedError


def retire(state: TournamentState, act: acts.Retire, stamp: Stamp) -> _Events:
    raise NotImplementedError


def disqualify(state: TournamentState, act: acts.Disqualify, stamp: Stamp) -> _Events:
    raise NotImplementedError


def conclude_early(state: TournamentState, act: acts.ConcludeEarly, stamp: Stamp) -> _Events:
    raise NotImplementedError


def close_session(state: TournamentState, act: acts.CloseSession, stamp: Stamp) -> _Events:
    raise NotImplementedError


def abandon_sitting(state: TournamentState, act: acts.AbandonSitting, stamp: Stamp) -> _Events:
    raise NotImplementedError


def note_table(state: TournamentState, act: acts.NoteTable, stamp: Stamp) -> _Events:
    raise NotImplementedError


def note_score(state: TournamentState, act: acts.NoteScore, stamp: Stamp) -> _Events:
    raise NotImplementedError
