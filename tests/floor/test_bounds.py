"""Every field of every act has bounds, and `decide` refuses what lies outside them: at the table, in the house, in a
tournament. The acts are found by the tables of rules, so a new one is held to this as soon as it has a rule.
"""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple, get_args

import msgspec
import pytest
from msgspec import inspect as shape

from sabot.basics.act import Act
from sabot.basics.bounds import MOST_ENTRIES, MOST_TOLD, check_of
from sabot.basics.figures import LATEST_MS
from sabot.basics.money import LARGEST_AMOUNT
from sabot.basics.role import Role
from sabot.basics.stamp import Stamp
from sabot.house import decide as house
from sabot.house.state import HouseState
from sabot.table import acts, rules
from sabot.table.decide import decide
from sabot.table.events import Configured
from sabot.table.evolve import evolve
from sabot.table.fixtures import fixture
from sabot.table.state import UNCONFIGURED, TableState
from sabot.tournament import decide as tournament
from sabot.tournament.state import TournamentState
from tests.table.playing import table_with_money

NOW_MS = 1_790_000_000_000
BOUNDS = {"out_of_range", "time_too_far", "too_long", "unfit_text"}
SAMPLES = {
    r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,39}$": "P7",
    r"^[A-Z][A-Z0-9-]{0,19}$": "SPRING",
    r"^[A-Z][A-Z0-9-]{0,19}-[0-9]{6,}$": "SPRING-000001",
    r"^[a-z][a-z_]{0,19}$": "cash",
    r"^[A-Za-z_]+(/[A-Za-z_+-]+)*$": "UTC",
    r"^([01][0-9]|2[0-3]):[0-5][0-9]$": "06:00",
    "^(taken|paid|forfeited|expired|cancelled)$": "taken",
    r"^[A-Za-z][A-Za-z0-9_-]{0,19}$": "T1",
}
TOO_LONG = "x" * 50_000
WILD_TEXTS = (
    *(TOO_LONG, "a\x00b", "a\x1bb", "a\u202eb", "a\u2028b", "e\u0301"),
    *("P7\u200b", "\ufeffP7", "P\u00ad7", "P7\U000e0041", "\u200f12 34"),  # What cannot be seen.
)
WILD_NUMBERS = (10**30, -(10**30), MOST_TOLD + 1, -MOST_TOLD - 1)
WILD_TIMES = (-1, 10**15, LATEST_MS + 1, 10**30, -(10**15))


class Wild(NamedTuple):
    """An act with one value outside its bounds."""

    kind: type[Act]
    field: str
    value: object

    def __str__(self) -> str:
        return f"{self.kind.__name__}.{self.field}={str(self.value)[:12]!r}"


def bare(info: shape.Type) -> shape.Type:
    return bare(info.type) if isinstance(info, shape.Metadata) else info


def some(info: shape.Type) -> Any:  # noqa: C901, PLR0911  Each shape has its line.
    """A value of this type within all bounds."""
    match bare(info):
        case shape.IntType(ge=least):
            return NOW_MS if is_time(info) else max(1, least or 0)
        case shape.StrType(pattern=pattern):
            return "x" if pattern is None else SAMPLES[pattern]
        case shape.BoolType():
            return True
        case shape.LiteralType(values=values):
            return values[0]
        case shape.EnumType(cls=cls):
            return next(iter(cls))
        case shape.UnionType(types=types):
            return some(types[0])
        case shape.VarTupleType(item_type=item, min_length=least):
            return (some(item),) * (least or 0)
        case shape.DictType():
            return {}
        case shape.StructType(cls=cls) if cls is type(fixture("crown")):
            return fixture("crown")
        case shape.StructType(cls=cls, fields=fields):
            return cls(**{field.name: some(field.type) for field in fields if field.required})
        case found:
            raise NotImplementedError(str(found))


def is_time(info: shape.Type) -> bool:
    return isinstance(info, shape.Metadata) and "around_ms" in (info.extra or {})


