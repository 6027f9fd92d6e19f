"""Events of tables and house: in plain words, and their form."""

from typing import Any

from sabot.house import events as house_events
from sabot.house.sentences import sentence as house_sentence
from sabot.table import events as table_events
from sabot.table.sentences import sentence


def told(event: object) -> str:
    """What happened, in one sentence, with the clause where there is one."""
    if isinstance(event, table_events.Event):
        return sentence(event)
    assert isinstance(event, house_events.HouseEvent)
    return house_sentence(event)


def event_schema() -> dict[str, Any]:
    """The JSON Schema of every event that an answer may hold; no event of the house has the name of a table's."""
    table: dict[str, Any] = table_events.schema()
    house: dict[str, Any] = house_events.schema()
    names = {"propertyName": "event", "mapping": table["discriminator"]["mapping"] | house["discriminator"]["mapping"]}
    return {
        "anyOf": table["anyOf"] + house["anyOf"],
        "discriminator": names,
        "$defs": table["$defs"] | house["$defs"],
    }
