"""Progress from round to round (CROWN 12.2.1(d)), and what a correction does to it (G-133)."""

from sabot.basics.stamp import Stamp
from sabot.tournament import acts
from sabot.tournament.events import TournamentEvent
from sabot.tournament.state import TournamentState

_Events = tuple[TournamentEvent, ...]


def confirm_round(state: TournamentState, act: acts.ConfirmRound, stamp: Stamp) -> _Events:
    raise NotImplementedError


def reopen_round(state: TournamentState, act: acts.ReopenRound, stamp: Stamp) -> _Events:
    raise NotImplementedError


def admit_place(state: TournamentState, act: acts.AdmitPlace, stamp: Stamp) -> _Events:
    raise NotImplementedError
