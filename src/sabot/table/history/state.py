"""How far the past has fallen out of a table's state."""

import msgspec

KEPT_COUPS = 104
"""How many of the newest coups a table's state keeps.

It is as many as a shoe of eight decks can have, four cards each, so that the roads of the shoe follow from the state.
"""


class Fallen(msgspec.Struct, frozen=True, gc=False):
    """What is no longer in the state; beyond these numbers everything still is, or never was."""

    coup: int = 0
    """The newest coup that may have fallen out."""
    at_ms: int = 0
    """When the newest of those that did was settled."""
    control: int = 0
    """The newest control session that may have fallen out."""
    buy_ins: int = 0
    """How many buy-ins have fallen out; one that was brought back and fell again counts again, as below."""
    tickets: int = 0
    slips: int = 0
    sittings: int = 0
