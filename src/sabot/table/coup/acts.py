"""A coup, from the opening of the wagering to the confirmed result."""

from sabot.basics.act import Act
from sabot.basics.bounds import CountSaid, LongTextSaid, NameSaid, TextSaid


class Open(Act, frozen=True, kw_only=True):
    """Open the wagering of a coup."""


class Close(Act, frozen=True, kw_only=True):
    """Close the wagering before its time is up."""


class Tick(Act, frozen=True, kw_only=True):
    """Time passes; the wagering closes when its time is up."""


class FaceUp(Act, frozen=True, kw_only=True):
    """Choose whether cards are dealt face up, or face down and turned."""

    up: bool


class Card(Act, frozen=True, kw_only=True):
    """Enter the card that left the shoe; under CROWN the first one closes the wagering (8.1(c))."""

    card: NameSaid
    proof: LongTextSaid = ""
    """That the card is the next one of a virtual shoe's committed order."""


class Amend(Act, frozen=True, kw_only=True):
    """Correct an entry of the coup before the result is confirmed."""

    card: NameSaid
    place: CountSaid | None = None
    """Which entry, counted from 1 in the order of the shoe; the last one if none is named."""
    reason: TextSaid = ""
    """Why; it is due for an entry before the last."""


class TakeBackCard(Act, frozen=True, kw_only=True):
    """Take back an entry of a card that never left the shoe."""

    place: CountSaid | None = None
    """Which entry, counted from 1 in the order of the shoe; the last one if none is named."""
    reason: TextSaid = ""


class Confirm(Act, frozen=True, kw_only=True):
    """Confirm the result, which settles the coup."""


class Void(Act, frozen=True, kw_only=True):
    """Void a coup that nobody wagered on, before any card."""


CoupAct = Open | Close | FaceUp | Card | Amend | TakeBackCard | Confirm | Void
