"""Structs in words: the name of each field, what may stand there, its default, and its note in the source."""

import ast
import enum
import inspect
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import msgspec
from msgspec import inspect as kinds

from sabot.rules.odds import Odds

LONG_LIST = 24
"""Values of an enumeration that are all named."""


def cell(text: object) -> str:
    """Text for a cell of a Markdown table."""
    return " ".join(str(text).replace("|", r"\|").replace("*", r"\*").replace("<", "&lt;").split())


def code(text: object) -> str:
    return f"`{text}`"


def table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    listed = [tuple(row) for row in rows]
    names = tuple(heads)
    yield f"| {' | '.join(names)} |"
    yield f"|{'---|' * len(names)}"
    yield from (f"| {' | '.join(row)} |" for row in listed)
    yield ""


def summary(of: type) -> str:
    """Its docstring in one paragraph, or nothing where it has none of its own."""
    written = of.__dict__.get("__doc__") or ""
    return cell(inspect.cleandoc(written).split("\n\n", maxsplit=1)[0]) if written else ""


@cache
def notes(of: type) -> dict[str, str]:
    """The text under each field in the source, with those of the classes that it extends."""
    found: dict[str, str] = {}
    for kind in reversed(of.__mro__):
        if not (issubclass(kind, msgspec.Struct | tuple) and kind.__module__.startswith("sabot.")):
            continue
        body = _classes(kind.__module__)[kind.__name__].body
        for field, after in zip(body, [*body[1:], None], strict=True):
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                found[field.target.id] = _text_of(after)
    return found


@cache
def _classes(module: str) -> dict[str, ast.ClassDef]:
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    return {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}


def _text_of(node: ast.stmt | None) -> str:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
        return " ".join(node.value.value.split())
    return ""


def fields(of: type, parts: "Parts | None" = None) -> Iterator[str]:
    """The fields of a struct as a Markdown table; structs within them are put on `parts`, to be described as well."""
    told = notes(of)
    info = kinds.type_info(of)
    assert isinstance(info, kinds.StructType)
    rows = [
        (code(field.encode_name), _kind_in_words(field.type, parts), _default(field), cell(told.get(field.name, "")))
        for field in info.fields
    ]
    if rows:
        yield from table(("key", "what may stand there", "default", "meaning"), rows)


def in_a_line(of: type) -> str:
    """The fields of a struct with what may stand there, without their notes."""
    info = kinds.type_info(of)
    assert isinstance(info, kinds.StructType)
    return "; ".join(f"{code(field.encode_name)} ({_kind_in_words(field.type, None)})" for field in info.fields)


def _default(field: kinds.Field) -> str:
    if field.required:
        return "**required**"
    value = field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
    if value is None or value in ("", (), [], {}, frozenset()):
        return "none"
    if isinstance(value, msgspec.Struct):
        return "as its keys" if value == _plain(type(value)) else code(cell(_written(value)))
    return code(cell(_written(value)))


def _plain(of: type) -> object:
    try:
        return of()
    except TypeError:
        return None


def _written(value: object) -> str:
    return msgspec.json.encode(value, enc_hook=str).decode()


class Parts:
    """The structs that a description has named and still has to describe, each once."""

    def __init__(self, known: Iterable[type] = ()) -> None:
        self._waiting: list[type] = []
        self._known = set(known)

    def name(self, of: type) -> None:
        if of not in self._known:
            self._known.add(of)
            self._waiting.append(of)

    def described(self, level: str = "###") -> Iterator[str]:
        while self._waiting:
            of = self._waiting.pop(0)
            yield from (f"{level} {code(of.__name__)}", "")
            if said := summary(of):
                yield from (said, "")
            yield from fields(of, self)


def _kind_in_words(kind: kinds.Type, parts: Parts | None) -> str:
    for of, words in _WORDS.items():
        if isinstance(kind, of):
            return str(words(kind, parts))
    return "anything"


def _number(kind: Any, _: Parts | None) -> str:
    word = "whole number" if isinstance(kind, kinds.IntType) else "number"
    least = kind.ge if kind.ge is not None else kind.gt
    most = kind.le if kind.le is not None else kind.lt
    if least is not None and most is not None:
        return f"{word} from {least:,} to {most:,}"
    if least is not None:
        return f"{word}, {least:,} at least"
    return f"{word}, {most:,} at most" if most is not None else word


def _text(kind: Any, _: Parts | None) -> str:
    if kind.pattern:
        return f"text of the form {code(kind.pattern.replace('|', chr(92) + '|'))}"
    return f"text of at most {kind.max_length} characters" if kind.max_length else "text"


def _list(kind: Any, parts: Parts | None) -> str:
    return f"list of: {_kind_in_words(kind.item_type, parts)}"


def _fixed(kind: Any, parts: Parts | None) -> str:
    return "list: " + ", ".join(_kind_in_words(one, parts) for one in kind.item_types)


def _map(kind: Any, parts: Parts | None) -> str:
    return f"table of names, each with: {_kind_in_words(kind.value_type, parts)}"


def _union(kind: Any, parts: Parts | None) -> str:
    some = [one for one in kind.types if not isinstance(one, kinds.NoneType)]
    return " or ".join(dict.fromkeys(_kind_in_words(one, parts) for one in some))


def _enumeration(kind: Any, _: Parts | None) -> str:
    values = [one.value if isinstance(one, enum.Enum) else one for one in kind.cls]
    return ", ".join(map(code, values)) if len(values) <= LONG_LIST else f"{kind.cls.__name__}, of {len(values)} values"


def _literal(kind: Any, _: Parts | None) -> str:
    return ", ".join(code(one) for one in kind.values)


def _struct(kind: Any, parts: Parts | None) -> str:
    if parts is not None and isinstance(kind, kinds.StructType):
        parts.name(kind.cls)
    return code(kind.cls.__name__)


def _own(kind: Any, _: Parts | None) -> str:
    return "odds, such as `19/20`" if kind.cls is Odds else kind.cls.__name__


_WORDS: dict[type | tuple[type, ...], Any] = {
    kinds.Metadata: lambda kind, parts: _kind_in_words(kind.type, parts),
    kinds.BoolType: lambda *_: "`true` or `false`",
    (kinds.IntType, kinds.FloatType): _number,
    kinds.StrType: _text,
    kinds.NoneType: lambda *_: "nothing",
    kinds.EnumType: _enumeration,
    kinds.LiteralType: _literal,
    kinds.UnionType: _union,
    (kinds.DictType,): _map,
    kinds.TupleType: _fixed,
    (kinds.ListType, kinds.SetType, kinds.FrozenSetType, kinds.VarTupleType): _list,
    (kinds.StructType, kinds.NamedTupleType, kinds.TypedDictType, kinds.DataclassType): _struct,
    kinds.DateType: lambda *_: "date, such as `2026-06-06`",
    kinds.CustomType: _own,
}
