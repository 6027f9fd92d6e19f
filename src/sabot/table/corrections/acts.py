"""Putting right what was settled on a wrong outcome."""

from typing import Literal

from sabot.basics.act import Act
from sabot.basics.bounds import AmountSaid, CountSaid, NameSaid, TextSaid


class Freeze(Act, frozen=True, kw_only=True):
    """Freeze all accounts of this table, because a wrong outcome was entered."""


class Correct(Act, frozen=True, kw_only=True):
    """State the true cards of a coup, in shoe order."""

    coup: CountSaid
    cards: tuple[NameSaid, ...]


class Recalculate(Act, frozen=True, kw_only=True):
    """Settle the corrected coup again and adjust the accounts."""


class Unfreeze(Act, frozen=True, kw_only=True):
    """Let play go on; the countdown resumes with what was left of it."""


class Invalidate(Act, frozen=True, kw_only=True):
    """Make a coup count for nothing and refund its wagers."""

    coup: CountSaid
    cause: Literal["malfunction", "commotion", "fraud"]
    reason: TextSaid


class Waive(Act, frozen=True, kw_only=True):
    """Give up what a station's patron owes after a correction."""

    station: NameSaid
    reason: TextSaid


class PayPayable(Act, frozen=True, kw_only=True):
    """Pay a patron who has left what a correction has found since."""

    station: NameSaid
    control: CountSaid | None = None
    """The control session it is for; it may be left out where only one has something waiting."""


class CorrectBuyIn(Act, frozen=True, kw_only=True):
    """Put right a buy-in that the dealer keyed wrong: its amount, its tender or its station."""

    station: NameSaid
    """The station that was credited."""
    cents: AmountSaid
    """What was keyed."""
    true_cents: AmountSaid
    """What was tendered; 0 where nothing was."""
    reason: TextSaid
    tender: NameSaid = ""
    """The tender that was keyed; any unless given."""
    true_tender: NameSaid = ""
    """The tender that it was, where another one was keyed."""
    true_station: NameSaid = ""
    """The station that it was for, where another one was credited."""
    control: CountSaid | None = None
    """The control session it belongs to, where the patron has left and several come into question."""
    rest_owed: bool = False
    """Whether the patron owes what is no longer in the account."""


CorrectionAct = Freeze | Correct | Recalculate | Unfreeze | Invalidate | Waive | PayPayable | CorrectBuyIn
