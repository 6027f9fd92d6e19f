"""Irregularities: the dealer states what physically happened, and the rules list what may lawfully be done about it.

`resolutions` is a pure function of the state and the fact. Each resolution says its clause, who may choose it, the
order in which the cards then stand, and what it does to every account; choosing one applies its events. No card is
ever skipped or invented: a card that has left the shoe is in a hand, burned, or carried to where it belongs.
"""

from collections.abc import Callable, Iterator

import msgspec

from sabot.rules.cards import CARDS, Card
from sabot.rules.coup import next_card, read_in_shoe_order
from sabot.rules.rule_set import Irregularity, RuleSet
from sabot.table.commands import Resolve, StateFact
from sabot.table.coup import dealt_to, declared_dummy, settled_events
from sabot.table.events import (
    CardDealt,
    CardsBurned,
    CardsCarried,
    CoupReconstructed,
    CoupVoided,
    Event,
    FactResolved,
    FactStated,
    ShoeEnded,
)
from sabot.table.evolve import fold
from sabot.table.no import No
from sabot.table.phase import Phase
from sabot.table.refusal import Cause
from sabot.table.role import Role
from sabot.table.shoe import check_possible
from sabot.table.state import Fact, TableState

IN_A_COUP = (Phase.WAGERING, Phase.NO_MORE_BETS, Phase.DEALING)


class Resolution(msgspec.Struct, frozen=True):
    """One lawful way on."""

    id: str
    clause: str
    by: Role
    """The least role that may choose it."""
    text: str
    card_order: tuple[str, ...]
    """The cards of the coup in shoe order as they then stand, and after them those that open the next."""
    effects: dict[str, int]
    """What it changes in each station's account, in cents."""


class _Way(msgspec.Struct, frozen=True):
    """A resolution before its effects are worked out."""

    id: str
    clause: str
    text: str
    events: tuple[Event, ...] = ()
    by: Role = Role.DEALER


def state_fact(state: TableState, command: StateFact) -> tuple[Event, ...]:
    if command.kind not in _WAYS or command.kind not in _rule_set(state).irregularities:
        raise No(Cause.UNKNOWN_FACT, kind=command.kind)
    taken_back = () if command.kind == "missed_burn" else command.cards
    for notation in taken_back:
        check_possible(state, notation)
    fact = Fact(
        command.kind,
        tuple(CARDS[notation].notation for notation in command.cards),
        command.hand,
        command.reconstructible,
        command.order_known,
    )
    if not resolutions(state, fact):
        raise No(Cause.NO_RESOLUTION, kind=command.kind.replace("_", " "), clause=_irregularity(state, fact).clause)
    return (FactStated(**msgspec.structs.asdict(fact), by=command.by, clause=_irregularity(state, fact).clause),)


def resolve(state: TableState, command: Resolve) -> tuple[Event, ...]:
    if state.fact is None:
        raise No(Cause.NO_FACT)
    for way in _ways(state, state.fact):
        if way.id == command.id:
            if not _may(command.role, way.by):
                raise No(Cause.WRONG_ROLE, clause=way.clause, needed=way.by.in_words, role=command.role.in_words)
            resolved = FactResolved(id=way.id, text=way.text, by=command.by, clause=way.clause)
            return (resolved, *(_signed(event, command) for event in way.events))
    raise No(Cause.UNKNOWN_RESOLUTION, id=command.id)


def resolutions(state: TableState, fact: Fact) -> list[Resolution]:
    """Every lawful resolution of the fact in this state, the first being the usual one."""
    return [
        Resolution(way.id, way.clause, way.by, way.text, _card_order(state, way.events), _effects(state, way.events))
        for way in _ways(state, fact)
    ]


def _ways(state: TableState, fact: Fact) -> list[_Way]:
    return list(_WAYS[fact.kind](state, fact, _irregularity(state, fact)))


def _missed_burn(state: TableState, fact: Fact, rules: Irregularity) -> Iterator[_Way]:  # noqa: ARG001
    yield _Way("note", rules.clause, "Earlier results stand and play goes on; the missing burn is on record.")
    first = _rule_set(state).irregularities.get("missed_burn_in_first_coup")
    if first is None or state.coup is None or not state.coup.cards or state.shoe.coups_dealt > 0:
        return
    burned, *rest = (card.notation for card in state.coup.cards)
    again = CoupReconstructed(coup=state.coup.number, burned=burned, cards=tuple(rest), clause=first.clause)
    yield _Way("reconstruct", first.clause, f"{burned} is burned and the coup starts again with the rest.", (again,))


def _excess_unseen(state: TableState, fact: Fact, rules: Irregularity) -> Iterator[_Way]:  # noqa: ARG001
    if state.phase is not Phase.DEALING or _due(state):
        return
    carried = CardsCarried(cards=(None,), clause=rules.clause)
    if state.shoe.last_coup == state.coups:
        yield _Way("goes_out", "G-72", "It was the last coup: the card goes out with the shoe, on record.", (carried,))
    else:
        yield _Way("carry", rules.clause, "The unseen card is the first card of the next coup.", (carried,))


