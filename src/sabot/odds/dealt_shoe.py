"""The unseen cards before each coup of a dealt shoe, from which the odds of the coup are computed."""

from collections.abc import Iterator, Sequence

import msgspec

from sabot.odds.composition import Composition
from sabot.rules.cards import Card
from sabot.rules.rule_set import ShoeProcedure
from sabot.rules.shoe import Burned, Dealt, deal_shoe


class CoupAhead(msgspec.Struct, frozen=True):
    """A coup, and the cards unseen before it."""

    unseen: Composition
    """All cards not shown so far: burned face down, behind the cutting card or still to come. They are exchangeable, so
    the odds of the coup are those of a coup dealt from all of them.
    """
    dealt: Dealt


def before_each_coup(
    cards: Sequence[Card], rules: ShoeProcedure, burned: Burned, behind_cutting_card: int
) -> Iterator[CoupAhead]:
    unseen = Composition.of(cards)
    if burned.shown is not None:
        unseen = unseen.without([burned.shown])
    for dealt in deal_shoe(cards, rules, len(burned.cards), behind_cutting_card):
        yield CoupAhead(unseen, dealt)
        unseen = unseen.without(dealt.coup.cards)