def wild_values(info: shape.Type) -> Iterator[object]:  # noqa: C901  The same.
    """Values of this type outside its bounds, one of every kind there is."""
    match bare(info):
        case shape.IntType():
            yield from WILD_TIMES if is_time(info) else WILD_NUMBERS
        case shape.StrType():
            yield from WILD_TEXTS
        case shape.UnionType(types=types):
            for one in types:
                yield from wild_values(one)
        case shape.VarTupleType(item_type=item):
            yield (some(item),) * (MOST_ENTRIES + 1)  # The same one each time, which costs nothing.
            yield from ((value,) for value in wild_values(item))
        case shape.DictType(key_type=key, value_type=value):
            if isinstance(bare(key), shape.StrType):
                sound = 1 if is_any(value) else some(value)
                yield dict.fromkeys(map(str, range(MOST_ENTRIES + 1)), sound)
                yield from ({one: sound} for one in WILD_TEXTS)
            yield from ({some(key): one} for one in wild_values(value))
        case shape.StructType(cls=cls):
            if cls is not type(fixture("crown")):
                yield from wild_structs(info)
            else:
                yield msgspec.structs.replace(fixture("crown"), operator=TOO_LONG)
                yield msgspec.structs.replace(fixture("crown"), wagering_period_ms=10**30)
        case shape.AnyType():
            yield from (TOO_LONG, 10**30, [[[TOO_LONG]]], {"a": "\x00"})
        case _:
            return


def wild_structs(info: shape.Type) -> Iterator[object]:
    info = bare(info)
    assert isinstance(info, shape.StructType)
    sound = some(info)
    for field in info.fields:
        match bare(field.type):
            case shape.IntType():
                yield msgspec.structs.replace(sound, **{field.name: 10**30})
            case shape.StrType():
                yield msgspec.structs.replace(sound, **{field.name: "a\x00b"})
            case _:
                pass


def is_any(info: shape.Type) -> bool:
    return isinstance(bare(info), shape.AnyType)


def fields_of(kind: type[Act]) -> tuple[shape.Field, ...]:
    info = shape.type_info(kind)
    assert isinstance(info, shape.StructType)
    return info.fields


def wild_acts(kind: type[Act]) -> Iterator[Wild]:
    for field in fields_of(kind):
        for value in wild_values(field.type):
            yield Wild(kind, field.name, value)


def act_of(wild: Wild) -> Act:
    sound = {field.name: some(field.type) for field in fields_of(wild.kind) if field.required}
    return wild.kind(**{**sound, wild.field: wild.value})


def table() -> TableState:
    state = evolve(UNCONFIGURED, Configured(configuration=fixture("crown"), rule_set_digest=""))
    assert isinstance(state, TableState)
    return msgspec.structs.replace(state, signed_on={"D1": Role.DEALER, "GS1": Role.GAME_SUPERVISOR})


TABLE = table()
HOUSE = HouseState(staff={"X": tuple(Role), "Y": tuple(Role)})
TOURNAMENT = TournamentState(tournament="SPRING", director="X")
TOUCHES = {kind for kind, rule in rules.RULES.items() if rule.touch}
"""What is held to the bets and limits of the layout, and so needs no other bounds."""
ALL = [*rules.RULES, *house.RULES, *tournament.RULES]


def stamps(who: frozenset[Role]) -> Iterator[Stamp]:
    """Stamps of somebody who may."""
    for role in who:
        by = {Role.DEALER: "D1", Role.GAME_SUPERVISOR: "GS1", Role.CASINO_SUPERVISOR: "CS1", Role.STATION: "A1"}
        yield Stamp(by=by.get(role, role.value), role=role, at_ms=NOW_MS)
        for second in (Role.CASINO_SUPERVISOR, Role.OPERATOR):
            yield Stamp(by="X", role=role, second="Y", second_role=second, at_ms=NOW_MS)


