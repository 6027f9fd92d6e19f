"""What can be told in every language: the code of a sentence, and the values of its gaps.

The English sentences are data beside what they tell of, and are put together here; the catalogues of the pages hold
the other languages under the same codes. A value may be a phrase of its own, or a list of them. A whole number in a gap
whose name ends in `cents` is money, and one in a gap whose name ends in `_ms` is a time.
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

import msgspec

from sabot.basics.figures import write_time
from sabot.basics.money import write_amount, write_net

_GAP = re.compile(r"{(\w+)}")
_SIGNED: Final = frozenset({"change_cents", "difference_cents", "net_cents"})
_BETWEEN: Final = {
    "list_comma": ", ",
    "list_semicolon": "; ",
    "list_and": " and ",
    "list_and_all": " and ",
    "list_spaced": " ",
    "list_joined": "",
}
SHARED: Final[dict[str, str]] = {
    "by_clause": "{told} ({clause})",
    "nothing_at_all": "",
    "nothing": "nothing",
    "nobody": "nobody",
}


class Phrase(msgspec.Struct, frozen=True, omit_defaults=True):
    """A sentence by its code, or a list by the code of what stands between its parts."""

    code: str
    values: dict[str, "str | int | Phrase"] = {}
    parts: tuple["str | int | Phrase", ...] = ()


def phrase(code: str, **values: str | int | Phrase) -> Phrase:
    return Phrase(code, values)


def of(event: object, sentences: Mapping[str, str], **values: str | int | Phrase) -> Phrase:
    """The sentence of an event's class; a gap without a value is filled by the field of its name."""
    code = type(event).__name__
    gaps = gaps_of(sentences[code])
    return Phrase(code, {name: values[name] if name in values else getattr(event, name) for name in gaps})


def part(condition: object, code: str, **values: str | int | Phrase) -> str | Phrase:
    """A part of a sentence that is not always there."""
    return Phrase(code, values) if condition else ""


def either(usual: Phrase, condition: object, code: str) -> Phrase:
    """Another sentence with the same values, where something holds."""
    return Phrase(code, usual.values) if condition else usual


def listed(parts: Iterable[str | int | Phrase], by: str = "comma", empty: str = "nothing") -> Phrase:
    """With commas, semicolons, an `and` before the last or between all, spaces, or joined as they are."""
    found = tuple(parts)
    return Phrase(f"list_{by}", parts=found) if found else Phrase(empty)


def with_clause(told: Phrase, clause: str | None) -> Phrase:
    return phrase("by_clause", told=told, clause=clause) if clause else told


def in_english(told: str | int | Phrase, sentences: Mapping[str, str], name: str = "") -> str:
    if isinstance(told, Phrase):
        return _list(told, sentences) if told.code in _BETWEEN else _filled(told, sentences)
    if isinstance(told, str):
        return told
    if name in _SIGNED:
        return write_net(told)
    if name.endswith("_ms"):
        return write_time(told)
    return write_amount(told) if name.endswith("cents") else str(told)


@lru_cache(maxsize=1024)
def gaps_of(sentence: str) -> tuple[str, ...]:
    return tuple(_GAP.findall(sentence))


def _filled(told: Phrase, sentences: Mapping[str, str]) -> str:
    sentence = sentences[told.code] if told.code in sentences else SHARED[told.code]
    shown = {name: in_english(told.values[name], sentences, name) for name in gaps_of(sentence)}
    return sentence.format_map(shown)


def _list(told: Phrase, sentences: Mapping[str, str]) -> str:
    *most, last = [in_english(part, sentences) for part in told.parts]
    between = _BETWEEN[told.code]
    if told.code == "list_and":
        return f"{', '.join(most)}{between}{last}" if most else last
    return between.join([*most, last])
