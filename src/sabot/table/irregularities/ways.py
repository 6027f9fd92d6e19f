"""The lawful ways on for each kind of fact, by what the rule set says about it.

No card is ever skipped or invented: a card that has left the shoe is in a hand, burned, or carried to where it belongs.
"""

from collections.abc import Callable, Iterator

import msgspec

from sabot.rules.cards import CARDS
from sabot.rules.coup import next_card, read_in_shoe_order
from sabot.rules.hand import Side
from sabot.rules.rule_set import Irregularity, IrregularityName
from sabot.table.accounts.deciding import held_for_the_leaving
from sabot.table.corrections.deciding import adjustments_to, settled_last
from sabot.table.coup.deciding import aftermath, dealt_to, declared_dummy, dummy_for_want_of_wagers
from sabot.table.events import CardsBurned, CardsCarried, CardsDoubted, CoupInvalidated, CoupVoided, Event, ShoeEnded
from sabot.table.evolve import fold
from sabot.table.irregularities.after_settlement import (
    after_a_coup,
    extra_after_settlement,
    is_last,
    left_after_settlement,
    waits_by,
)
from sabot.table.irregularities.cards_out import burned
from sabot.table.irregularities.reconstruction import without_burn
from sabot.table.irregularities.way import Way
from sabot.table.phase import Phase
from sabot.table.role import Role
from sabot.table.shoe.deciding import CARDS_OF_A_COUP, LEAST_OF_A_COUP, recounted
from sabot.table.state import Stage, StatedFact, TableState


def _missed_burn(state: TableState, fact: StatedFact, rules: Irregularity) -> Iterator[Way]:
    """The burn was entered and left out, so the shoe holds that many cards more; one that was seen was not missed."""
    unseen = state.shoe.unseen_burns if state.shoe.stage is Stage.IN_PLAY else 0
    missing = unseen if fact.count is None else fact.count
    if not 0 <= missing <= unseen:
        return
    text = "Earlier results stand and play goes on; the missing burn is on record."
    yield Way("note", rules.clause, text, recounted(state, state.shoe.left + missing, rules.clause))
    first = state.terms.rule_set.irregularities.get(IrregularityName.MISSED_BURN_IN_FIRST_COUP)
    if first is None or state.shoe.coups_dealt > 0 or not missing:
        return
    begun = state.coup is not None and bool(state.coup.cards)
    if not begun and state.shoe.out - unseen <= 1:  # Nothing is out but a first card that was shown.
        yield Way("burn_now", first.clause, "No card is out: the burn is made now, as it was entered.")
    elif state.coup is not None and begun and not state.coup.burned:
        again = without_burn(state.coup, missing, first.clause)
        text = f"{again.burned} is burned and the coup starts again with the rest."
        yield Way("reconstruct", first.clause, text, (again,))


def _excess_unseen(state: TableState, fact: StatedFact, rules: Irregularity) -> Iterator[Way]:  # noqa: ARG001
    complete = state.phase is Phase.DEALING and not is_card_due(state)
    if not (complete or after_a_coup(state)) or state.shoe.left <= 0:
        return
    carried = CardsCarried(cards=(None,), clause=rules.clause)
    if rules.unless == "last coup" and is_last(state):
        yield Way("goes_out", "G-72", "It was the last coup: the card goes out with the shoe, on record.", (carried,))
    else:
        yield Way("carry", rules.clause, "The unseen card is the first card of the next coup.", (carried,))


def _wrong_third_card(state: TableState, fact: StatedFact, rules: Irregularity) -> Iterator[Way]:  # noqa: ARG001
    """Read in shoe order; what is left over opens a dummy coup after the settlement (CROWN 11.3, 11.7, G-69)."""
    if after_a_coup(state):
        yield from left_after_settlement(state, fact, Role.DEALER)
    elif state.coup is not None and len(state.coup.cards) >= 4:
        clause = "CROWN 11.3" if fact.hand is Side.BANKER else "CROWN 11.7.1(a)"
        yield from _in_shoe_order(state, fact, clause, Role.DEALER)