def _wrong_third_card(state: TableState, fact: Fact, rules: Irregularity) -> Iterator[_Way]:  # noqa: ARG001
    """Read in shoe order; what is left over opens a dummy coup after the settlement (CROWN 11.3, 11.7, G-69)."""
    if state.coup is None or state.phase is not Phase.DEALING or len(state.coup.cards) < 4 or not fact.cards:
        return
    cards = (*state.coup.cards, *(CARDS[notation] for notation in fact.cards))
    coup, left_over = _read(cards)
    if coup is None:
        clause = "CROWN 11.3" if fact.hand == "banker" else "CROWN 11.7.1(a)"
        yield _Way("in_shoe_order", clause, "Each card goes to the hand that was due it.", _dealt(state, fact.cards))
        return
    used = fact.cards[: len(fact.cards) - len(left_over)]
    events = _dealt(state, used)
    if not left_over:
        clause = "CROWN 11.7.1(a)" if fact.hand == "player" else "CROWN 11.3"
        yield _Way("in_shoe_order", clause, "Each card goes to the hand that was due it.", events)
        return
    clause = "CROWN 11.7.2" if fact.hand == "banker" and not used else "CROWN 11.7.1(b)"
    names = tuple(card.notation for card in left_over)
    carried = CardsCarried(cards=names, clause=clause)
    if state.shoe.last_coup == state.coups:
        yield _Way(
            "settle", "G-72", f"Settle; it was the last coup, so {' '.join(names)} goes out.", (*events, carried)
        )
    else:
        text = f"Settle on confirmation; {' '.join(names)} then opens a dummy coup."
        yield _Way("settle_then_dummy", clause, text, (*events, carried))


def _face_up_first(state: TableState, fact: Fact, rules: Irregularity) -> Iterator[_Way]:
    if len(fact.cards) != 1 or (state.coup is not None and state.coup.cards) or state.shoe.carried:
        return
    dummy = declared_dummy(state, "face_up_first_card", rules.clause)
    first = dealt_to(fold((dummy,), state), fact.cards[0], "", 0)
    yield _Way("dummy", rules.clause, f"The coup is a dummy coup and starts with {fact.cards[0]}.", (dummy, *first))


def _face_up_later(state: TableState, fact: Fact, rules: Irregularity) -> Iterator[_Way]:  # noqa: ARG001
    if state.coup is not None and state.coup.cards:
        yield _Way("play_on", rules.clause, "The card is dealt as if it had come face down.")


def _no_wagers_but_cards_out(state: TableState, fact: Fact, rules: Irregularity) -> Iterator[_Way]:  # noqa: ARG001
    coup = state.coup
    if coup is None or coup.dummy or coup.sealed or state.phase is Phase.WAGERING or not (coup.burned or coup.cards):
        return
    clause = "CROWN 11.5.1" if not coup.cards else "CROWN 11.5.2"
    dummy = declared_dummy(state, "no_wagers", clause)
    yield _Way("dummy", clause, "Nobody wagered and cards are out: play a dummy coup.", (dummy,))


def _foreign_card(state: TableState, fact: Fact, rules: Irregularity) -> Iterator[_Way]:  # noqa: ARG001
    if state.coup is None:
        text = "No coup is under way: nothing is void, the cards are replaced."
        yield _Way("replace", "G-85" if rules.effect == "void" else rules.clause, text, by=_least(rules))
        return
    yield _void(state, rules, "A foreign card: the coup is void, earlier results stand.")


def _wrong_number(state: TableState, fact: Fact, rules: Irregularity) -> Iterator[_Way]:
    if state.coup is None:
        return
    if fact.reconstructible is not False and len(state.coup.cards) + len(fact.cards) >= 4:
        coup, left_over = _read((*state.coup.cards, *(CARDS[notation] for notation in fact.cards)))
        used = fact.cards[: len(fact.cards) - len(left_over)] if coup else fact.cards
        events = [*_dealt(state, used)]
        after = fold(events, state)
        for card in left_over:
            left = after.shoe.left - 1
            burned = CardsBurned(shown=card.notation, hidden=0, still_due=0, coup=0, left=left, clause="G-82")
            events.append(burned)
            after = fold((burned,), after)
        yield _Way("in_shoe_order", "G-82", "Rebuild the hands in drawing order.", tuple(events), Role.GAME_SUPERVISOR)
    if fact.reconstructible is not True and rules.effect == "void":
        yield _void(state, rules, "The cards cannot be reconstructed: the coup is void.")


def _simultaneous(state: TableState, fact: Fact, rules: Irregularity) -> Iterator[_Way]:
    if state.coup is None or (rules.only_if and len(state.coup.cards) >= 4):
        return
    if fact.order_known is not False:
        yield _Way("play_on", rules.clause, "The order is known: enter the cards as they came.")
    if fact.order_known is not True:
        yield _void(state, rules, "The order is not known: the coup is void.", ends_shoe=rules.effect == "decision")


