"""Evolving: a state and an event give the next state. No rule is checked here; what happened, happened."""

from collections.abc import Callable, Iterable
from functools import reduce
from typing import Any

from msgspec.structs import replace

from sabot.tournament import events as e
from sabot.tournament.evolve_entry import APPLY as ENTRY
from sabot.tournament.evolve_play import APPLY as PLAY
from sabot.tournament.phase import TRANSITIONS
from sabot.tournament.state import TournamentState

_APPLY: dict[type[e.TournamentEvent], Callable[[TournamentState, Any], TournamentState]] = {**ENTRY, **PLAY}


def evolve(state: TournamentState, event: e.TournamentEvent) -> TournamentState:
    """The next state; the phase follows from the table of transitions unless the event's own change set it."""
    after = _APPLY[type(event)](state, event)
    phase = TRANSITIONS[state.phase].get(type(event).__name__, after.phase)
    return after if phase is after.phase else replace(after, phase=phase)


def fold(events: Iterable[e.TournamentEvent], state: TournamentState | None = None) -> TournamentState:
    """The state that a whole history comes to."""
    return reduce(evolve, events, state or TournamentState())
