"""The one exception for wrong input."""

from collections.abc import Callable
from typing import Any

import msgspec


class Mistake(ValueError):
    """Wrong input, described in one sentence for a person. Nothing has been changed."""


UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError)
"""What decoding raises for bytes that are not what they should be: not JSON, of another type, or not UTF-8."""


def told_of(error: msgspec.ValidationError, kind: Any = None, written: object = None) -> str:
    """A wrong value in one sentence: its place, then the reason. `kind` is the type wanted, `written` the input."""
    place, reason = place_and_reason(error, kind, written)
    return f"{place}: {reason}" if place else reason


def place_and_reason(
    error: msgspec.ValidationError,
    kind: Any = None,
    written: object = None,
    read: Callable[[type, Any], Any] | None = None,
) -> tuple[str, str]:
    """Where the wrong value stands, and what is wrong with it; `read` reads the types that msgspec does not know."""
    from sabot.basics import wrong_value  # noqa: PLC0415  For a mistake alone.

    return wrong_value.place_and_reason(error, kind, written, read)
