"""The page `/reference`: both descriptions, of HTTP and of the socket, as plain HTML that needs no script and no other
host, so that it can be read beside a floor without a network."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from html import escape
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

STYLE = """body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1a1a1a; }
h1, h2, h3 { line-height: 1.2; } code { font-family: ui-monospace, monospace; font-size: 0.9em; }
details { border: 1px solid #ccc; border-radius: 4px; margin: 0.4rem 0; padding: 0.3rem 0.8rem; }
summary { cursor: pointer; } .verb { font-weight: 700; display: inline-block; min-width: 4.5rem; }
table { border-collapse: collapse; margin: 0.5rem 0; } td, th { border: 1px solid #ddd; padding: 0.2rem 0.6rem; text-align: left; }
a { color: #0b57d0; }
"""  # noqa: E501  A style sheet.
_Document = Callable[[], Mapping[str, Any]]


def reference_routes(http: _Document, socket: _Document) -> list[Route]:
    """The page and its style, which the content policy wants in a file of its own."""
    written = cache(lambda: page(http(), socket()))

    async def reference(_: Request) -> Response:
        return Response(written(), media_type="text/html")

    async def style(_: Request) -> Response:
        return Response(STYLE, media_type="text/css")

    return [Route("/reference", reference), Route("/reference.css", style)]


def page(http: Mapping[str, Any], socket: Mapping[str, Any]) -> str:
    return "\n".join(
        [
            '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Sabot: reference</title>',
            '<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/reference.css"></head>',
            "<body><main>",
            f"<h1>{escape(http['info']['title'])}, {escape(http['info']['version'])}</h1>",
            '<p>Made from <a href="/openapi.json">/openapi.json</a> and <a href="/asyncapi.json">/asyncapi.json</a>. '
            '<a href="#http">HTTP</a> · <a href="#socket">Socket</a> · <a href="#schemas">Schemas of HTTP</a> · '
            '<a href="#frames">Schemas of the socket</a></p>',
            f'<h2 id="http">HTTP</h2><p>{escape(http["info"]["description"])}</p>',
            *_operations(http),
            f'<h2 id="socket">Socket</h2><p>{escape(socket["info"]["description"])}</p>',
            *_messages(socket),
            '<h2 id="schemas">Schemas of HTTP</h2>',
            *_schemas(http["components"]["schemas"], "http"),
            '<h2 id="frames">Schemas of the socket</h2>',
            *_schemas(socket["components"]["schemas"], "socket"),
            "</main></body></html>",
        ]
    )


def _operations(http: Mapping[str, Any]) -> Iterator[str]:
    by_tag: dict[str, list[str]] = defaultdict(list)
    for path, methods in http["paths"].items():
        for verb, one in methods.items():
            by_tag[one["tags"][0]].append(_operation(path, verb, one))
    for tag, written in by_tag.items():
        yield f"<h3>{escape(tag)}</h3>"
        yield from written


def _operation(path: str, verb: str, one: Mapping[str, Any]) -> str:
    who = " or ".join(name for scheme in one.get("security", ()) for name in scheme) or "everybody"
    rows = [("operation", f"<code>{one['operationId']}</code>"), ("for", escape(who))]
    rows += [
        (f"{each['in']} <code>{escape(each['name'])}</code>", _shape(each["schema"], "http"))
        for each in one.get("parameters", ())
    ]
    rows += [("body", _content(one["requestBody"]))] if "requestBody" in one else []
    rows += [
        (status, f"{escape(answer['description'])} {_content(answer)}") for status, answer in one["responses"].items()
    ]
    return (
        f'<details id="{one["operationId"]}"><summary><span class="verb">{verb.upper()}</span> '
        f"<code>{escape(path)}</code> "
        f"{escape(one['summary'])}</summary>{_table(rows)}</details>"
    )


def _content(part: Mapping[str, Any]) -> str:
    return " ".join(
        f"<code>{media}</code> {_shape(content['schema'], 'http')}"
        for media, content in part.get("content", {}).items()
    )


def _messages(socket: Mapping[str, Any]) -> Iterator[str]:
    for operation in socket["operations"].values():
        yield f"<h3>{escape(operation['summary'])}</h3>"
        tags = [one["$ref"].rpartition("/")[2] for one in operation["messages"]]
        messages = [socket["components"]["messages"][tag] for tag in tags]
        yield _table(
            (f"<code>{one['name']}</code>", f"{escape(one.get('summary', ''))} {_shape(one['payload'], 'socket')}")
            for one in messages
        )


def _schemas(schemas: Mapping[str, Any], room: str) -> Iterator[str]:
    for name, schema in schemas.items():
        about = f"<p>{escape(schema['description'])}</p>" if "description" in schema else ""
        fields, due = schema.get("properties", {}), schema.get("required", ())
        rows = [
            (f"<code>{escape(field)}</code>{'' if field in due else ' (optional)'}", _shape(shape, room))
            for field, shape in fields.items()
        ]
        shown = _table(rows) if fields else f"<p>{_shape(schema, room)}</p>"
        yield f'<details id="{room}-{escape(name)}"><summary>{escape(name)}</summary>{about}{shown}</details>'


def _shape(schema: Mapping[str, Any], room: str) -> str:
    """What a value is, in a few words, with links to what it is made of."""
    if "$ref" in schema:
        name = escape(schema["$ref"].rpartition("/")[2])
        return f'<a href="#{room}-{name}">{name}</a>'
    if "contentSchema" in schema:
        return f"lines, each {_shape(schema['contentSchema'], room)}"
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " or ".join(_shape(one, room) for one in schema[key])
    if "enum" in schema:
        return ", ".join(f"<code>{escape(str(one))}</code>" for one in schema["enum"])
    if "const" in schema:
        return f"<code>{escape(str(schema['const']))}</code>"
    return _plain_shape(schema, room)


def _plain_shape(schema: Mapping[str, Any], room: str) -> str:
    parts = schema.get("prefixItems") or schema.get("items")
    if isinstance(parts, list):
        return f"({', '.join(_shape(one, room) for one in parts)})"
    if parts:
        return f"list of {_shape(parts, room)}"
    if isinstance(schema.get("additionalProperties"), dict):
        return f"by name, {_shape(schema['additionalProperties'], room)}"
    bounds = ("minimum", "maximum", "minLength", "maxLength", "pattern", "default")
    said = ", ".join(f"{key} {escape(str(schema[key]))}" for key in bounds if key in schema)
    return escape(str(schema.get("type", "anything"))) + (f" ({said})" if said else "")


def _table(rows: "Iterator[tuple[str, str]] | list[tuple[str, str]]") -> str:
    return "<table>" + "".join(f"<tr><th>{name}</th><td>{shown}</td></tr>" for name, shown in rows) + "</table>"
