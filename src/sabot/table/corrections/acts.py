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


class CorrectBuyIn(Act, frozen=True, kw_only=True):
    """Put right a buy-in that the dealer keyed wrong: its amount, its tender or its station."""

    station: str
    """The station that was credited."""
    cents: int
    """What was keyed."""
    true_cents: int
    """What was tendered; 0 where nothing was."""
    reason: str
    tender: str = ""
    """The tender that was keyed; any unless given."""
    true_tender: str = ""
    """The tender that it was, where another one was keyed."""
    true_station: str = ""
    """The station that it was for, where another one was credited."""
    control: int | None = None
    """The control session it belongs to, where the patron has left and several come into question."""
    rest_owed: bool = False
    """Whether the patron owes what is no longer in the account."""


CorrectionAct = Freeze | Correct | Recalculate | Unfreeze | Invalidate | Waive | PayPayable | CorrectBuyIn
