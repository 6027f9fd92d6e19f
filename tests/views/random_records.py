"""Events made from their classes alone: what a record of an old or a foreign journal could say happened."""

import enum
from typing import Any, get_args

import msgspec
from msgspec import inspect as shape

from sabot.floor.simulator.chance import Chance
from sabot.table.configuration import Configuration
from sabot.table.event import Event
from sabot.table.events import AnyEvent
from sabot.table.evolve import evolve
from sabot.table.state import TableState

KINDS: tuple[type[Event], ...] = get_args(AnyEvent)
NUMBERS = (0, 1, 2, 3, -1, 2_500, 10**15, -(10**15), 10**30)
TEXTS = ("", "A1", "A2", "Z9", "banker", "no_such_bet", "5S", "KH", "ZZ", "x" * 500, "1" * 18, "CROWN 11.11")


def some_event(chance: Chance) -> Event:
    kind = chance.pick(KINDS)
    info = shape.type_info(kind)
    assert isinstance(info, shape.StructType)
    wanted = [field for field in info.fields if field.required or chance.happens(0.5)]
    return kind(**{field.name: _some(field.type, chance, 0) for field in wanted})


def after_some_events(state: TableState, chance: Chance, count: int) -> TableState:
    """The state after events of which some cannot even be added up, and so stand in no journal that opens."""
    for _ in range(count):
        try:
            event = some_event(chance)
            after = evolve(state, event)
            msgspec.json.encode(event, enc_hook=str)
        except (ArithmeticError, AssertionError, AttributeError, LookupError, StopIteration, TypeError, ValueError):
            continue
        if isinstance(after, TableState):
            state = after
    return state


def _some(info: shape.Type, chance: Chance, depth: int) -> Any:  # noqa: C901, PLR0911, PLR0912  Each shape has its line.
    match info:
        case shape.Metadata():
            return _some(info.type, chance, depth)
        case shape.IntType():
            return chance.pick(NUMBERS)
        case shape.StrType():
            return chance.pick(TEXTS)
        case shape.BoolType():
            return chance.happens(0.5)
        case shape.LiteralType():
            return chance.pick(info.values)
        case shape.EnumType():
            members: list[enum.Enum] = list(info.cls)
            return chance.pick(members)
        case shape.UnionType():
            return _some(chance.pick(info.types), chance, depth)
        case shape.NoneType():
            return None
        case shape.VarTupleType() | shape.ListType():
            many = tuple(_some(info.item_type, chance, depth + 1) for _ in range(chance.between(0, 2)))
            return many if isinstance(info, shape.VarTupleType) else list(many)
        case shape.DictType():
            if depth > 1 or chance.happens(0.3):
                return {}
            return {_some(info.key_type, chance, depth + 1): _some(info.value_type, chance, depth + 1)}
        case shape.StructType() if info.cls is not Configuration:
            return info.cls(**{field.name: _some(field.type, chance, depth + 1) for field in info.fields})
        case shape.TupleType():
            return tuple(_some(one, chance, depth + 1) for one in info.item_types)
        case shape.NamedTupleType():
            return info.cls(*(_some(field.type, chance, depth + 1) for field in info.fields))
        case _:
            raise LookupError(f"no {info}")
