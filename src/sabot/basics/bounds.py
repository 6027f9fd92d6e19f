"""Bounds of what an act may say, so that every record can be added up and shown (G-195).

Each field of an act has a type that says what it is: an amount, a count, a time, a name or a text. The bound stands in
the type as metadata that the decoders pass over. An act outside its bounds is read, refused by the decision with a
sentence, and put on record as refused. Nothing outside them comes into a state, whether the act arrives over the wire,
in a line of words or in a file.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from operator import attrgetter
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import inspect as shape

from sabot.basics.act import Act
from sabot.basics.figures import DATED_MS, LATEST_MS
from sabot.basics.money import LARGEST_AMOUNT

MOST_IN_A_NAME = 200
"""Characters of a name, a number on paper or a reference."""
MOST_IN_A_TEXT = 4_000
"""Characters of a text; more has never fitted into a frame."""
MOST_ENTRIES = 10_000
"""Of a list or a map."""
MOST_COUNTED = 10**9
DEEPEST = 20
"""Levels of a value without a type of its own."""
_DAY_MS = 86_400_000
SOON_MS = 3_660 * _DAY_MS
"""Ten years: how far from now a time of the game can lie."""
FAR_MS = 73_200 * _DAY_MS
"""Two hundred years: how far from now any other time can lie."""

AmountSaid = Annotated[int, msgspec.Meta(extra={"least": -LARGEST_AMOUNT, "most": LARGEST_AMOUNT})]
"""Cents. A million such amounts together still fit into 64 bits."""
CountSaid = Annotated[int, msgspec.Meta(extra={"least": -MOST_COUNTED, "most": MOST_COUNTED})]
"""A number of things, or of one thing among them. That it is none at all below zero is for the rules to say."""
MOST_TOLD = 2**62
"""Cents of a sum that the floor carries from one stream to another."""
AmountTold = Annotated[int, msgspec.Meta(gt=0, extra={"most": MOST_TOLD})]
"""Cents above zero that the floor carries. It is wider than what anybody says, since it may be a sum of that."""
TimeSaid = Annotated[int, msgspec.Meta(extra={"around_ms": SOON_MS})]
"""A time on the table's clock, not too far from when it is said."""
FarTimeSaid = Annotated[int, msgspec.Meta(extra={"around_ms": FAR_MS})]
TimeTold = Annotated[int, msgspec.Meta(extra={"least": 0, "most": LATEST_MS})]
"""A time that the floor carries: any that can be shown, since what it belongs to must not be lost."""
NameSaid = Annotated[str, msgspec.Meta(extra={"characters": MOST_IN_A_NAME})]
TextSaid = Annotated[str, msgspec.Meta(extra={"characters": MOST_IN_A_TEXT})]
LongTextSaid = Annotated[str, msgspec.Meta(extra={"characters": 10 * MOST_IN_A_TEXT})]
"""What a program writes: the order of a whole shoe, a proof."""


class Exceeded(NamedTuple):
    """Which refusal a field outside its bounds leads to, with its figures."""

    cause: str
    figures: Mapping[str, Any]


class _Outside(Exception):
    def __init__(self, cause: str, **figures: int | str) -> None:
        super().__init__(cause)
        self.cause, self.figures = cause, figures


_Check = Callable[[Any, int], None]
"""Raises `_Outside` for a value, given the time of the act's stamp."""


def exceeded(act: Act, at_ms: int) -> Exceeded | None:
    """What the act says outside its bounds, if anything; `at_ms` is the time of its stamp."""
    for name, value, check in _checked(type(act)):
        try:
            check(value(act), at_ms)
        except _Outside as outside:
            return Exceeded(outside.cause, {"field": name, **outside.figures})
    return None


@cache
def _checked(kind: type[Act]) -> tuple[tuple[str, Callable[[Act], Any], _Check], ...]:
    return tuple((name, attrgetter(name), check) for name, check in _fields(shape.type_info(kind)))


def _fields(info: shape.Type) -> Iterator[tuple[str, _Check]]:
    assert isinstance(info, shape.StructType)
    for field in info.fields:
        check = check_of(field.type)
        if check is not None:
            yield field.name, check


def check_of(info: shape.Type, extra: Mapping[str, Any] = {}) -> _Check | None:  # noqa: PLR0911  It is read only; each shape has its line.
    """What holds a value of this type to its bounds; nothing where the type itself leaves no choice beyond them."""
    match info:
        case shape.Metadata():
            return check_of(info.type, info.extra or {})
        case shape.IntType():
            return _whole_number(info, extra)
        case shape.StrType():
            return _text(info, extra)
        case shape.UnionType():
            return _either(info)
        case shape.DictType():
            return _map(info)
        case shape.VarTupleType() | shape.ListType():
            return _list(info)
        case shape.StructType():
            return _whole
        case shape.AnyType():
            return _anything
        case shape.BoolType() | shape.NoneType() | shape.LiteralType() | shape.EnumType() | shape.CustomType():
            return None
        case _:
            raise NotImplementedError(f"no bound is known for {info}")


