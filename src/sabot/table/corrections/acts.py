"""Putting right what was settled on a wrong outcome."""

from typing import Literal

from sabot.basics.act import Act


class Freeze(Act, frozen=True, kw_only=True):
    """Freeze all accounts of this table, because a wrong outcome was entered."""


class Correct(Act, frozen=True, kw_only=True):
    """State the true cards of a coup, in shoe order."""

    coup: int
    cards: tuple[str, ...]


class Recalculate(Act, frozen=True, kw_only=True):
    """Settle the corrected coup again and adjust the accounts."""


class Unfreeze(Act, frozen=True, kw_only=True):
    """Let play go on; the countdown resumes with what was left of it."""


class Invalidate(Act, frozen=True, kw_only=True):
    """Make a coup count for nothing and refund its wagers."""

    coup: int
    cause: Literal["malfunction", "commotion", "fraud"]
    reason: str


class Waive(Act, frozen=True, kw_only=True):
    """Give up what a station's patron owes after a correction."""

    station: str
    reason: str


class PayPayable(Act, frozen=True, kw_only=True):
    """Pay a patron who has left what a correction has found since."""

    station: str
    control: int | None = None
    """The control session it is for; it may be left out where only one has something waiting."""


CorrectionAct = Freeze | Correct | Recalculate | Unfreeze | Invalidate | Waive | PayPayable
