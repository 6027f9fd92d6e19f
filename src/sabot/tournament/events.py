# ruff: noqa: F403, F405, PLC0414  This module is the one namespace of all events.
"""What happened in a tournament. One frozen class each, in the past tense."""

import msgspec

from sabot.tournament.entry.events import *
from sabot.tournament.event import TournamentEvent as TournamentEvent
from sabot.tournament.places.events import *
from sabot.tournament.sittings.events import *

AnyTournamentEvent = EntryEvent | SittingEvent | PlaceEvent
"""Every event, as one type to decode into."""


def schema() -> dict[str, object]:
    """The JSON Schema of a tournament's events; generated, never written by hand."""
    return msgspec.json.schema(AnyTournamentEvent)
