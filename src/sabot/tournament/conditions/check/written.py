"""Keys and types: what is missing, unknown or of the wrong kind, and the parts that can be read."""

import difflib
import enum
import types
import typing
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Annotated, Any

import msgspec

from sabot.tournament.conditions.keys import key_row
from sabot.tournament.conditions.parts import (
    AccountsPart,
    ApprovalPart,
    AttendancePart,
    BuyBackPart,
    Conditions,
    ConductPart,
    DirectorPart,
    EligibilityPart,
    EntryPart,
    GamePart,
    LeavingPart,
    LocalTime,
    PoolPart,
    Prize,
    RankingPart,
    RoundPart,
    Text,
    WagersPart,
)
from sabot.tournament.conditions.problem import ConditionsProblem, Problems, problem

LANGUAGES = ("en", "zh")
"""Every text is in these."""
FURTHER_LANGUAGES = ("zh-Hant",)
"""And may be in these."""
LONGEST_TEXT = 4000
_BUY_BACK_KEYS = ("after", "into", "each", "in_all", "price_cents")
_TURNS = ("order", "betting_order", "turns", "in_turns")


class WrittenParts(msgspec.Struct, frozen=True, kw_only=True):
    """The parts of conditions that can be read; a part with a problem of its own is absent."""

    id: str | None = None
    title: Text | None = None
    document: str | None = None
    statements: tuple[str, ...] | None = None
    prizes: tuple[Prize, ...] | None = None
    approval: ApprovalPart | None = None
    director: DirectorPart | None = None
    entry: EntryPart | None = None
    eligibility: EligibilityPart | None = None
    game: GamePart | None = None
    wagers: WagersPart | None = None
    rounds: tuple[RoundPart, ...] | None = None
    ranking: RankingPart | None = None
    buy_back: BuyBackPart | None = None
    leaving: LeavingPart | None = None
    attendance: AttendancePart | None = None
    conduct: ConductPart | None = None
    accounts: AccountsPart | None = None
    pool: PoolPart | None = None


def read_written(raw: object) -> tuple[list[ConditionsProblem], WrittenParts]:
    """The problems of keys and types, and every part that can be read; unknown keys are passed over."""
    if not isinstance(raw, Mapping):
        return [ConditionsProblem("the file", "CROWN 12.2.1", "is a table of keys")], WrittenParts()
    found = list(_struct(Conditions, raw, ""))
    known = _known(Conditions, raw)
    marred = {one.key.partition(".")[0].partition("[")[0] for one in _struct(Conditions, known, "")}
    parts = {}
    for field in _fields(Conditions):
        if field.name not in marred:
            parts[field.name] = msgspec.convert(known[field.name], field.type) if field.name in known else field.default
    return found, WrittenParts(**parts)


def _known(kind: Any, raw: Any) -> Any:
    """The same values without the keys that conditions do not have."""
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return _known(next(one for one in inner if one is not types.NoneType), raw)
    if isinstance(raw, Mapping) and (fields := _fields(kind)):
        return {one.encode_name: _known(one.type, raw[one.encode_name]) for one in fields if one.encode_name in raw}
    if origin is tuple and isinstance(raw, list | tuple):
        return [_known(inner[0], one) for one in raw]
    if origin is dict and isinstance(raw, Mapping):
        return {name: _known(inner[1], one) for name, one in raw.items()}
    return raw


def _struct(kind: type[msgspec.Struct], raw: object, path: str) -> Problems:
    if not isinstance(raw, Mapping):
        yield problem(path, f"is a table of keys, not {_shown(raw)}")
        return
    fields = {field.encode_name: field for field in _fields(kind)}
    for name, field in fields.items():
        key = f"{path}.{name}" if path else name
        if name in raw:
            yield from _value(field.type, raw[name], key)
        elif field.required:
            yield from _missing(field.type, key)
    if kind is BuyBackPart and raw.get("allowed") is True:
        for name in _BUY_BACK_KEYS:
            if name not in raw:
                yield from _missing(int, f"{path}.{name}")
    for name in raw:
        if name not in fields:
            yield _unknown(name, path, list(fields))


def _missing(kind: Any, key: str) -> Problems:
    """A missing table lacks each of its required keys, and each has a clause of its own."""
    needed = [one for one in _fields(kind) if one.required]
    for field in needed:
        yield from _missing(field.type, f"{key}.{field.encode_name}")
    if not needed:
        yield problem(key, f"is missing: {key_row(key).says}")


