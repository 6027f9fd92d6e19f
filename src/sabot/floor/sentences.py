"""Events of tables, house and tournaments: in plain words, and their form."""

from typing import Any, Final

from sabot.basics.phrase import SHARED, Phrase, in_english
from sabot.house import events as house_events
from sabot.house import phrases as house_phrases
from sabot.house import sentences as of_house
from sabot.table import events as table_events
from sabot.table import phrases as table_phrases
from sabot.table import sentences as of_table
from sabot.tournament import events as tournament_events
from sabot.tournament import phrases as tournament_phrases
from sabot.tournament import sentences as of_tournament

PHRASES: Final = {**SHARED, **table_phrases.PHRASES, **house_phrases.PHRASES, **tournament_phrases.PHRASES}
"""The English sentence of every event and of every part of one, by its code."""


def phrase_of(event: object) -> Phrase:
    """What happened, with the clause where there is one."""
    if isinstance(event, table_events.Event):
        return of_table.told(event)
    if isinstance(event, tournament_events.TournamentEvent):
        return of_tournament.told(event)
    assert isinstance(event, house_events.HouseEvent)
    return of_house.told(event)


def told(event: object) -> str:
    """The same in one English sentence."""
    return in_english(phrase_of(event), PHRASES)


def event_schema() -> dict[str, Any]:
    """The JSON Schema of every event that an answer may hold; no two kinds of streams have events of one name."""
    streams: list[dict[str, Any]] = [table_events.schema(), house_events.schema(), tournament_events.schema()]
    mapping = {name: place for one in streams for name, place in one["discriminator"]["mapping"].items()}
    return {
        "anyOf": [event for one in streams for event in one["anyOf"]],
        "discriminator": {"propertyName": "event", "mapping": mapping},
        "$defs": {name: shape for one in streams for name, shape in one["$defs"].items()},
    }
