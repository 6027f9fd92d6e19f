"""Seats: the draw, committed and opened (CROWN 12.1.1), and the times of sessions (CROWN 12.3.4)."""

from sabot.basics.stamp import Stamp
from sabot.tournament import acts
from sabot.tournament.events import TournamentEvent
from sabot.tournament.state import TournamentState

_Events = tuple[TournamentEvent, ...]


def commit_draw(state: TournamentState, act: acts.CommitDraw, stamp: Stamp) -> _Events:
    raise NotImplementedError


def draw_seats(state: TournamentState, act: acts.DrawSeats, stamp: Stamp) -> _Events:
    raise NotImplementedError


def alter_start(state: TournamentState, act: acts.AlterStart, stamp: Stamp) -> _Events:
    raise NotImplementedError
