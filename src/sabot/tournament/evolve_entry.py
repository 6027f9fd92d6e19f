"""How events of planning, entry, slips, presence and designated tables change a tournament."""

from collections.abc import Callable
from typing import Any

from sabot.tournament import events as e
from sabot.tournament.state import TournamentState

APPLY: dict[type[e.TournamentEvent], Callable[[TournamentState, Any], TournamentState]] = {}
