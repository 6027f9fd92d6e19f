"""How events of seats, sessions, progress, prizes and the end change a tournament."""

from collections.abc import Callable
from typing import Any

from sabot.tournament import events as e
from sabot.tournament.state import TournamentState

APPLY: dict[type[e.TournamentEvent], Callable[[TournamentState, Any], TournamentState]] = {}
