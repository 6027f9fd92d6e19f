"""The AsyncAPI 3.0 description of the socket `/ws`, made from the frames and the views alone.

The floor is the application that it describes: what devices send, it receives. Its schemas are JSON Schema of draft 7,
which every AsyncAPI tool reads.
"""

import inspect
from typing import Any, get_args

import msgspec

from sabot.views.console import ConsoleView
from sabot.views.display import DisplayView
from sabot.views.station import StationView
from sabot.wire.description import as_text
from sabot.wire.frames import DeviceFrame, FloorFrame, ViewFrame, Welcome

_REFS = "#/components/schemas/{name}"
_VIEWS = (StationView, ConsoleView, DisplayView)
_ABOUT = """One JSON object a message, told apart by `type`. A device proves its key, says hello, and asks; the floor
answers and tells. HTTP is described by `/openapi.json`."""


def asyncapi(title: str, version: str) -> dict[str, Any]:
    heard, said = get_args(DeviceFrame), get_args(FloorFrame)
    messages = {_tag(kind): _message(kind) for kind in (*heard, *said)}
    return {
        "asyncapi": "3.0.0",
        "info": {"title": title, "version": version, "description": _ABOUT, "license": {"name": "Apache-2.0"}},
        "defaultContentType": "application/json",
        "servers": {
            "floor": {
                "host": "{host}",
                "protocol": "wss",
                "description": "A process of the floor; `ws` where it has no certificate.",
                "variables": {"host": {"description": "Host and port, as `listen` of the floor's file has them."}},
            }
        },
        "channels": {
            "socket": {
                "address": "/ws",
                "description": "The connection of one device to one table.",
                "messages": {tag: {"$ref": f"#/components/messages/{tag}"} for tag in messages},
                "bindings": {"ws": {"method": "GET"}},
            }
        },
        "operations": {
            "hear": _operation("receive", "What a device sends.", heard),
            "say": _operation("send", "What the floor sends.", said),
        },
        "components": {"messages": messages, "schemas": _schemas(*heard, *said)},
    }


def _tag(kind: type) -> str:
    return str(kind.__struct_config__.tag)  # type: ignore[attr-defined]  # A frame is a struct with a tag.


def _message(kind: type) -> dict[str, Any]:
    said = inspect.cleandoc(kind.__doc__ or "")
    about = {"summary": said} if said else {}
    return {"name": _tag(kind), "title": kind.__name__, **about, "payload": {"$ref": _REFS.format(name=kind.__name__)}}


def _operation(action: str, summary: str, kinds: tuple[type, ...]) -> dict[str, Any]:
    return {
        "action": action,
        "summary": summary,
        "channel": {"$ref": "#/channels/socket"},
        "messages": [{"$ref": f"#/channels/socket/messages/{_tag(kind)}"} for kind in kinds],
    }


def _schemas(*kinds: type) -> dict[str, Any]:
    _, parts = msgspec.json.schema_components((*kinds, *_VIEWS), schema_hook=as_text, ref_template=_REFS)
    for view in _VIEWS:
        whole = parts.pop(view.__name__)
        parts[f"{view.__name__}Sections"] = {**whole, "required": [], "additionalProperties": False}
    sections = {"anyOf": [{"$ref": _REFS.format(name=f"{view.__name__}Sections")} for view in _VIEWS]}
    parts[ViewFrame.__name__]["properties"]["changed"] = sections
    parts[Welcome.__name__]["properties"]["view"] = {"anyOf": [{"type": "null"}, *sections["anyOf"]]}
    return {name: _draft_7(part) for name, part in sorted(parts.items())}


def _draft_7(schema: Any) -> Any:
    """A tuple's parts under the older name, and no `discriminator`, whose form is another one in AsyncAPI: the constant
    `type` of each alternative says as much."""
    if isinstance(schema, list):
        return [_draft_7(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    parts = {key: _draft_7(value) for key, value in schema.items() if not _is_discriminator(key, value)}
    if "prefixItems" in parts:
        parts["items"] = parts.pop("prefixItems")
        parts["additionalItems"] = False
    return parts


def _is_discriminator(key: str, value: Any) -> bool:
    return key == "discriminator" and isinstance(value, dict) and "propertyName" in value
