"""Entry: who enters, waits, is refused, withdraws, is briefed and signs (CROWN 12.2.1(f), (g), 12.2.3, 12.2.4)."""

from sabot.basics.stamp import Stamp
from sabot.tournament import acts
from sabot.tournament.events import TournamentEvent
from sabot.tournament.state import TournamentState

_Events = tuple[TournamentEvent, ...]


def open_entry(state: TournamentState, act: acts.OpenEntry, stamp: Stamp) -> _Events:
    raise NotImplementedError


def close_entry(state: TournamentState, act: acts.CloseEntry, stamp: Stamp) -> _Events:
    raise NotImplementedError


def register_entrant(state: TournamentState, act: acts.RegisterEntrant, stamp: Stamp) -> _Events:
    raise NotImplementedError


def refuse_application(state: TournamentState, act: acts.RefuseApplication, stamp: Stamp) -> _Events:
    raise NotImplementedError


def withdraw_entrant(state: TournamentState, act: acts.WithdrawEntrant, stamp: Stamp) -> _Events:
    raise NotImplementedError


def require_signatures(state: TournamentState, act: acts.RequireSignatures, stamp: Stamp) -> _Events:
    raise NotImplementedError


def brief(state: TournamentState, act: acts.Brief, stamp: Stamp) -> _Events:
    raise NotImplementedError


def sign_conditions(state: TournamentState, act: acts.SignConditions, stamp: Stamp) -> _Events:
    raise NotImplementedError


def note_exclusion(state: TournamentState, act: acts.NoteExclusion, stamp: Stamp) -> _Events:
    raise NotImplementedError
