"""Cards that have left the shoe and are no hand's."""

from sabot.rules.cards import CARDS
from sabot.rules.coup import next_card, read_in_shoe_order
from sabot.table.events import CardsBurned, CardsCarried, Event
from sabot.table.state import TableState


def burned(state: TableState, cards: tuple[str, ...], clause: str) -> tuple[Event, ...]:
    """Cards that are out and belong to nobody."""
    return tuple(
        CardsBurned(shown=notation, hidden=0, still_due=0, coup=0, left=state.shoe.left - number, clause=clause)
        for number, notation in enumerate(cards, 1)
    )


def cards_of_the_fact(state: TableState, clause: str) -> tuple[Event, ...]:
    """The stated cards are out whatever becomes of the coup.

    Those that were its hands' go with it. Those beyond it wait, or are burned where no dummy coup exists.
    """
    fact = state.fact
    if fact is None or state.coup is None or not fact.cards:
        return ()
    cards = (*state.coup.cards, *(CARDS[notation] for notation in fact.cards))
    beyond = () if next_card(cards) else read_in_shoe_order(cards)[1]
    if not beyond or not state.terms.rule_set.voids.dummy_coup:
        return burned(state, fact.cards, clause)
    own = fact.cards[: len(fact.cards) - len(beyond)]
    left = fact.cards[len(own) :]
    return (*burned(state, own, clause), CardsCarried(cards=left, first=fact.entered, clause=clause))
