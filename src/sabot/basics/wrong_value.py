"""What is wrong with a value that was written or sent, in words for a person, with its place.

msgspec names types and patterns, and leaves out which entry of a group it means. Here a pattern is said in words, a
word that is not known stands beside those that are, and the entry is found.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

FORMS = {
    r"^([01][0-9]|2[0-3]):[0-5][0-9]$": "a time of day is written with four digits, such as 06:00",
    r"^[^\s].{0,79}$": "a name has 1 to 80 letters in one line and does not begin with a blank",
    r"^[A-Za-z][A-Za-z0-9_-]{0,19}$": "a name has 1 to 20 letters, digits, hyphens and underscores, a letter first",
    r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,39}$": "a name has 1 to 40 letters, digits, hyphens, dots and underscores",
    r"^[a-z][a-z_]{0,19}$": "a word has 1 to 20 small letters and underscores",
    r"^[a-z][a-z0-9]*([_-][a-z0-9]+)*$": "a name has small letters and digits, and single hyphens or underscores",
    r"^[a-z][a-z0-9-]{0,39}$": "a name has 1 to 40 small letters, digits and hyphens, a letter first",
    r"^[A-Z]{3}$": "a currency has three capital letters, such as AUD",
    r"^[A-Z]?$": "a layout is one capital letter, or nothing",
    r"^[A-Z]+$": "these are capital letters, such as ABC",
    r"^A[1-4]$": "a station of a lesson is A1, A2, A3 or A4",
    r"^(before|wagering|closed|card [1-6]|settled)$": "it is before, wagering, closed, settled, or card 1 to card 6",
    r"^(\d{4}-\d{2}-\d{2})?$": "a day is written such as 2026-01-31",
    r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}$": "a local time is written such as 2026-01-31T19:30",
    r"^[A-Z][A-Z0-9-]{0,19}$": "a tournament has 1 to 20 capital letters, digits and hyphens, a letter first",
    r"^[A-Z][A-Z0-9-]{0,19}-[0-9]{6,}$": "the number of a slip is written such as SPRING-000001",
    r"^(taken|paid|forfeited|expired|cancelled)$": "a slip ends as taken, paid, forfeited, expired or cancelled",
    r"^[0-9]-[0-9]$": "a range is two digits with a hyphen, such as 4-6",
    r"^[A-Za-z_]+(/[A-Za-z_+-]+)*$": "a time zone is written such as Australia/Melbourne",
}
"""Every pattern of a type, and what it means."""
_TYPES = {
    "int": "a whole number",
    "float": "a number with a point",
    "str": "text in quotation marks",
    "bool": "true or false",
    "array": "a list",
    "object": "a group of keys",
    "null": "nothing",
}
_STEP = re.compile(r"\.([^.\[]+)|\[(\d+|\.\.\.)\]")
_Steps = tuple[str | int, ...]


def place_and_reason(
    error: msgspec.ValidationError, kind: Any, written: object, read: Callable[[type, Any], Any] | None
) -> tuple[str, str]:
    said, _, path = str(error).partition(" - at ")
    is_key, steps = path.startswith("`key` in "), _steps(path)
    found = _named(str(error), lambda one: msgspec.convert(one, kind, dec_hook=read), written, steps, is_key=is_key)
    return _place(found), _reason(said, _types_at(kind, steps, is_key=is_key))


def _steps(path: str) -> _Steps:
    return tuple(name or (nth if nth == "..." else int(nth)) for name, nth in _STEP.findall(path.rstrip("`")))


def _place(steps: _Steps) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) or step == "..." else f".{step}" for step in steps).lstrip(".")


def _named(said: str, convert: Callable[[object], object], written: object, steps: _Steps, *, is_key: bool) -> _Steps:
    """The steps with the name of each entry in place of its gap, as far as it can be found."""
    for place in [place for place, step in enumerate(steps) if step == "..."] + [len(steps)] * is_key:
        group = _at(written, steps[:place])
        for name in group if isinstance(group, Mapping) else ():
            try:
                convert(_only(written, steps[:place], name))
            except msgspec.ValidationError as again:
                if str(again) == said:
                    steps = (*steps[:place], name, *steps[place + 1 :])
                    break
    return steps


def _at(written: object, steps: _Steps) -> object:
    for step in steps:
        if isinstance(written, Mapping):
            written = written.get(step)
        else:
            written = written[step] if isinstance(written, list) and isinstance(step, int) else None
    return written


def _only(written: Any, steps: _Steps, name: str) -> Any:
    """The input with one entry alone in the group at the end of the steps."""
    if not steps:
        return {name: written[name]}
    first, *rest = steps
    within = _only(written[first], tuple(rest), name)
    if isinstance(written, list):
        return [within if place == first else one for place, one in enumerate(written)]
    return {**written, first: within}


def _types_at(kind: Any, steps: _Steps, *, is_key: bool) -> list[Any]:
    """The types that may stand at the end of the steps, as msgspec describes them."""
    if kind is None:
        return []
    import msgspec.inspect as i  # noqa: PLC0415  For a mistake alone.

    kinds = list(_alternatives(i.type_info(kind)))
    for step in steps:
        kinds = [alternative for one in kinds for within in _within(one, step) for alternative in _alternatives(within)]
    return [one.key_type for one in kinds if isinstance(one, i.DictType)] if is_key else kinds


def _alternatives(kind: Any) -> Iterator[Any]:
    for one in getattr(kind, "types", (kind,)):
        yield getattr(one, "type", one) if type(one).__name__ == "Metadata" else one


def _within(kind: Any, step: str | int) -> Iterator[Any]:
    for name in ("item_type", "value_type"):
        if step == "..." or isinstance(step, int):
            yield from filter(None, (getattr(kind, name, None),))
    yield from (field.type for field in getattr(kind, "fields", ()) if field.encode_name == step)


def _reason(said: str, kinds: list[Any]) -> str:
    for form, words in _REASONS:
        if found := form.fullmatch(said):
            return words(found, kinds)
    return said


def _form(found: re.Match[str], _kinds: list[Any]) -> str:
    return next((words for pattern, words in FORMS.items() if repr(pattern) == found[1]), "it is not written so")


def _word(found: re.Match[str], kinds: list[Any]) -> str:
    known = [str(word) for one in kinds for word in _words(one)]
    return f"{found[1]} is none of {', '.join(known)}" if known else f"{found[1]} is not a word that may stand here"


def _key(found: re.Match[str], kinds: list[Any]) -> str:
    import difflib  # noqa: PLC0415  For a mistake alone.

    known = [field.encode_name for one in kinds for field in getattr(one, "fields", ())]
    near = difflib.get_close_matches(found[1], known, n=1)
    return f"there is no key {found[1]}" + (f"; did you mean {near[0]}?" if near else "")


def _length(found: re.Match[str], _kinds: list[Any]) -> str:
    return f"it has {_MOST[found[2]]} {found[3]} {'characters' if found[1] == 'str' else 'entries'}"


def _bound(found: re.Match[str], _kinds: list[Any]) -> str:
    what = "a whole number" if found[1] == "int" else "a number"
    return f"{what} of {_MOST[found[2]]} {found[3].removesuffix('.0')} is wanted"


def _type(found: re.Match[str], _kinds: list[Any]) -> str:
    wanted = " or ".join(_TYPES.get(one, one) for one in found[1].split(" | ") if one != "null")
    return f"{wanted} is wanted, not {_TYPES.get(found[2], found[2])}"


_MOST = {">=": "at least", "<=": "at most"}
_REASONS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], list[Any]], str]], ...] = (
    (re.compile(r"Expected `str` matching regex (.*)"), _form),
    (re.compile(r"Invalid enum value (.*)"), _word),
    (re.compile(r"Object contains unknown field `(.*)`"), _key),
    (re.compile(r"Object missing required field `(.*)`"), lambda found, _: f"the key {found[1]} is missing"),
    (re.compile(r"Expected `(\w+)` of length (>=|<=) (\d+)"), _length),
    (re.compile(r"Expected `(\w+)` (>=|<=) (\S+)"), _bound),
    (re.compile(r"Expected `([a-z |]+)`, got `([a-z]+)`"), _type),
)
"""What msgspec says, and how it is said here."""


def _words(kind: Any) -> Iterator[Any]:
    """The words that a type knows."""
    if hasattr(kind, "values"):
        yield from kind.values
    elif type(kind).__name__ == "EnumType":
        yield from (one.value for one in kind.cls)
