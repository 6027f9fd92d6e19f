"""The OpenAPI 3.1 description of the HTTP paths, made from the operations and the plain paths alone."""

import re
from collections import Counter
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any, NamedTuple

import msgspec

from sabot.web.http.operation import JSON, NO_CONTENT, NOT_MODIFIED, SECOND, AnyOperation, RefusalAnswer
from sabot.web.http.refusal import CONFLICT, WebCause
from sabot.wire.description import as_text

LINES = "application/x-ndjson"
_ALWAYS = (
    *(WebCause.TOO_FAST, WebCause.FOREIGN_ORIGIN, WebCause.UNAVAILABLE),
    *(WebCause.MALFORMED, WebCause.FOREIGN_HOST, WebCause.LONG_HEAD),
)
_WITH_A_BODY = (WebCause.TOO_LARGE, WebCause.NOT_JSON)
_FOR_STAFF = (WebCause.SIGN_ON_FIRST, WebCause.SESSION_OVER, WebCause.TOKEN_FROM_ELSEWHERE, WebCause.NOT_FOR_SERVICES)
FOR_SERVICES = (WebCause.SERVICE_REFUSED, WebCause.SCOPE_MISSING)
_REFS = "#/components/schemas/{name}"
_ABOUT = """Every HTTP path of a floor. A refusal is one object: a code, a sentence, the clause that it follows from,
and the figures of the sentence. The socket `/ws` is described by `/asyncapi.json`."""
_SCHEMES = {
    "staff": {"type": "http", "scheme": "bearer", "description": "The token of a person who has signed on."},
    "service": {"type": "http", "scheme": "bearer", "description": "The token of a service account with the scope."},
    "monitor": {"type": "http", "scheme": "bearer", "description": "The monitoring token of the floor's file."},
}


class PlainPath(NamedTuple):
    """A path that answers GET and is no operation, since it has a form or an admission of its own."""

    path: str
    name: str
    summary: str
    answers: tuple[Any, ...]
    """The types that the answer has, or each line where the answer is lines."""
    media: str = JSON
    query: type[msgspec.Struct] | None = None
    security: tuple[str, ...] = ()
    """Who may ask, by the names of the schemes; everybody where there is none."""
    refuses: tuple[WebCause, ...] = ()
    conflict: str = ""
    """The code of what it answers 409 with, if anything."""
    unready: bool = False
    """Whether the same answer comes with 503 while the process is not ready."""


