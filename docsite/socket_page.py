"""The page about the socket, from the AsyncAPI document that a served floor has at `/asyncapi.json`."""

from collections.abc import Iterator, Mapping
from typing import Any, get_args

from docsite.describing import cell, code, table
from sabot.table.acts import DeviceAct
from sabot.table.events import AnyEvent
from sabot.wire.asyncapi import asyncapi
from sabot.wire.frames import DeviceFrame, FloorFrame

ELSEWHERE = {
    **{one.__name__: "[any act](acts.md)" for one in get_args(DeviceAct)},
    **{one.__name__: "[any event](events.md)" for one in get_args(AnyEvent)},
}
"""What has a page of its own."""
_TAGS = {one.__name__: str(one.__struct_config__.tag) for one in (*get_args(DeviceFrame), *get_args(FloorFrame))}
_BOUNDS = ("minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "pattern")


def socket_page() -> Iterator[str]:
    document = asyncapi("", "")
    (server,), (channel,) = document["servers"].values(), document["channels"].values()
    schemas: Mapping[str, Any] = document["components"]["schemas"]
    yield from table(
        ("part", "what it says"),
        (
            ("AsyncAPI", document["asyncapi"]),
            ("content", code(document["defaultContentType"])),
            ("protocol", f"{code(server['protocol'])}. {cell(server['description'])}"),
            ("host", cell(server["variables"]["host"]["description"])),
            ("address", f"{code(channel['address'])}. {cell(channel['description'])}"),
        ),
    )
    for operation in document["operations"].values():
        yield from (f"## {operation['summary'].rstrip('.')}", "")
        for reference in operation["messages"]:
            message = document["components"]["messages"][_name(reference["$ref"])]
            yield from (f"### {code(message['name'])}", "", f"{code(message['title'])}. {_said(message)}".strip(), "")
            yield from _fields(schemas[_name(message["payload"]["$ref"])])
    yield from ("## Schemas", "")
    for name, schema in schemas.items():
        if name not in _TAGS and name not in ELSEWHERE and "." not in name:
            yield from (f"### Schema {code(name)}", "")
            if "description" in schema:
                yield from (cell(schema["description"]), "")
            yield from _fields(schema) if "properties" in schema else (_shape(schema), "")


def _said(message: Mapping[str, Any]) -> str:
    return cell(message.get("summary", ""))


def _fields(schema: Mapping[str, Any]) -> Iterator[str]:
    due = schema.get("required", ())
    rows = [
        (code(name), _shape(shape), "**required**" if name in due else "")
        for name, shape in schema.get("properties", {}).items()
    ]
    yield from table(("key", "what may stand there", ""), rows)


def _name(reference: str) -> str:
    return reference.rpartition("/")[2]


def _shape(schema: Mapping[str, Any]) -> str:
    """What a value is, in a few words."""
    if "$ref" in schema:
        return _reference(_name(schema["$ref"]))
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " or ".join(dict.fromkeys(_shape(one) for one in schema[key]))
    if "enum" in schema:
        return ", ".join(code(one) for one in schema["enum"])
    return _plain(schema)


def _reference(name: str) -> str:
    bare = name.rpartition(".")[2]
    if bare in ELSEWHERE and bare == name:
        return ELSEWHERE[name]
    if "." in name:
        return "[any event](events.md)" if ".events." in name else "[any act](acts.md)"
    tag = _TAGS.get(name)
    return f"[{code(tag)}](#{tag})" if tag else f"[{name}](#schema-{name.lower()})"


def _plain(schema: Mapping[str, Any]) -> str:
    parts = schema.get("items")
    if isinstance(parts, list):
        return f"list: {', '.join(_shape(one) for one in parts)}"
    if isinstance(parts, dict):
        return f"list of: {_shape(parts)}"
    if isinstance(schema.get("additionalProperties"), dict):
        return f"table of names, each with: {_shape(schema['additionalProperties'])}"
    said = ", ".join(f"{key} {cell(schema[key])}" for key in _BOUNDS if key in schema)
    kind = {"null": "nothing", "object": "object"}.get(str(schema.get("type")), str(schema.get("type", "anything")))
    return kind + (f" ({said})" if said else "")
