"""Slips: what the cage takes and pays for a tournament, and what follows when it has (CROWN 12.2.1(a))."""

from sabot.basics.stamp import Stamp
from sabot.tournament import acts
from sabot.tournament.events import TournamentEvent
from sabot.tournament.state import TournamentState

_Events = tuple[TournamentEvent, ...]


def note_slip(state: TournamentState, act: acts.NoteSlip, stamp: Stamp) -> _Events:
    raise NotImplementedError


def buy_back(state: TournamentState, act: acts.BuyBack, stamp: Stamp) -> _Events:
    raise NotImplementedError