def description(
    operations: Iterable[AnyOperation], title: str, version: str, plain: Iterable[PlainPath] = ()
) -> dict[str, Any]:
    listed, others = list(operations), list(plain)
    asked = [kind for one in listed for kind in (one.body, one.answer) if kind is not None]
    kinds = [*asked, *(kind for one in others for kind in one.answers), RefusalAnswer]
    schemas, parts = msgspec.json.schema_components(kinds, ref_template=_REFS, schema_hook=as_text)
    schema_of = dict(zip(map(repr, kinds), schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for one in listed:
        paths.setdefault(one.path, {})[one.method.lower()] = _described(one, schema_of)
    for path in others:
        paths[path.path] = {"get": _described_plain(path, schema_of)}
    _check_names(paths)
    return {
        "openapi": "3.1.0",
        "info": {"title": title, "version": version, "description": _ABOUT, "license": {"name": "Apache-2.0"}},
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {"schemas": plain_tuples(dict(sorted(parts.items()))), "securitySchemes": _SCHEMES},
    }


def plain_tuples(schema: Any) -> Any:
    """The same without `items: false` behind a tuple's parts: `maxItems` says as much, and generators of clients do not
    read a schema that is no object."""
    if isinstance(schema, list):
        return [plain_tuples(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    return {key: plain_tuples(value) for key, value in schema.items() if not (key == "items" and value is False)}


def _check_names(paths: dict[str, dict[str, Any]]) -> None:
    named = Counter(one["operationId"] for methods in paths.values() for one in methods.values())
    assert not (twice := [name for name, count in named.items() if count > 1]), f"two operations are called {twice}"


def _described(operation: AnyOperation, schema_of: dict[str, Any]) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": operation.handle.__name__,
        "tags": [_tag(operation.path)],
        "summary": operation.summary,
        "responses": _responses(operation, schema_of),
    }
    parameters: list[dict[str, Any]] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
        for name in re.findall(r"\{(\w+)\}", operation.path)
    ]
    parameters += _query_parameters(operation.query)
    if operation.staff:
        described["security"] = [{"staff": []}] + ([{"service": []}] if operation.scope else [])
        if operation.scope:
            described["description"] = f"A service account needs the scope `{operation.scope.value}`."
        parameters.append({"name": SECOND, "in": "header", "required": False, "schema": {"type": "string"}})
    if parameters:
        described["parameters"] = parameters
    if operation.body is not None:
        described["requestBody"] = {
            "required": True,
            "content": {JSON: {"schema": schema_of[repr(operation.body)]}},
        }
    return described


def _described_plain(path: PlainPath, schema_of: dict[str, Any]) -> dict[str, Any]:
    content = {path.media.partition(";")[0]: {"schema": _plain_schema(path, schema_of)}}
    described: dict[str, Any] = {
        "operationId": path.name,
        "tags": [_tag(path.path)],
        "summary": path.summary,
        "responses": {"200": {"description": HTTPStatus.OK.phrase, "content": content}},
    }
    troubles = _troubles([*_ALWAYS, *path.refuses], path.conflict, schema_of)
    if path.unready:
        troubles[str(HTTPStatus.SERVICE_UNAVAILABLE.value)] = {
            "description": "not yet, or no longer",
            "content": content,
        }
    described["responses"] |= troubles
    if path.security:
        described["security"] = [{name: []} for name in path.security]
    if path.query is not None:
        described["parameters"] = _query_parameters(path.query)
    return described


def _plain_schema(path: PlainPath, schema_of: dict[str, Any]) -> dict[str, Any]:
    """The schema of one line is that of the content, since the lines as a whole are a text."""
    kinds = [schema_of[repr(kind)] for kind in path.answers]
    schema = kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
    if path.media != LINES:
        return dict(schema)
    return {"type": "string", "contentMediaType": LINES, "contentSchema": schema}


def _tag(path: str) -> str:
    """What the paths are grouped by: `tables`, `reports`; those outside `/api` are for the machine."""
    first, *rest = path.strip("/").split("/")
    return rest[0] if first == "api" and rest else "process"


def _query_parameters(query: type[msgspec.Struct] | None) -> list[dict[str, Any]]:
    return [] if query is None else [_query_parameter(field) for field in msgspec.structs.fields(query)]


def _query_parameter(field: msgspec.structs.FieldInfo) -> dict[str, Any]:
    schema = msgspec.json.schema(field.type)
    if not field.required and field.default is not None:
        schema["default"] = field.default
    return {"name": field.encode_name, "in": "query", "required": field.required, "schema": schema}


def _responses(operation: AnyOperation, schema_of: dict[str, Any]) -> dict[str, Any]:
    status = operation.status if operation.answer is not None else NO_CONTENT
    good: dict[str, Any] = {"description": HTTPStatus(status).phrase}
    if operation.answer is not None:
        good["content"] = {JSON: {"schema": schema_of[repr(operation.answer)]}}
    answers = {str(status): good}
    if operation.tagged:
        good["headers"] = {"ETag": {"schema": {"type": "string"}}}
        answers[str(NOT_MODIFIED)] = {"description": "the asker has it already, by `If-None-Match`"}
    causes = [*_ALWAYS, *operation.refuses]
    causes += _WITH_A_BODY if operation.body is not None else ()
    causes += _FOR_STAFF if operation.staff else ()
    causes += FOR_SERVICES if operation.scope else ()
    return answers | _troubles(causes, "what the house refuses" if operation.asks_the_house else "", schema_of)


def _troubles(causes: Iterable[WebCause], conflict: str, schema_of: dict[str, Any]) -> dict[str, Any]:
    """The refusals by status, each with the same form."""
    by_status: dict[int, list[str]] = {CONFLICT: [conflict]} if conflict else {}
    for cause in causes:
        by_status.setdefault(cause.status, []).append(cause.code)
    trouble = {JSON: {"schema": schema_of[repr(RefusalAnswer)]}}
    answers: dict[str, Any] = {
        str(code): {"description": ", ".join(dict.fromkeys(names)), "content": trouble}
        for code, names in sorted(by_status.items())
    }
    later = {"Retry-After": {"description": "seconds", "schema": {"type": "integer"}}}
    answers[str(WebCause.TOO_FAST.status)]["headers"] = later
    return answers
