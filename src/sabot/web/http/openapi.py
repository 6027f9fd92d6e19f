"""The OpenAPI 3.1 description of the HTTP operations, made from the operations alone."""

import re
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any

import msgspec

from sabot.web.http.operation import JSON, NO_CONTENT, SECOND, AnyOperation, RefusalAnswer
from sabot.web.http.refusal import CONFLICT, WebCause

_ALWAYS = (WebCause.TOO_FAST, WebCause.FOREIGN_ORIGIN, WebCause.UNAVAILABLE)
_WITH_A_BODY = (WebCause.MALFORMED, WebCause.TOO_LARGE, WebCause.NOT_JSON)
_FOR_STAFF = (WebCause.SIGN_ON_FIRST, WebCause.SESSION_OVER, WebCause.TOKEN_FROM_ELSEWHERE)
_REFS = "#/components/schemas/{name}"


def description(operations: Iterable[AnyOperation], title: str, version: str) -> dict[str, Any]:
    listed = list(operations)
    kinds = [kind for one in listed for kind in (one.body, one.answer) if kind is not None]
    schemas, parts = msgspec.json.schema_components([*kinds, RefusalAnswer], ref_template=_REFS)
    schema_of = dict(zip(map(repr, [*kinds, RefusalAnswer]), schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for one in listed:
        paths.setdefault(one.path, {})[one.method.lower()] = _described(one, schema_of)
    return {
        "openapi": "3.1.0",
        "info": {"title": title, "version": version},
        "paths": paths,
        "components": {
            "schemas": dict(sorted(parts.items())),
            "securitySchemes": {"staff": {"type": "http", "scheme": "bearer"}},
        },
    }


def _described(operation: AnyOperation, schema_of: dict[str, Any]) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": operation.handle.__name__,
        "summary": operation.summary,
        "responses": _responses(operation, schema_of),
    }
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
        for name in re.findall(r"\{(\w+)\}", operation.path)
    ]
    if operation.query is not None:
        parameters += [query_parameter(field) for field in msgspec.structs.fields(operation.query)]
    if operation.staff:
        described["security"] = [{"staff": []}]
        parameters.append({"name": SECOND, "in": "header", "required": False, "schema": {"type": "string"}})
    if parameters:
        described["parameters"] = parameters
    if operation.body is not None:
        described["requestBody"] = {
            "required": True,
            "content": {JSON: {"schema": schema_of[repr(operation.body)]}},
        }
    return described


def query_parameter(field: msgspec.structs.FieldInfo) -> dict[str, Any]:
    return {
        "name": field.encode_name,
        "in": "query",
        "required": field.required,
        "schema": msgspec.json.schema(field.type),
    }


def _responses(operation: AnyOperation, schema_of: dict[str, Any]) -> dict[str, Any]:
    status = operation.status if operation.answer is not None else NO_CONTENT
    good: dict[str, Any] = {"description": HTTPStatus(status).phrase}
    if operation.answer is not None:
        good["content"] = {JSON: {"schema": schema_of[repr(operation.answer)]}}
    causes = [*_ALWAYS, *operation.refuses]
    causes += _WITH_A_BODY if operation.body is not None else ()
    causes += (WebCause.MALFORMED,) if operation.query is not None else ()
    causes += _FOR_STAFF if operation.staff else ()
    trouble = {JSON: {"schema": schema_of[repr(RefusalAnswer)]}}
    by_status: dict[int, list[str]] = {}
    for cause in causes:
        by_status.setdefault(cause.status, []).append(cause.code)
    if operation.asks_the_house:
        by_status.setdefault(CONFLICT, []).append("what the house refuses")
    return {
        str(status): good,
        **{
            str(code): {"description": ", ".join(dict.fromkeys(names)), "content": trouble}
            for code, names in sorted(by_status.items())
        },
    }