def _card_on_wrong_hand(state: TableState, fact: StatedFact, rules: Irregularity) -> Iterator[Way]:
    """In the initial deal too: the order of drawing decides, and nothing is dealt again (G-77)."""
    yield from _in_shoe_order(state, fact, rules.clause if fact.hand is Side.BANKER else "G-77", Role.DEALER)


def _in_shoe_order(
    state: TableState, fact: StatedFact, clause: str, by: Role, left: str | None = None
) -> Iterator[Way]:
    """Each stated card to the hand that was due it; those left over wait for the dummy coup after the settlement."""
    if state.coup is None or state.phase not in (Phase.DEALING, Phase.NO_MORE_BETS) or not fact.cards:
        return
    cards = (*state.coup.cards, *(CARDS[notation] for notation in fact.cards))
    left_over = () if next_card(cards) else read_in_shoe_order(cards)[1]
    used = fact.cards[: len(fact.cards) - len(left_over)]
    dummy = dummy_for_want_of_wagers(state)
    events = (*dummy, *_dealt(fold(dummy, state), used))
    if not left_over:
        yield Way("in_shoe_order", clause, "Each card goes to the hand that was due it.", events, by)
        return
    waiting_by = left or waits_by(fact, dealt=bool(used))
    names = tuple(card.notation for card in left_over)
    carried = CardsCarried(cards=names, first=fact.entered, clause=waiting_by)
    if is_last(state):
        text = f"Settle; it was the last coup, so {' '.join(names)} goes out."
        yield Way("settle", "G-72", text, (*events, carried), by)
    else:
        text = f"Settle on confirmation; {' '.join(names)} then opens a dummy coup."
        yield Way("settle_then_dummy", waiting_by, text, (*events, carried), by)


def _face_up_first(state: TableState, fact: StatedFact, rules: Irregularity) -> Iterator[Way]:
    ready = state.shoe.stage is Stage.IN_PLAY and not state.shoe.burns_due and not state.shoe.carried
    if len(fact.cards) != 1 or not ready or (state.coup is not None and state.coup.cards):
        return
    dummy = declared_dummy(state, "face_up_first_card", rules.clause)
    after = fold((dummy,), state)
    events = (dummy, *held_for_the_leaving(after), *dealt_to(after, fact.cards[0], "", 0))
    yield Way("dummy", rules.clause, f"The coup is a dummy coup and starts with {fact.cards[0]}.", events)


def _face_up_later(state: TableState, fact: StatedFact, rules: Irregularity) -> Iterator[Way]:  # noqa: ARG001
    if state.coup is not None and state.coup.cards:
        yield Way("play_on", rules.clause, "The card is dealt as if it had come face down.")


def _no_wagers_but_cards_out(state: TableState, fact: StatedFact, rules: Irregularity) -> Iterator[Way]:  # noqa: ARG001
    coup = state.coup
    if coup is None or coup.dummy or coup.sealed or state.phase is Phase.WAGERING or not (coup.burned or coup.cards):
        return
    clause = "CROWN 11.5.1" if not coup.cards else "CROWN 11.5.2"
    dummy = declared_dummy(state, "no_wagers", clause)
    yield Way("dummy", clause, "Nobody wagered and cards are out: play a dummy coup.", (dummy,))


def _foreign_card(state: TableState, fact: StatedFact, rules: Irregularity) -> Iterator[Way]:
    """Where one card is foreign others may be: the cards are checked or replaced before they are played on (G-171)."""
    doubted = CardsDoubted(
        shoe=state.shoe.number, reason="a foreign card was found", by="", clause=state.cites("CROWN 3.4")
    )
    in_play = state.shoe.stage is Stage.IN_PLAY and not state.shoe.burns_due
    out = min(len(fact.cards), max(0, state.shoe.left)) if in_play else 0
    gone = CardsBurned(shown=None, hidden=out, still_due=0, coup=0, left=state.shoe.left - out, clause=rules.clause)
    events = (gone, doubted) if out else (doubted,)
    if state.coup is None:
        text = "No coup is under way: nothing is void; the cards are checked or replaced."
        yield Way("replace", "G-85" if rules.effect == "void" else rules.clause, text, events, _least(rules))
        return
    bare = msgspec.structs.replace(fact, cards=())
    yield _void(state, bare, rules, "A foreign card: the coup is void, earlier results stand.", before=events)


