"""The end: prizes (CROWN 12.2.1(j)), cancellation (G-140) and the closing of the books."""

from sabot.basics.stamp import Stamp
from sabot.tournament import acts
from sabot.tournament.events import TournamentEvent
from sabot.tournament.state import TournamentState

_Events = tuple[TournamentEvent, ...]


def award_prizes(state: TournamentState, act: acts.AwardPrizes, stamp: Stamp) -> _Events:
    raise NotImplementedError


def cancel_tournament(state: TournamentState, act: acts.CancelTournament, stamp: Stamp) -> _Events:
    raise NotImplementedError


def close_books(state: TournamentState, act: acts.CloseBooks, stamp: Stamp) -> _Events:
    raise NotImplementedError
