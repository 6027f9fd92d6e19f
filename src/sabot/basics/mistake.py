"""The one exception for wrong input."""

import msgspec


class Mistake(ValueError):
    """Wrong input, described in one sentence for a person. Nothing has been changed."""


UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError)
"""What decoding raises for bytes that are not what they should be: not JSON, of another type, or not UTF-8."""


def told_of(error: msgspec.ValidationError) -> str:
    """A type error as a sentence for people: the place first, then the reason."""
    reason, _, path = str(error).partition(" - at ")
    place = path.removeprefix("`key` in ").strip("`$.")
    return f"{place}: {reason}" if path else reason
