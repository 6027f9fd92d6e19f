"""What a table's state has of a patron's own play and limits, and of calls for an attendant."""

import enum
from collections.abc import Mapping

import msgspec

MINUTE_MS = 60_000


class OwnLimitKind(enum.StrEnum):
    LOSS = "loss"
    """Cents that may be lost in the stay."""
    WAGER = "wager"
    """Cents on all bets together in one coup."""
    TIME = "time"
    """Minutes from the beginning of the stay."""


class OwnLimit(msgspec.Struct, frozen=True, gc=False):
    """A limit that a patron has set; a raise of it waits for its time."""

    most: int
    """In cents, or in minutes for the time; 0 where there was none."""
    then: int = 0
    """What it becomes; 0 where it is removed."""
    from_ms: int = 0
    """When that takes effect; 0 where nothing waits."""

    def at(self, at_ms: int) -> int:
        """What holds at this time; 0 is no limit."""
        return self.then if self.is_raised(at_ms) else self.most

    def is_raised(self, at_ms: int) -> bool:
        return 0 < self.from_ms <= at_ms


class Care(msgspec.Struct, frozen=True, gc=False):
    """A patron's play in this stay as it was last settled, and what the patron has set for it."""

    coups: int = 0
    staked: int = 0
    won: int = 0
    """What winning wagers paid beside their stakes, after commission."""
    lost: int = 0
    """The stakes of losing wagers."""
    limits: Mapping[OwnLimitKind, OwnLimit] = {}
    break_until_ms: int = 0
    checked_ms: int = 0
    """When the patron last acknowledged a check of time and money."""
    lost_before: int = 0
    """What was lost in earlier stays whose limits go on in this one."""
    since_ms: int | None = None
    """When the first of these stays began, from which a limit of time counts; None where nothing goes on."""


NO_CARE = Care()


class LeftCare(msgspec.Struct, frozen=True, gc=False):
    """What a patron who has left had set, so that it does not end by coming back (G-231)."""

    station: str
    """Where the stay ended, until another patron has had the station."""
    patron: str
    day: str
    """The date of the gaming day that had ended last."""
    limits: Mapping[OwnLimitKind, OwnLimit]
    break_until_ms: int
    lost: int
    since_ms: int


class AttendantCall(msgspec.Struct, frozen=True, gc=False):
    """A station has called for an attendant, who may be on the way."""

    since_ms: int
    answered_by: str = ""
