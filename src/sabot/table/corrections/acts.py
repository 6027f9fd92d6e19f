"""Putting right what was settled on a wrong outcome."""

from typing import Literal

from sabot.table.act import Command


class Freeze(Command, frozen=True, kw_only=True, tag="freeze"):
    """Freeze all accounts of this table, because a wrong outcome was entered."""


class Correct(Command, frozen=True, kw_only=True, tag="correct"):
    """State the true cards of a coup, in shoe order."""

    coup: int
    cards: tuple[str, ...]


class Recalculate(Command, frozen=True, kw_only=True, tag="recalculate"):
    """Settle the corrected coup again and adjust the accounts."""


class Unfreeze(Command, frozen=True, kw_only=True, tag="unfreeze"):
    """Let play go on; the countdown resumes with what was left of it."""


class Invalidate(Command, frozen=True, kw_only=True, tag="invalidate"):
    """Make a coup count for nothing and refund its wagers."""

    coup: int
    cause: Literal["malfunction", "commotion", "fraud"]
    reason: str


class Waive(Command, frozen=True, kw_only=True, tag="waive"):
    """Give up what a station's patron owes after a correction."""

    station: str
    reason: str


class PayPayable(Command, frozen=True, kw_only=True, tag="pay_payable"):
    """Pay a patron who has left what a correction found for him since."""

    station: str
    control: int | None = None
    """The control session it is for; it may be left out where only one has something waiting."""


CorrectionAct = Freeze | Correct | Recalculate | Unfreeze | Invalidate | Waive | PayPayable
