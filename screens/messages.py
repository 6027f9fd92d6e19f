"""Writes the types of all that comes and goes on the wire in TypeScript: `python screens/messages.py`.

They are made from the very structs that the server reads and writes with, so a message is never described twice. The
files are kept beside the sources that use them, so that building the pages needs no server; a test holds them fresh.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import inspect as types

from sabot.audit.business import Business
from sabot.views.audience import Picture
from sabot.views.console import ConsoleView
from sabot.views.display import DisplayView
from sabot.views.floor import FloorView
from sabot.views.station import StationView
from sabot.views.words import WORDS
from sabot.web.http.floor_routes import Done, RecordTold
from sabot.web.http.identity_routes import ApprovalGiven, EnrolmentShown, SessionShown, SignedOn
from sabot.wire.frames import Heard, Said, Told
from sabot.wire.spoken import HouseCommand, TableCommand

ANSWERS = (SignedOn, SessionShown, ApprovalGiven, EnrolmentShown, Done, RecordTold, Business)
"""What a person at a console or a desk is told over HTTP."""
FOLDER = Path(__file__).resolve().parent / "src" / "wire"
FILES: dict[str, dict[str, Any]] = {
    "frames.ts": {"TableCommand": TableCommand, "Heard": Heard, "Said": Said},
    "house.ts": {"HouseCommand": HouseCommand},
    "views.ts": {"": (StationView, ConsoleView, DisplayView, FloorView)},
    "web.ts": {"": ANSWERS},
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
        self.unions: dict[str, str] = {}

    def name(self, kind: types.Type) -> str:
        match kind:
            case types.Metadata():
                said = self.name(kind.type)
            case types.StructType():
                said = self._struct(kind)
            case types.UnionType():
                said = self._union(kind)
            case types.LiteralType():
                said = " | ".join(_quoted(value) for value in kind.values)
            case types.EnumType():
                said = " | ".join(_quoted(member.value) for member in kind.cls)
            case types.DictType():
                said = f"Readonly<Record<string, {self.name(kind.value_type)}>>"
            case types.TupleType():
                said = f"readonly [{', '.join(map(self.name, kind.item_types))}]"
            case types.CollectionType():
                said = f"readonly {_grouped(self.name(kind.item_type))}[]"
            case _:
                said = _PLAIN[type(kind)]
        return said

    def _union(self, kind: types.UnionType) -> str:
        """By its name, where it has one."""
        said = " | ".join(dict.fromkeys(self.name(one) for one in kind.types if not _is_left_open(one)))
        return self.unions.get(said, said)

    def _struct(self, kind: types.StructType) -> str:
        if _is_left_open(kind):
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
        said = kind.cls.__dict__.get("__doc__")
        comment = f"/** {' '.join(said.split())} */\n" if said else ""
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
    for name, root in roots.items():
        for one in _many(root):
            said = writer.name(types.type_info(one))
            if name:
                writer.unions[said] = name
    structs = tuple(writer.write_structs())
    return "\n".join((_HEAD, *structs, *(f"export type {name} = {said};\n" for said, name in writer.unions.items())))


def sentences() -> str:
    """The English sentence of every message; the other languages are catalogues with the very same keys."""
    lines = (f"  {code}: {_quoted(sentence)},\n" for code, sentence in WORDS.items())
    return f"{_HEAD}\nexport const TOLD = {{\n{''.join(lines)}}} as const;\n"


def all_files() -> dict[str, str]:
    return {**{file: written(roots) for file, roots in FILES.items()}, "told.ts": sentences()}


def _many(root: Any) -> Iterable[Any]:
    return root if isinstance(root, tuple) else (root,)


def _is_left_open(kind: types.Type) -> bool:
    return isinstance(kind, types.StructType) and kind.cls in _LEFT_OPEN


def _quoted(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _grouped(name: str) -> str:
    return f"({name})" if " " in name else name


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for file, text in all_files().items():
        (FOLDER / file).write_text(text, encoding="utf-8")