def _wrong_number(state: TableState, fact: StatedFact, rules: Irregularity) -> Iterator[Way]:
    """Rebuilt in drawing order if it can be; where there are no dummy coups, a card that falls to nobody is burned."""
    if state.coup is None:
        yield from extra_after_settlement(state, fact, rules)
        yield from _void_after_settlement(state, fact, rules)
        return
    if not state.coup.cards:
        return
    if rules.effect != "void":
        yield from _in_shoe_order(state, fact, rules.clause, Role.CASINO_SUPERVISOR, left="G-71")
        return
    if fact.reconstructible is not False:
        cards = (*state.coup.cards, *(CARDS[notation] for notation in fact.cards))
        left_over = () if next_card(cards) else read_in_shoe_order(cards)[1]
        dealt = _dealt(state, fact.cards[: len(fact.cards) - len(left_over)])
        names = tuple(card.notation for card in left_over)
        events = (*dealt, *burned(fold(dealt, state), names, "G-82"))
        yield Way("in_shoe_order", "G-82", "Rebuild the hands in drawing order.", events, Role.GAME_SUPERVISOR)
    if fact.reconstructible is not True:
        yield _supervised(state, _void(state, fact, rules, "The cards cannot be reconstructed: the coup is void."))


def _void_after_settlement(state: TableState, fact: StatedFact, rules: Irregularity) -> Iterator[Way]:
    """Settled, but noticed before the next coup commences: what was paid on it is taken back (G-86, G-98)."""
    newest = settled_last(state)
    reached = rules.effect == "void" and rules.only_if == "noticed before the next coup"
    if not reached or fact.reconstructible is not False or newest is None:
        return
    text = "The cards cannot be reconstructed: the coup is void."
    invalid = CoupInvalidated(
        coup=newest.coup,
        cause="wrong_number_of_cards",
        reason=text,
        adjustments=adjustments_to(state, newest, {}),
        by="",
        clause=rules.clause,
    )
    held = held_for_the_leaving(fold((invalid,), state))
    yield Way("void", rules.clause, text, (invalid, *held), Role.GAME_SUPERVISOR)


def _simultaneous(state: TableState, fact: StatedFact, rules: Irregularity) -> Iterator[Way]:
    if state.coup is None or (rules.only_if == "during the initial deal" and len(state.coup.cards) >= 4):
        return
    if fact.order_known is not False:
        yield Way("play_on", rules.clause, "The order is known: enter the cards as they came.")
    if fact.order_known is not True:
        ends = rules.effect == "decision"
        yield _void(state, fact, rules, "The order is not known: the coup is void.", ends_shoe=ends)


def _order_altered(state: TableState, fact: StatedFact, rules: Irregularity) -> Iterator[Way]:
    if state.shoe.stage is not Stage.IN_PLAY:
        return
    if fact.order_known is True or fact.reconstructible is True:
        yield Way("play_on", rules.clause, "The order is restored: play goes on.")
        return
    if state.coup is not None:
        text = "The shoe's order is lost: the coup is void and the shoe ends."
        yield _supervised(state, _void(state, fact, rules, text, ends_shoe=True))
    else:
        ended = ShoeEnded(shoe=state.shoe.number, reason="its order is lost", by="", clause="G-87")
        yield Way("end_shoe", "G-87", "The shoe's order is lost: it ends.", (ended,), _least(rules))


