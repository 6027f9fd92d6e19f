"""Cards that have left the shoe and are no hand's."""

from msgspec.structs import replace

from sabot.rules.cards import CARDS
from sabot.rules.coup import next_card, read_in_shoe_order
from sabot.rules.rule_set import IrregularityName
from sabot.table import acts
from sabot.table.events import CardsBurned, CardsCarried, Event
from sabot.table.no import No
from sabot.table.refusal import Cause
from sabot.table.shoe.deciding import check_possible_together
from sabot.table.state import ShoeState, TableState


def burned(state: TableState, cards: tuple[str, ...], clause: str) -> tuple[Event, ...]:
    """Cards that are out and belong to nobody; those that waited have left the shoe before."""
    waited = that_waited(state, cards)
    return tuple(
        CardsBurned(
            shown=notation,
            hidden=0,
            still_due=state.shoe.burns_due,
            coup=0,
            left=state.shoe.left - max(0, number - waited),
            carried=number <= waited,
            clause=clause,
        )
        for number, notation in enumerate(cards, 1)
    )


def that_waited(state: TableState, cards: tuple[str, ...]) -> int:
    """How many of the stated cards, from the first on, are those that wait.

    A card that a hand is due is the first that waits; any further card is drawn from the shoe (CROWN 11.2).
    """
    if state.coup is None:
        return 0
    held, due = state.coup.cards, 0
    for notation in cards:
        if next_card(held) is None:
            break
        held, due = (*held, CARDS[notation]), due + 1
    return min(due, len(state.shoe.carried))


def check_stated(state: TableState, act: acts.Fact) -> None:
    """The stated cards can be out: a known card that waits comes first where one is due, and no other is too many."""
    foreign = act.kind == IrregularityName.FOREIGN_CARD
    check_possible_together(replace(state, shoe=ShoeState()), act.cards)
    shoe, waited = state.shoe, that_waited(state, act.cards)
    known = [notation for notation in shoe.carried[:waited] if notation is not None]
    if not foreign:
        check_possible_together(state, act.cards, taken_back=known)
    first = shoe.carried[0] if waited else None
    if first is not None and CARDS[act.cards[0]].notation != first:
        raise No(Cause.FORCED_CARD, card=first)
    if not foreign and len(act.cards) - waited > max(0, shoe.left):
        raise shoe_empty(state)


def shoe_empty(state: TableState) -> No:
    return No(Cause.SHOE_EMPTY, clause=state.terms.rule_set.irregularities[IrregularityName.NOT_ENOUGH_CARDS].clause)


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
