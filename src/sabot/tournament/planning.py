"""Planning: the tournament, its conditions, their approval, and who directs it (CROWN 12.1)."""

from sabot.basics.stamp import Stamp
from sabot.tournament import acts
from sabot.tournament.events import TournamentEvent
from sabot.tournament.state import TournamentState

_Events = tuple[TournamentEvent, ...]


def create_tournament(state: TournamentState, act: acts.CreateTournament, stamp: Stamp) -> _Events:
    raise NotImplementedError


def save_conditions(state: TournamentState, act: acts.SaveConditions, stamp: Stamp) -> _Events:
    raise NotImplementedError


def withdraw_version(state: TournamentState, act: acts.WithdrawVersion, stamp: Stamp) -> _Events:
    raise NotImplementedError


def approve_conditions(state: TournamentState, act: acts.ApproveConditions, stamp: Stamp) -> _Events:
    raise NotImplementedError


def appoint_director(state: TournamentState, act: acts.AppointDirector, stamp: Stamp) -> _Events:
    raise NotImplementedError
