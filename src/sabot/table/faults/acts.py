"""Faults of a station or of the game system."""

from typing import Literal

from sabot.basics.act import Act
from sabot.basics.bounds import AmountSaid, CountSaid, NameSaid, TextSaid, TimeSaid, TimeTold
from sabot.rules.rule_set import Bet


class Fault(Act, frozen=True, kw_only=True):
    """A station has failed."""

    station: NameSaid
    fault: TextSaid = "malfunction"
    failed_ms: TimeSaid | None = None
    """When it failed; now unless given. A supervisor signs for a time in the past."""


class Malfunction(Act, frozen=True, kw_only=True):
    """The game system other than a station has failed."""

    fault: TextSaid = "malfunction"
    failed_ms: TimeSaid | None = None
    """When it failed, as for a station."""


class Restart(Act, frozen=True, kw_only=True):
    """The game system has come back after a failure."""

    last_sign_ms: TimeTold
    """The last durable sign of life before it failed."""
    keeps: CountSaid = 0
    """How many of the newest coups the state keeps from now on."""


WatchedClock = Literal["journal", "machine"]
"""The clock of the leases, by which the owner's signs of life are dated, or the clock of the machine that serves."""


class ClockJump(Act, frozen=True, kw_only=True):
    """A clock was put forward or back, as a clock that only counts on shows."""

    clock: WatchedClock
    by_ms: AmountSaid
    """How far, negative where it was put back."""


class Seen(Act, frozen=True, kw_only=True):
    """A station tells what it shows of its wagers, after the close or when it is back from a failure."""

    station: NameSaid = ""
    wagers: dict[Bet, AmountSaid]
    accepted: bool = True
    """Whether it shows them as accepted, so that its acknowledgement had reached it."""
    coup: CountSaid | None = None
    """The coup under way unless given, or the newest one in which the station failed."""


class ConfirmRecords(Act, frozen=True, kw_only=True):
    station: NameSaid = ""
    """A station that failed, or nothing for the whole table after a failure of the game system."""
    coup: CountSaid | None = None
    """The newest coup in which the station failed, unless given."""


class CannotConfirm(Act, frozen=True, kw_only=True):
    """The records do not confirm a station's wagers, since the station shows others."""

    station: NameSaid
    reason: TextSaid = ""
    coup: CountSaid | None = None
    """The newest coup in which the station failed, unless given."""


FaultAct = Fault | Malfunction | Seen | ConfirmRecords | CannotConfirm
