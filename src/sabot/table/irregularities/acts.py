"""What went wrong with the cards, and which lawful way out is taken."""

from typing import Literal

from sabot.table.act import Command


class StateFact(Command, frozen=True, kw_only=True, tag="fact"):
    """State what physically happened; the answer lists the lawful resolutions."""

    kind: str
    cards: tuple[str, ...] = ()
    """Cards that are out and not yet entered, in the order in which they came."""
    hand: Literal["player", "banker"] | None = None
    """The hand that they were laid on."""
    reconstructible: bool | None = None
    order_known: bool | None = None


class Resolve(Command, frozen=True, kw_only=True, tag="resolve"):
    """Choose one of the resolutions of the fact that was stated last."""

    id: str


class WithdrawFact(Command, frozen=True, kw_only=True, tag="withdraw_fact"):
    """Take back a fact that was stated by mistake, before it is resolved."""


IrregularityAct = StateFact | Resolve | WithdrawFact
