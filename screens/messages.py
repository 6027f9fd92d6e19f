"""Writes the types of all that comes and goes on the wire in TypeScript: `python screens/messages.py`.

They are made from the very structs that the server reads and writes with, so a message is never described twice. The
files are kept beside the sources that use them, so that building the pages needs no server; a test holds them fresh.
"""

import inspect
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import inspect as types

from sabot.views.display import DisplayView
from sabot.views.station import StationView
from sabot.wire.frames import Heard, Picture, Said, Told

FOLDER = Path(__file__).resolve().parent / "src" / "wire"
FILES: dict[str, dict[str, Any]] = {
    "frames.ts": {"Heard": Heard, "Said": Said},
    "views.ts": {"": (StationView, DisplayView)},
}
_LEFT_OPEN = (Told, Picture)
"""For those who follow events; the pages follow views."""
_HEAD = "// Written by screens/messages.py from the server's own structs; do not edit.\n"
_PLAIN: dict[type, str] = {
    types.StrType: "string",
    types.IntType: "number",
    types.FloatType: "number",
    types.BoolType: "boolean",
    types.NoneType: "null",
    types.AnyType: "unknown",
    types.CustomType: "string",
}


class Writer:
    """Collects the structs that a type is made of, each once, and says each type in TypeScript."""

    def __init__(self) -> None:
        self.structs: dict[str, types.StructType] = {}

    def name(self, kind: types.Type) -> str:
        if type(kind) in _PLAIN:
            return _PLAIN[type(kind)]
        match kind:
            case types.Metadata():
                return self.name(kind.type)
            case types.StructType():
                return self._struct(kind)
            case types.UnionType():
                return " | ".join(dict.fromkeys(self.name(one) for one in kind.types))
            case types.LiteralType():
                return " | ".join(_quoted(value) for value in kind.values)
            case types.EnumType():
                return " | ".join(_quoted(member.value) for member in kind.cls)
            case types.DictType():
                return f"Readonly<Record<string, {self.name(kind.value_type)}>>"
            case types.TupleType():
                return f"readonly [{', '.join(map(self.name, kind.item_types))}]"
        assert isinstance(kind, types.CollectionType), kind
        return f"readonly {_grouped(self.name(kind.item_type))}[]"

    def _struct(self, kind: types.StructType) -> str:
        if kind.cls in _LEFT_OPEN:
            return "unknown"
        name = kind.cls.__name__
        known = self.structs.setdefault(name, kind)
        assert known.cls is kind.cls, f"two structs are called {name}: {known.cls} and {kind.cls}"
        return name

    def write_structs(self) -> Iterator[str]:
        written: set[str] = set()
        while waiting := [name for name in self.structs if name not in written]:
            for name in waiting:
                written.add(name)
                yield self._interface(name, self.structs[name])

    def _interface(self, name: str, kind: types.StructType) -> str:
        said = inspect.getdoc(kind.cls) or ""
        comment = "" if not said or said.startswith(f"{name}(") else f"/** {' '.join(said.split())} */\n"
        if kind.array_like:
            places = ", ".join(f"{field.encode_name}: {self.name(field.type)}" for field in kind.fields)
            return f"{comment}export type {name} = readonly [{places}];\n"
        lines = [f"  readonly {kind.tag_field}: {_quoted(kind.tag)};\n"] if kind.tag_field else []
        lines += [self._field(kind, field) for field in kind.fields]
        return f"{comment}export interface {name} {{\n{''.join(lines)}}}\n"

    def _field(self, kind: types.StructType, field: types.Field) -> str:
        """A field that is left out when it has its default value need not be there."""
        may_lack = not field.required and kind.cls.__struct_config__.omit_defaults
        return f"  readonly {field.encode_name}{'?' if may_lack else ''}: {self.name(field.type)};\n"


def written(roots: dict[str, Any]) -> str:
    writer = Writer()
    unions = []
    for name, root in roots.items():
        for one in _many(root):
            said = writer.name(types.type_info(one))
            if name:
                unions.append(f"export type {name} = {said};\n")
    return "\n".join((_HEAD, *writer.write_structs(), *unions))


def _many(root: Any) -> Iterable[Any]:
    return root if isinstance(root, tuple) else (root,)


def _quoted(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _grouped(name: str) -> str:
    return f"({name})" if " " in name else name


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for file, roots in FILES.items():
        (FOLDER / file).write_text(written(roots), encoding="utf-8")
