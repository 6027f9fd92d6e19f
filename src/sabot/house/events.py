# ruff: noqa: F403, F405, PLC0414  This module is the one namespace of all events.
"""What happened in the house. One frozen class each, in the past tense."""

import msgspec

from sabot.house.days.events import *
from sabot.house.devices.events import *
from sabot.house.escrow.events import *
from sabot.house.event import HouseEvent as HouseEvent
from sabot.house.exclusions.events import *
from sabot.house.lights.events import *
from sabot.house.services.events import *
from sabot.house.settings.events import *
from sabot.house.slips.events import *
from sabot.house.staff.events import *
from sabot.house.tickets.events import *

AnyHouseEvent = (
    SettingEvent
    | StaffEvent
    | FloorDeviceEvent
    | ExclusionEvent
    | TicketEvent
    | EscrowEvent
    | SlipEvent
    | DayEvent
    | LightEvent
    | ServiceEvent
)
"""Every event, as one type to decode into."""


def schema() -> dict[str, object]:
    """The JSON Schema of the house's events; generated, never written by hand."""
    return msgspec.json.schema(AnyHouseEvent)
