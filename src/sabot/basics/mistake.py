"""The one exception for input that cannot be what its author meant."""

import msgspec


class Mistake(ValueError):
    """Says in one sentence, to a person, what is wrong with the input; nothing has been changed."""


def told_of(error: msgspec.ValidationError) -> str:
    """What does not fit a type, in the words of people: the place first, then the reason."""
    reason, _, path = str(error).partition(" - at ")
    return f"{path.strip('`$.')}: {reason}" if path else reason
