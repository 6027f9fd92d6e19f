"""Faults of a station or of the game system."""

from sabot.rules.rule_set import Bet
from sabot.table.act import Command


class ReportFault(Command, frozen=True, kw_only=True, tag="fault"):
    """A station has failed."""

    station: str
    fault: str = "malfunction"


class Restart(Command, frozen=True, kw_only=True, tag="restart"):
    """The game system has come back after a failure."""

    last_sign_ms: int
    """The last durable sign of life before it failed."""


class TellWhatIsShown(Command, frozen=True, kw_only=True, tag="seen"):
    """A station tells what it shows of its wagers, after the close or when it is back from a failure."""

    station: str
    wagers: dict[Bet, int]
    accepted: bool = True
    """Whether it shows them as accepted, so that its acknowledgement had reached it."""


class ConfirmRecords(Command, frozen=True, kw_only=True, tag="confirm_records"):
    station: str = ""
    """A station that failed, or nothing for the whole table after a restart."""


class CannotConfirm(Command, frozen=True, kw_only=True, tag="cannot_confirm"):
    station: str


FaultAct = ReportFault | Restart | TellWhatIsShown | ConfirmRecords | CannotConfirm
