"""Pages about the files that people write, and about what goes over the wire."""

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from types import UnionType
from typing import Any, get_args

import msgspec

from docsite.describing import Parts, cell, code, fields, summary, table
from sabot.rules.rule_set import RuleSet
from sabot.school.lesson import AnyStaged, Lesson
from sabot.table.configuration import Configuration
from sabot.tournament.conditions.keys import KEYS
from sabot.web import http
from sabot.web.http.monitoring import Monitoring
from sabot.web.http.operation import AnyOperation
from sabot.web.serving.floor_file import FloorFile
from sabot.wire.frames import DeviceFrame, FloorFrame


def floor_file() -> Iterator[str]:
    yield from _file(FloorFile)


def table_file() -> Iterator[str]:
    yield from _file(Configuration, known=(RuleSet,))


def rule_set_file() -> Iterator[str]:
    yield from _file(RuleSet)


def lesson_file() -> Iterator[str]:
    yield from _file(Lesson, tags=AnyStaged)


def conditions_file() -> Iterator[str]:
    yield from table(("key", "says", "clause"), ((code(row.key), cell(row.says), cell(row.clause)) for row in KEYS))


def _file(root: type, known: tuple[type, ...] = (), tags: Any = None) -> Iterator[str]:
    parts = Parts((root, *known))
    yield from fields(root, parts)
    if tags is not None:
        named = ((code(one.__struct_config__.tag), code(one.__name__), summary(one)) for one in get_args(tags))
        yield from table(("`what`", "keys", "meaning"), named)
    yield from parts.described("##")


def frames() -> Iterator[str]:
    for title, union in (("From a device", DeviceFrame), ("From the floor", FloorFrame)):
        yield from (f"## {title}", "")
        for one in get_args(union):
            yield from (f"### {code(one.__struct_config__.tag)}", "")
            if said := summary(one):
                yield from (said, "")
            yield from fields(one)


def operations() -> list[AnyOperation]:
    """Of every class of routes; what they are asked here is which operations they have, and no floor is behind them."""
    found: list[AnyOperation] = []
    for module in sorted(one.name for one in pkgutil.iter_modules(http.__path__)):
        for _, routes in inspect.getmembers(importlib.import_module(f"{http.__name__}.{module}"), inspect.isclass):
            if routes.__module__ == f"{http.__name__}.{module}" and routes.__name__.endswith("Routes"):
                bare: Any = routes.__new__(routes)
                found += bare.operations()
    return sorted(found, key=lambda one: (one.path, one.method))


def http_page() -> Iterator[str]:
    parts = Parts()
    for one in operations():
        yield from (f"## {one.method} {one.path.replace('{', '&#123;')}", "", f"{one.summary}.".replace("..", "."), "")
        yield from _asked(one, parts)
    yield from ("## For monitoring", "")
    for path in Monitoring.described():
        yield from (f"### GET {path.path.replace('{', '&#123;')}", "", path.summary, "")
        if path.security:
            yield from (
                "- For service accounts with the scope, and for monitoring systems with the token of the floor's file.",
                "",
            )
    yield from ("## Bodies", "")
    yield from parts.described()


def _asked(one: AnyOperation, parts: Parts) -> Iterator[str]:
    lines = []
    if one.staff:
        service = f", and for service accounts with the scope {code(one.scope.value)}" if one.scope else ""
        lines.append(f"- For staff who are signed on{service}.")
    if one.query is not None:
        names = ", ".join(code(field.encode_name) for field in msgspec.structs.fields(one.query))
        lines.append(f"- After the question mark: {names}.")
    lines += [f"- Body: {_named(one.body, parts)}."] if one.body is not None else []
    answer = _named(one.answer, None) if one.answer is not None else "no content"
    lines.append(f"- Answer: {one.status if one.answer is not None else 204}, {answer}.")
    if one.refuses:
        refused = ", ".join(f"{code(cause.code)} ({cause.status})" for cause in one.refuses)
        lines.append(f"- Refusals of its own: {refused}.")
    yield from (*lines, "")


def _named(kind: Any, parts: Parts | None) -> str:
    """The name of a body or an answer; bodies are put on `parts`, to be described."""
    if isinstance(kind, UnionType):
        return "one of " + ", ".join(code(one.__name__) for one in get_args(kind))
    if args := get_args(kind):
        return (
            f"{'list' if getattr(kind, '__name__', '') in ('tuple', 'list') else getattr(kind, '__name__', 'list')} of "
            + ", ".join(_named(one, parts) for one in args if one is not ...)
        )
    if parts is not None and inspect.isclass(kind) and issubclass(kind, msgspec.Struct):
        parts.name(kind)
    return code(getattr(kind, "__name__", str(kind)))
