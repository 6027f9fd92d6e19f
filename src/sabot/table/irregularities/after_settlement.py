"""What was noticed after the settlement, and before the next coup: nothing is settled again, and no card is lost."""

from collections.abc import Iterator

from sabot.rules.hand import Side
from sabot.rules.rule_set import Irregularity
from sabot.table.corrections.deciding import settled_last
from sabot.table.coup.deciding import dummy_for_cards_left_over
from sabot.table.events import CardsCarried
from sabot.table.evolve import fold
from sabot.table.irregularities.cards_out import burned
from sabot.table.irregularities.way import Way
from sabot.table.phase import Phase
from sabot.table.role import Role
from sabot.table.state import Stage, StatedFact, TableState


def left_after_settlement(state: TableState, fact: StatedFact, by: Role, left: str | None = None) -> Iterator[Way]:
    """The coup is settled as it stands: the card that was drawn beyond it opens a dummy coup at once (G-164)."""
    if not fact.cards:
        return
    waiting_by, names = left or waits_by(fact, dealt=False), " ".join(fact.cards)
    carried = (CardsCarried(cards=fact.cards, clause=waiting_by),)
    if is_last(state):
        text = f"The coup is settled; it was the last one, so {names} goes out."
        yield Way("settle", "G-72", text, carried, by)
        return
    events = (*carried, *dummy_for_cards_left_over(fold(carried, state), "", 0))
    yield Way("settle_then_dummy", waiting_by, f"The coup is settled; {names} opens a dummy coup.", events, by)


def waits_by(fact: StatedFact, *, dealt: bool) -> str:
    """By which clause a card that falls to nobody opens a dummy coup; after one that Banker took it was Banker's."""
    return "CROWN 11.7.2" if fact.hand is Side.BANKER or dealt else "CROWN 11.7.1(b)"


def after_a_coup(state: TableState) -> bool:
    """A coup is over and no other has begun; cards that a virtual shoe's commitment proves are as they should be."""
    between = state.phase is Phase.BETWEEN_COUPS and state.shoe.stage in (Stage.IN_PLAY, Stage.SPENT)
    return between and state.shoe.coups_dealt > 0 and not state.shoe.commitment


def is_last(state: TableState) -> bool:
    """Whether no coup follows in this shoe."""
    return state.shoe.stage is Stage.SPENT or state.shoe.last_coup == state.coups


def extra_after_settlement(state: TableState, fact: StatedFact, rules: Irregularity) -> Iterator[Way]:
    """The cards of the settled coup are known, so its result stands; the others follow from the rules (G-82, G-164)."""
    if rules.effect != "void":
        if after_a_coup(state):
            yield from left_after_settlement(state, fact, Role.CASINO_SUPERVISOR, left="G-71")
        return
    told = bool(fact.cards) or fact.reconstructible is True
    if fact.reconstructible is False or not told or settled_last(state) is None:
        return
    events = burned(state, fact.cards, "G-82")
    also = f", and {' '.join(fact.cards)} is burned" if fact.cards else ""
    text = f"The cards are as they were settled: the result stands{also}."
    yield Way("in_shoe_order", "G-82", text, events, Role.GAME_SUPERVISOR)
