"""Presence of the Director (CROWN 12.2.5), and the tables that are designated (CROWN 12.3.1)."""

from sabot.basics.stamp import Stamp
from sabot.tournament import acts
from sabot.tournament.events import TournamentEvent
from sabot.tournament.state import TournamentState

_Events = tuple[TournamentEvent, ...]


def be_present(state: TournamentState, act: acts.BePresent, stamp: Stamp) -> _Events:
    raise NotImplementedError


def step_out(state: TournamentState, act: acts.StepOut, stamp: Stamp) -> _Events:
    raise NotImplementedError


def designate_tables(state: TournamentState, act: acts.DesignateTables, stamp: Stamp) -> _Events:
    raise NotImplementedError


def release_tables(state: TournamentState, act: acts.ReleaseTables, stamp: Stamp) -> _Events:
    raise NotImplementedError