def _fields(kind: Any) -> tuple[msgspec.structs.FieldInfo, ...]:
    return _fields_of(kind) if isinstance(kind, type) and issubclass(kind, msgspec.Struct) else ()


@cache
def _fields_of(kind: type[msgspec.Struct]) -> tuple[msgspec.structs.FieldInfo, ...]:
    """Read once from the annotations, which takes a hundred times as long as a check."""
    return msgspec.structs.fields(kind)


def _unknown(name: object, path: str, known: list[str]) -> ConditionsProblem:
    key = f"{path}.{_quoted(name)}" if path else _quoted(name)
    if path == "wagers" and name in _TURNS:
        return ConditionsProblem(key, "G-122", "all wager at the same time; there is no order of betting")
    near = difflib.get_close_matches(str(name), known, n=1, cutoff=0.7)
    hint = f"; did you mean {near[0]}?" if near else ", and they change no rule of the game"
    return ConditionsProblem(key, "CROWN 12.2.1(k)", f"is no key of conditions{hint}")


def _value(kind: Any, raw: object, key: str) -> Problems:
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        if raw is not None:
            yield from _value(next(one for one in inner if one is not types.NoneType), raw, key)
    elif _fields(kind):
        yield from _struct(kind, raw, key)
    elif kind == Text:
        yield from _text(raw, key)
    elif origin is tuple:
        yield from _list(inner[0], raw, key)
    elif origin is dict:
        yield from _table(inner[1], raw, key)
    else:
        yield from _plain(kind, raw, key)


def _list(kind: Any, raw: object, key: str) -> Problems:
    if not isinstance(raw, list | tuple):
        yield problem(key, f"is a list, not {_shown(raw)}")
        return
    for number, one in enumerate(raw):
        yield from _value(kind, one, f"{key}[{number}]")


def _table(kind: Any, raw: object, key: str) -> Problems:
    if not isinstance(raw, Mapping):
        yield problem(key, f"is a table of keys, not {_shown(raw)}")
        return
    for name, one in raw.items():
        yield from _value(kind, one, f"{key}.{_quoted(name)}")


def _text(raw: object, key: str) -> Problems:
    """A text says the same in every language, so that no entrant has less to go by (CROWN 12.1.1, 12.2.3)."""
    if not isinstance(raw, Mapping):
        yield problem(key, f"is a text in each language, such as {{ en = …, zh = … }}, not {_shown(raw)}")
        return
    for language in LANGUAGES:
        if language not in raw:
            yield problem(f"{key}.{language}", f"is missing: every text is in {' and '.join(LANGUAGES)}")
    for language, words in raw.items():
        if language not in (*LANGUAGES, *FURTHER_LANGUAGES):
            yield problem(f"{key}.{_quoted(language)}", f"is none of {', '.join((*LANGUAGES, *FURTHER_LANGUAGES))}")
        elif not isinstance(words, str) or not words.strip():
            yield problem(f"{key}.{language}", "has no words")
        elif len(words) > LONGEST_TEXT:
            yield problem(f"{key}.{language}", f"has {len(words)} letters, and {LONGEST_TEXT} are the most")


def _plain(kind: Any, raw: object, key: str) -> Problems:
    try:
        msgspec.convert(raw, kind)
        if kind == LocalTime:
            datetime.fromisoformat(str(raw))
    except ValueError:  # What msgspec refuses, too, is a ValueError.
        yield problem(key, f"{_wanted(kind)}, not {_shown(raw)}")


def _wanted(kind: Any) -> str:
    if kind == LocalTime:
        return "is a local time such as 2026-06-06T13:00"
    base, bounds = kind, None
    if typing.get_origin(kind) is Annotated:
        base, bounds = typing.get_args(kind)[:2]
    base = getattr(base, "__supertype__", base)
    if isinstance(base, type) and issubclass(base, enum.StrEnum):
        return f"is {', '.join(one.value for one in base)}"
    if base is bool:
        return "is true or false"
    if base is int:
        return "is a whole number" + (f" from {bounds.ge} to {bounds.le}" if bounds is not None else "")
    return "is a name of capital letters, digits and dashes" if bounds is not None else "is a text"


def _quoted(name: object) -> str:
    """A key as TOML writes it."""
    text = str(name)
    return text if text.replace("_", "").replace("-", "").isalnum() else f'"{text}"'


def _shown(raw: object) -> str:
    if isinstance(raw, Mapping):
        return "a table"
    if isinstance(raw, list | tuple):
        return "a list"
    if isinstance(raw, bool):
        return "true" if raw else "false"
    text = repr(raw)
    return text if len(text) <= 40 else f"{text[:38]}…"