def _not_enough(state: TableState, fact: StatedFact, rules: Irregularity) -> Iterator[Way]:
    """The shoe in the dealer's hand is right, whatever was counted: the difference is on record (G-170)."""
    left = fact.count or 0
    held = left + len(state.shoe.carried)
    if state.shoe.stage is not Stage.IN_PLAY or left < 0:
        return
    if state.coup is None and held < CARDS_OF_A_COUP:
        clause = state.cites("CROWN 3.5.4")
        ended = ShoeEnded(shoe=state.shoe.number, reason="too few cards are left", by="", clause=clause)
        text = "Too few cards are left for a coup: the shoe ends."
        events = (*recounted(state, left, rules.clause), ended)
        yield Way("end_shoe", clause, text, events, Role.CASINO_SUPERVISOR)
    elif state.coup is not None and is_card_due(state) and held < max(1, LEAST_OF_A_COUP - len(state.coup.cards)):
        text = "The shoe is empty and a card is due: the coup is void."
        out = burned(state, fact.cards, rules.clause)
        counted = (*out, *recounted(fold(out, state), left, rules.clause))
        yield _void(state, msgspec.structs.replace(fact, cards=()), rules, text, ends_shoe=True, before=counted)


WAYS: dict[IrregularityName, Callable[[TableState, StatedFact, Irregularity], Iterator[Way]]] = {
    IrregularityName.MISSED_BURN: _missed_burn,
    IrregularityName.EXCESS_CARD_UNSEEN: _excess_unseen,
    IrregularityName.CARD_ON_WRONG_HAND: _card_on_wrong_hand,
    IrregularityName.WRONG_THIRD_CARD: _wrong_third_card,
    IrregularityName.NO_WAGERS_BUT_CARDS_OUT: _no_wagers_but_cards_out,
    IrregularityName.FACE_UP_FIRST_CARD: _face_up_first,
    IrregularityName.FACE_UP_LATER_CARD: _face_up_later,
    IrregularityName.FOREIGN_CARD: _foreign_card,
    IrregularityName.WRONG_NUMBER_OF_CARDS: _wrong_number,
    IrregularityName.SIMULTANEOUS_CARDS: _simultaneous,
    IrregularityName.SHOE_ORDER_ALTERED: _order_altered,
    IrregularityName.NOT_ENOUGH_CARDS: _not_enough,
}
FACTS = tuple(WAYS)
"""What may have happened, as far as a rule set knows it."""


def _void(
    state: TableState,
    fact: StatedFact,
    rules: Irregularity,
    text: str,
    *,
    ends_shoe: bool = False,
    before: tuple[Event, ...] = (),
) -> Way:
    """All wagers go back; the stated cards have left the shoe, whatever becomes of the coup."""
    assert state.coup is not None
    refunds = state.layouts()
    voided = CoupVoided(
        coup=state.coup.number,
        reason=text.split(":", maxsplit=1)[0].lower(),
        refunds=refunds,
        by="",
        clause=rules.clause,
    )
    events: tuple[Event, ...] = (*before, *burned(state, fact.cards, rules.clause), voided)
    if ends_shoe:
        events += (ShoeEnded(shoe=state.shoe.number, reason="its cards cannot be used", by="", clause=rules.clause),)
    way = Way("void", rules.clause, text, (*events, *aftermath(state, events, "", 0)), _least(rules))
    return way if is_card_due(state) else _supervised(state, way)


def _supervised(state: TableState, way: Way) -> Way:
    """Once cards are out, what rests on a finding, or undoes a round that is complete, is a supervisor's (G-150)."""
    out = state.coup is not None and bool(state.coup.cards)
    return msgspec.structs.replace(way, by=Role.GAME_SUPERVISOR) if out and way.by is Role.DEALER else way


def _dealt(state: TableState, cards: tuple[str, ...]) -> tuple[Event, ...]:
    events: list[Event] = []
    for notation in cards:
        dealt = dealt_to(state, notation, "", 0)
        state = fold(dealt, state)
        events += dealt
    return tuple(events)


def is_card_due(state: TableState) -> bool:
    return state.coup is not None and next_card(state.coup.cards) is not None


def _least(rules: Irregularity) -> Role:
    return Role(rules.by)
