"""Citing at a table or in a house: the clauses inside a value become those that are cited there."""

from collections.abc import Callable
from functools import cache
from typing import TypeVar

import msgspec
from msgspec import inspect as types

T = TypeVar("T", bound=msgspec.Struct)


def as_cited(values: tuple[T, ...], cite: Callable[[str], str]) -> tuple[T, ...]:
    """The values with every clause in them as it is cited, those in their parts included."""
    return tuple(_struct(value, cite) for value in values)


def _struct(value: T, cite: Callable[[str], str]) -> T:
    changed = {}
    for name in _citing_fields(type(value)):
        before = getattr(value, name)
        after = _value(before, cite)
        if after is not before:
            changed[name] = after
    return msgspec.structs.replace(value, **changed) if changed else value


def _value(value: object, cite: Callable[[str], str]) -> object:
    """The very same value where nothing in it is cited otherwise."""
    if isinstance(value, str):
        return cite(value)
    if isinstance(value, msgspec.Struct):
        return _struct(value, cite)
    if isinstance(value, dict):
        mapped = {key: _value(one, cite) for key, one in value.items()}
        return mapped if any(mapped[key] is not one for key, one in value.items()) else value
    if isinstance(value, list | tuple):
        parts = [_value(one, cite) for one in value]
        return type(value)(parts) if any(new is not old for new, old in zip(parts, value, strict=True)) else value
    return value


@cache
def _citing_fields(kind: type[msgspec.Struct]) -> tuple[str, ...]:
    """The fields that are clauses, or have parts with such fields."""
    info = types.type_info(kind)
    assert isinstance(info, types.StructType)
    return tuple(field.name for field in info.fields if _is_clause(field.name) or _has_clauses(field.type))


def _is_clause(name: str) -> bool:
    return name == "clause" or name.endswith("_clause")


def _has_clauses(kind: types.Type) -> bool:
    if isinstance(kind, types.StructType):
        return any(map(_citing_fields, (kind.cls, *kind.cls.__subclasses__())))
    return any(map(_has_clauses, _parts(kind)))


def _parts(kind: types.Type) -> tuple[types.Type, ...]:
    """The types that a container's values have."""
    match kind:
        case types.DictType():
            return (kind.value_type,)
        case types.CollectionType():
            return (kind.item_type,)
        case types.TupleType():
            return tuple(kind.item_types)
        case types.UnionType():
            return tuple(kind.types)
        case types.Metadata():
            return (kind.type,)
        case _:
            return ()
