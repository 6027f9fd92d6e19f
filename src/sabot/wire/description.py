"""The description of the socket's frames for people and programs, as JSON Schema; it is made from the frames alone."""

from typing import Any

import msgspec

from sabot.rules.odds import Odds
from sabot.wire.frames import DeviceFrame, FloorFrame


def as_text(kind: type) -> dict[str, Any]:
    """The schema of what is written as a text on the wire."""
    assert kind is Odds
    return {"type": "string", "description": "exact odds, 19/20"}


def description() -> dict[str, Any]:
    """Every frame that may be heard or said, with everything in them under `$defs`."""
    (heard, said), parts = msgspec.json.schema_components(
        (DeviceFrame, FloorFrame), schema_hook=as_text, ref_template="#/$defs/{name}"
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Frames of a floor's socket",
        "description": "One JSON object a frame, told apart by `type`. A device sends `heard`, the floor sends `said`.",
        "properties": {"heard": heard, "said": said},
        "$defs": dict(sorted(parts.items())),
    }
