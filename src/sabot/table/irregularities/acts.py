"""What went wrong with the cards, and which lawful way out is taken."""

from sabot.basics.act import Act
from sabot.basics.bounds import CountSaid, NameSaid, TextSaid
from sabot.rules.hand import Side


class Fact(Act, frozen=True, kw_only=True):
    """State what physically happened; the answer lists the lawful resolutions."""

    kind: NameSaid
    cards: tuple[NameSaid, ...] = ()
    """Cards that are out and not yet entered, in the order in which they came."""
    hand: Side | None = None
    """The hand that they were laid on."""
    reconstructible: bool | None = None
    order_known: bool | None = None
    count: CountSaid | None = None
    """How many: of a missed burn the cards that were not burned, of too few cards those that are still in the shoe."""


class Resolve(Act, frozen=True, kw_only=True):
    """Choose one of the resolutions of the fact that was stated last."""

    id: NameSaid


class WithdrawFact(Act, frozen=True, kw_only=True):
    """Take back a fact that was stated by mistake, before it is resolved."""

    reason: TextSaid = ""


class Unresolve(Act, frozen=True, kw_only=True):
    """Take back a resolution that was chosen by mistake, while nothing has happened since."""

    reason: TextSaid = ""


IrregularityAct = Fact | Resolve | WithdrawFact | Unresolve