def refusals(act: Act) -> set[str]:
    """The codes with which the act is refused to those who may give it; `accepted` where it is not."""
    rule: Any
    ask: Any
    if type(act) in rules.RULES:
        rule, ask = rules.RULES[type(act)], lambda stamp: decide(TABLE, act, stamp)
    elif type(act) in house.RULES:
        rule, ask = house.RULES[type(act)], lambda stamp: house.decide(HOUSE, act, stamp)
    else:
        rule, ask = tournament.RULES[type(act)], lambda stamp: tournament.decide(TOURNAMENT, act, stamp)  # type: ignore[arg-type]  # It is one of these.
    given = (ask(stamp) for stamp in stamps(rule.who))
    return {"accepted" if isinstance(one, tuple) else one.code for one in given}


@pytest.mark.clause("G-195")
@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.__name__)
def test_what_lies_outside_its_bounds_is_refused_by_the_decision(kind: type[Act]) -> None:
    for wild in wild_acts(kind):
        codes = refusals(act_of(wild))
        assert "accepted" not in codes, str(wild)
        assert kind in TOUCHES or codes & BOUNDS, f"{wild}: {codes}"


@pytest.mark.parametrize("kind", [kind for kind in ALL if kind not in TOUCHES], ids=lambda kind: kind.__name__)
def test_every_field_of_an_act_has_a_bound_of_its_own(kind: type[Act]) -> None:
    for field in fields_of(kind):
        assert not isinstance(field.type, shape.IntType) or {field.type.le, field.type.lt} != {None}, field.name
        assert not isinstance(field.type, shape.StrType) or field.type.pattern or field.type.max_length, field.name
        leaves = bare(field.type)
        if isinstance(leaves, shape.IntType | shape.StrType | shape.VarTupleType | shape.DictType | shape.StructType):
            assert check_of(field.type) is not None, field.name


@pytest.mark.parametrize("kind", get_args(acts.WagerAct), ids=lambda kind: kind.__name__)
def test_a_touch_outside_what_the_layout_has_is_refused_while_wagering_is_open(kind: type[Act]) -> None:
    table = table_with_money("crown-traditional")
    assert table.give(acts.Open(), "D1", at_ms=table.now_ms).ok
    sound = {"bet": "player", "cents": 2_500, "source": "player", "target": "banker", "wagers": {}}
    known = [field.name for field in fields_of(kind)]
    for wild in wild_acts(kind):
        fitting = {name: value for name, value in sound.items() if name in known}
        act = kind(**{**fitting, wild.field: wild.value})
        answer = table.give(act, "A1", at_ms=table.now_ms)
        assert not answer.ok, str(wild)


def test_no_account_comes_to_hold_more_than_one_amount_can_be() -> None:
    table = table_with_money("crown-traditional")
    more = acts.BuyIn(station="A1", cents=LARGEST_AMOUNT - 100_000, top_up=True)
    assert table.give(more, "D1", at_ms=table.now_ms).ok
    answer = table.give(acts.BuyIn(station="A1", cents=1, top_up=True), "D1", at_ms=table.now_ms)
    assert answer.refusal is not None
    assert answer.refusal.code == "bad_amount"


def test_a_refusal_names_the_field_its_figures_and_its_clause() -> None:
    supervisor = Stamp(by="CS1", role=Role.CASINO_SUPERVISOR, at_ms=NOW_MS)
    refused = decide(TABLE, acts.Incident(station="A1", text="y" * 4_001), supervisor)
    assert not isinstance(refused, tuple)
    assert (refused.code, refused.clause) == ("too_long", "G-195")
    assert refused.values == {"field": "text", "found": 4_001, "most": 4_000}
    assert re.fullmatch(r"text has 4001 characters or entries, and 4000 can be recorded", refused.text)


@pytest.mark.parametrize("text", ["two\nlines", "naïve 百家乐 عربي", "x" * 4_000, ""])
def test_what_people_write_is_not_refused(text: str) -> None:
    act = acts.Incident(station="A1", text=text)
    assert isinstance(decide(TABLE, act, Stamp(by="CS1", role=Role.CASINO_SUPERVISOR, at_ms=NOW_MS)), tuple)
