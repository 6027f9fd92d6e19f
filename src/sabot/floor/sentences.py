"""Events of tables, house and tournaments: in plain words, and their form."""

from typing import Any

from sabot.house import events as house_events
from sabot.house.sentences import sentence as house_sentence
from sabot.table import events as table_events
from sabot.table.sentences import sentence
from sabot.tournament import events as tournament_events
from sabot.tournament.sentences import sentence as tournament_sentence


def told(event: object) -> str:
    """What happened, in one sentence, with the clause where there is one."""
    if isinstance(event, table_events.Event):
        return sentence(event)
    if isinstance(event, tournament_events.TournamentEvent):
        return tournament_sentence(event)
    assert isinstance(event, house_events.HouseEvent)
    return house_sentence(event)


def event_schema() -> dict[str, Any]:
    """The JSON Schema of every event that an answer may hold; no two kinds of streams have events of one name."""
    streams: list[dict[str, Any]] = [table_events.schema(), house_events.schema(), tournament_events.schema()]
    mapping = {name: place for one in streams for name, place in one["discriminator"]["mapping"].items()}
    return {
        "anyOf": [event for one in streams for event in one["anyOf"]],
        "discriminator": {"propertyName": "event", "mapping": mapping},
        "$defs": {name: shape for one in streams for name, shape in one["$defs"].items()},
    }
