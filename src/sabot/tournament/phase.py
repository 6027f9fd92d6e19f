"""The phases of a tournament, as one table of transitions."""

import enum


class TournamentPhase(enum.StrEnum):
    DRAFT = "draft"
    APPROVED = "approved"
    ENTRY_OPEN = "entry_open"
    READY = "ready"
    """Between sessions."""
    IN_SESSION = "in_session"
    DECIDED = "decided"
    FINISHED = "finished"
    CANCELLED = "cancelled"
    CLOSED = "closed"


_PHASE = TournamentPhase
ENDED = frozenset({_PHASE.FINISHED, _PHASE.CANCELLED, _PHASE.CLOSED})
TRANSITIONS: dict[TournamentPhase, dict[str, TournamentPhase]] = {
    _PHASE.DRAFT: {"ConditionsApproved": _PHASE.APPROVED},
    _PHASE.APPROVED: {"ConditionsSaved": _PHASE.DRAFT, "EntryOpened": _PHASE.ENTRY_OPEN},
    _PHASE.ENTRY_OPEN: {"EntryClosed": _PHASE.READY},
    _PHASE.READY: {"SessionCalled": _PHASE.IN_SESSION},
    _PHASE.IN_SESSION: {"SessionEnded": _PHASE.READY},
    _PHASE.DECIDED: {"RoundReopened": _PHASE.READY, "PrizesAwarded": _PHASE.FINISHED},
    _PHASE.FINISHED: {"BooksClosed": _PHASE.CLOSED},
    _PHASE.CANCELLED: {"BooksClosed": _PHASE.CLOSED},
    _PHASE.CLOSED: {},
}
"""By the name of the event. Once entry has opened, a saved version leaves the phase alone. The confirmation of the
last round decides the tournament, and a cancellation ends it (both in `tournament/evolve.py`)."""
