"""Faults of a station or of the game system."""

from sabot.basics.act import Act
from sabot.rules.rule_set import Bet


class Fault(Act, frozen=True, kw_only=True):
    """A station has failed."""

    station: str
    fault: str = "malfunction"


class Restart(Act, frozen=True, kw_only=True):
    """The game system has come back after a failure."""

    last_sign_ms: int
    """The last durable sign of life before it failed."""


class Seen(Act, frozen=True, kw_only=True):
    """A station tells what it shows of its wagers, after the close or when it is back from a failure."""

    station: str = ""
    wagers: dict[Bet, int]
    accepted: bool = True
    """Whether it shows them as accepted, so that its acknowledgement had reached it."""


class ConfirmRecords(Act, frozen=True, kw_only=True):
    station: str = ""
    """A station that failed, or nothing for the whole table after a restart."""


class CannotConfirm(Act, frozen=True, kw_only=True):
    station: str


FaultAct = Fault | Seen | ConfirmRecords | CannotConfirm
