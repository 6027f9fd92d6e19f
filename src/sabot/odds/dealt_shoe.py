"""The odds before each coup of a shoe that is dealt, for whoever has seen every card that was shown."""

from collections.abc import Iterator, Sequence

import msgspec

from sabot.odds.composition import Composition
from sabot.rules.cards import Card
from sabot.rules.rule_set import Shoe
from sabot.rules.shoe import Burned, Dealt, deal_shoe


class Before(msgspec.Struct, frozen=True):
    """A coup, and what the shoe may hold before it."""

    unseen: Composition
    """The cards that nobody has seen. Burned unseen, behind the cutting card or next to come: they are exchangeable,
    so the next coup is dealt from all of them alike.
    """
    dealt: Dealt


def before_each_coup(cards: Sequence[Card], rules: Shoe, burned: Burned, behind_cutting_card: int) -> Iterator[Before]:
    unseen = Composition.of(cards)
    if burned.shown is not None:
        unseen = unseen.without([burned.shown])
    for dealt in deal_shoe(cards, rules, len(burned.cards), behind_cutting_card):
        yield Before(unseen, dealt)
        unseen = unseen.without(dealt.coup.cards)
