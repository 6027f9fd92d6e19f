"""Commands as devices speak them: the table's and the house's own, without what whoever carries them stamps.

Who asks and in which role, when, salts, ticket numbers and what the house knows of a patron never come from a device,
so there is no place for them on the wire. What only the floor itself may ask of a table is not spoken at all.
"""

from collections.abc import Iterable, Mapping
from functools import reduce
from operator import or_
from typing import Any

import msgspec

from sabot.house import commands as house
from sabot.house.decide import RULES as HOUSE_RULES
from sabot.table import acts as table
from sabot.table.decide import RULES as TABLE_RULES

STAMPED = frozenset(
    {"by", "role", "at_ms", "second", "second_role", "salts", "excluded", "build", "source", "decided_by"}
)
"""Fields that whoever carries a command fills in."""
_OPTIONAL = frozenset({"station", "from_ms"})
"""Fields that the floor fills in where they are left out: a station's own name, and now."""
_KEPT: dict[type, frozenset[str]] = {
    table.ApproveBuild: frozenset({"build"}),
    table.MoveWager: frozenset({"source"}),
}
"""Whoever approves a program says which, and whoever moves a wager says from where."""
_STAMPED_TOO: dict[type, frozenset[str]] = {table.Leave: frozenset({"ticket"})}

OF_THE_FLOOR: frozenset[type] = frozenset(
    {
        *(table.Configure, table.Tick, table.TakeUpOption, table.EndDay, table.Restart),
        *(house.EnterTable, house.TellBusy, house.RequestTicket, house.RegisterTicket, house.CloseToTheCage),
        *(house.NotePaidByHand, house.LockOut),
    }
)
"""What the floor, the clock and the operator's desk ask; no device may."""

Spoken = Any
"""A command as a device speaks it; `kind_of` tells which one it is."""


def _spoken(kind: type[msgspec.Struct]) -> type[msgspec.Struct]:
    """The same command without what is stamped. A field that may be left out says so by its default."""
    hidden = (STAMPED - _KEPT.get(kind, frozenset())) | _STAMPED_TOO.get(kind, frozenset())
    fields: list[Any] = []
    for field in msgspec.structs.fields(kind):
        if field.name in hidden:
            continue
        if field.name in _OPTIONAL and field.required:
            fields.append((field.name, field.type | None, None))
        elif field.required:
            fields.append((field.name, field.type))
        elif field.default_factory is not msgspec.NODEFAULT:
            fields.append((field.name, field.type, msgspec.field(default_factory=field.default_factory)))
        else:
            fields.append((field.name, field.type, field.default))
    made = msgspec.defstruct(
        kind.__name__,
        fields,
        namespace={"__doc__": kind.__doc__},
        module=__name__,
        frozen=True,
        kw_only=True,
        forbid_unknown_fields=True,
        omit_defaults=True,
        tag_field="do",
        tag=kind.__struct_config__.tag,
    )
    globals()[kind.__name__] = made
    return made


def _all(kinds: Iterable[type[Any]]) -> dict[type[msgspec.Struct], type[msgspec.Struct]]:
    return {_spoken(kind): kind for kind in kinds if kind not in OF_THE_FLOOR}


TABLE_KINDS = _all(TABLE_RULES)
"""For each spoken form of a table's command, the command."""
HOUSE_KINDS = _all(HOUSE_RULES)
TableCommand: Any = reduce(or_, TABLE_KINDS)
HouseCommand: Any = reduce(or_, HOUSE_KINDS)


def read_spoken(line: Mapping[str, Any]) -> Spoken:
    """A table's command from its fields, with its verb under `do`."""
    return msgspec.convert(line, TableCommand)


def __getattr__(name: str) -> Any:
    """The spoken commands are made at import, where type checkers do not look: they are told that there may be any."""
    raise AttributeError(f"module {__name__} has no attribute {name}")


def fields_of(spoken: Spoken) -> dict[str, Any]:
    """What the device said, by field; what it left to the floor is not in it."""
    said = msgspec.structs.asdict(spoken)
    for name in _OPTIONAL:
        if name in said and said[name] is None:
            del said[name]
    return said