def _order_altered(state: TableState, fact: Fact, rules: Irregularity) -> Iterator[_Way]:
    if fact.order_known is True or fact.reconstructible is True:
        yield _Way("play_on", rules.clause, "The order is restored: play goes on.")
        return
    if state.coup is not None:
        yield _void(state, rules, "The shoe's order is lost: the coup is void and the shoe ends.", ends_shoe=True)
    else:
        ended = ShoeEnded(shoe=state.shoe.number, reason="its order is lost", by="", clause="G-87")
        yield _Way("end_shoe", "G-87", "The shoe's order is lost: it ends.", (ended,), _least(rules))


def _not_enough(state: TableState, fact: Fact, rules: Irregularity) -> Iterator[_Way]:  # noqa: ARG001
    if state.coup is not None and state.phase is Phase.DEALING and _due(state):
        yield _void(state, rules, "The shoe is empty and a card is due: the coup is void.", ends_shoe=True)


_WAYS: dict[str, Callable[[TableState, Fact, Irregularity], Iterator[_Way]]] = {
    "missed_burn": _missed_burn,
    "excess_card_unseen": _excess_unseen,
    "card_on_wrong_hand": _wrong_third_card,
    "wrong_third_card": _wrong_third_card,
    "no_wagers_but_cards_out": _no_wagers_but_cards_out,
    "face_up_first_card": _face_up_first,
    "face_up_later_card": _face_up_later,
    "foreign_card": _foreign_card,
    "wrong_number_of_cards": _wrong_number,
    "simultaneous_cards": _simultaneous,
    "shoe_order_altered": _order_altered,
    "not_enough_cards": _not_enough,
}


def _void(state: TableState, rules: Irregularity, text: str, *, ends_shoe: bool = False) -> _Way:
    assert state.coup is not None
    refunds = {name: dict(purse.layout) for name, purse in state.ledger.purses.items() if purse.layout}
    events: tuple[Event, ...] = (
        CoupVoided(
            coup=state.coup.number,
            reason=text.split(":", maxsplit=1)[0].lower(),
            refunds=refunds,  # type: ignore[arg-type]
            by="",
            clause=rules.clause,
        ),
    )
    if ends_shoe:
        events += (ShoeEnded(shoe=state.shoe.number, reason="its cards cannot be used", by="", clause=rules.clause),)
    return _Way("void", rules.clause, text, events, _least(rules))


def _dealt(state: TableState, cards: tuple[str, ...]) -> tuple[Event, ...]:
    events: list[Event] = []
    for notation in cards:
        dealt = dealt_to(state, notation, "", 0)
        state = fold(dealt, state)
        events += dealt
    return tuple(events)


def _read(cards: tuple[Card, ...]) -> tuple[object | None, tuple[Card, ...]]:
    """The coup and what is left over, or no coup yet while a card is still due."""
    if next_card(cards) is not None:
        return None, ()
    return read_in_shoe_order(cards)


def _due(state: TableState) -> bool:
    return state.coup is not None and next_card(state.coup.cards) is not None


def _card_order(state: TableState, events: tuple[Event, ...]) -> tuple[str, ...]:
    after = fold(events, state)
    cards = tuple(card.notation for card in after.coup.cards) if after.coup else ()
    return (*cards, *(notation or "?" for notation in after.shoe.carried))


def _effects(state: TableState, events: tuple[Event, ...]) -> dict[str, int]:
    """The change of each account: of the resolution itself, and of the settlement where the coup is then complete."""
    after = fold(events, state)
    if after.coup is not None and after.phase is Phase.DEALING and not _due(after):
        after = fold(settled_events(after, after.coup), after)
    changes = {name: after.purse(name).balance - state.purse(name).balance for name in state.ledger.purses}
    return {name: cents for name, cents in changes.items() if cents}


def _signed(event: Event, command: Resolve) -> Event:
    """Whoever chooses a resolution answers for what it does."""
    if isinstance(event, CoupVoided | ShoeEnded):
        return msgspec.structs.replace(event, by=command.by)
    if isinstance(event, CardDealt):
        return msgspec.structs.replace(event, dealer=command.by, at_ms=command.at_ms)
    return event


def _may(role: Role, least: Role) -> bool:
    order = (Role.DEALER, Role.GAME_SUPERVISOR, Role.CASINO_SUPERVISOR)
    return role in order and order.index(role) >= order.index(least)


def _least(rules: Irregularity) -> Role:
    return Role(rules.by)


def _irregularity(state: TableState, fact: Fact) -> Irregularity:
    return _rule_set(state).irregularities[fact.kind]  # type: ignore[index]


def _rule_set(state: TableState) -> RuleSet:
    assert state.terms is not None
    return state.terms.rule_set