def _whole_number(info: shape.IntType, extra: Mapping[str, Any]) -> _Check:
    if "around_ms" in extra:
        return _time(extra["around_ms"])
    least = extra.get("least", info.ge if info.gt is None else info.gt + 1)
    most = extra.get("most", info.le if info.lt is None else info.lt - 1)
    lowest = -LARGEST_AMOUNT if least is None else least
    highest = LARGEST_AMOUNT if most is None else most

    def check(value: int, _at_ms: int) -> None:
        if not lowest <= value <= highest:
            raise _Outside("OUT_OF_RANGE", least=lowest, most=highest)

    return check


def _time(around_ms: int) -> _Check:
    def check(value: int, at_ms: int) -> None:
        earliest, latest = 0, LATEST_MS
        if at_ms in DATED_MS:  # A clock that does not count from 1970 says nothing of how far a date is.
            earliest, latest = max(0, at_ms - around_ms), min(LATEST_MS, at_ms + around_ms)
        if not earliest <= value <= latest:
            raise _Outside("TIME_TOO_FAR", earliest_ms=earliest, latest_ms=latest)

    return check


def _text(info: shape.StrType, extra: Mapping[str, Any]) -> _Check:
    most = extra.get("characters", info.max_length or MOST_IN_A_TEXT)
    form = None if info.pattern is None else re.compile(info.pattern)

    def check(value: str, _at_ms: int) -> None:
        check_length(len(value), most)
        if not (value.isascii() and value.isprintable()):
            _check_characters(value)
        if form is not None and form.search(value) is None:
            raise _Outside("UNFIT_TEXT", what=f"the form is {form.pattern}")

    return check


def check_length(found: int, most: int) -> None:
    if found > most:
        raise _Outside("TOO_LONG", found=found, most=most)


_BREAKS = "\n\t\r"
"""What a text of several lines holds beside its characters."""
_JOINERS = "\u200c\u200d"
"""What some scripts need between letters."""
_NEVER_SHOWN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Among them are characters that reverse the order in which the rest of a line is read, and characters that cannot be
seen. A name with one of them would look like another name."""
_ALLOWED = frozenset(_BREAKS + _JOINERS)


def _check_characters(text: str) -> None:
    for one in text:
        if unicodedata.category(one) in _NEVER_SHOWN and one not in _ALLOWED:
            raise _Outside("UNFIT_TEXT", what=f"U+{ord(one):04X}")
    if not unicodedata.is_normalized("NFC", text):
        raise _Outside("UNFIT_TEXT", what="it is not in the normal form C of Unicode")


def _either(info: shape.UnionType) -> _Check | None:
    """One kind of value, or nothing."""
    checks = [known for one in info.types if (known := check_of(one)) is not None]
    if not checks:
        return None
    [inner] = checks

    def check(value: Any, at_ms: int) -> None:
        if value is not None:
            inner(value, at_ms)

    return check


def _map(info: shape.DictType) -> _Check:
    of_keys, of_values = check_of(info.key_type), check_of(info.value_type)
    most = info.max_length or MOST_ENTRIES

    def check(value: Mapping[Any, Any], at_ms: int) -> None:
        check_length(len(value), most)
        for key, one in value.items():
            if of_keys is not None:
                of_keys(key, at_ms)
            if of_values is not None:
                of_values(one, at_ms)

    return check


def _list(info: shape.VarTupleType | shape.ListType) -> _Check:
    of_each = check_of(info.item_type)
    most = info.max_length or MOST_ENTRIES

    def check(value: Any, at_ms: int) -> None:
        check_length(len(value), most)
        if of_each is not None:
            for one in value:
                of_each(one, at_ms)

    return check


def _whole(value: msgspec.Struct, at_ms: int) -> None:
    """A part with fields of its own: each of its texts, figures and lists within the widest bounds of any."""
    _anything(msgspec.to_builtins(value, enc_hook=str), at_ms)


def _anything(value: Any, at_ms: int, depth: int = 0) -> None:
    """A value as it was written, whose keys its own checks know."""
    check_length(depth, DEEPEST)
    if isinstance(value, str):
        _ANY_TEXT(value, at_ms)
    elif isinstance(value, int | float):
        if not -LARGEST_AMOUNT <= value <= LARGEST_AMOUNT:
            raise _Outside("OUT_OF_RANGE", least=-LARGEST_AMOUNT, most=LARGEST_AMOUNT)
    elif isinstance(value, dict | list | tuple):
        check_length(len(value), MOST_ENTRIES)
        for one in (*value.keys(), *value.values()) if isinstance(value, dict) else value:
            _anything(one, at_ms, depth + 1)


_ANY_TEXT = _text(shape.StrType(), {})
