"""Irregularities: the dealer states what physically happened, and the rules list what may lawfully be done about it.

`resolutions` is a pure function of the state and the fact. Each resolution says its clause, who may choose it, the
order in which the cards then stand, and what it does to every account; choosing one applies its events. `ways.py` has
the ways on for each kind of fact.
"""

from collections.abc import Iterator

import msgspec

from sabot.basics.stamp import Stamp
from sabot.rules.cards import CARDS
from sabot.rules.rule_set import Irregularity, IrregularityName, Source
from sabot.table import acts
from sabot.table.coup.deciding import settled_events
from sabot.table.effects import AccountEffect, effects_of
from sabot.table.events import (
    CardDealt,
    CardsDoubted,
    CoupInvalidated,
    CoupVoided,
    Event,
    FactResolved,
    FactStated,
    ShoeEnded,
    ShoeRecounted,
)
from sabot.table.evolve import fold
from sabot.table.irregularities.cards_out import check_stated, shoe_empty
from sabot.table.irregularities.way import Way
from sabot.table.irregularities.ways import WAYS, is_card_due
from sabot.table.no import No
from sabot.table.phase import Phase
from sabot.table.refusal import Cause
from sabot.table.role import Role, at_least
from sabot.table.state import Stage, StatedFact, TableState


class Resolution(msgspec.Struct, frozen=True):
    """One lawful way on."""

    id: str
    clause: str
    by: Role
    """The least role that may choose it."""
    text: str
    card_order: tuple[str, ...]
    """The cards of the coup in shoe order as they then stand, and after them those that open the next."""
    effects: tuple[AccountEffect, ...]
    """What it does to the account of every station with a wager."""
    source: Source
    """Whether the document says so, the house's own rules, or a reading."""


def state_fact(state: TableState, act: acts.Fact, stamp: Stamp) -> tuple[Event, ...]:
    if act.kind not in WAYS or act.kind not in state.terms.rule_set.irregularities:
        raise No(Cause.UNKNOWN_FACT, kind=act.kind)
    if state.shoe.commitment and state.shoe.stage is not Stage.SPENT:
        raise No(Cause.CARDS_COMMITTED, what="nothing can have happened to them")
    check_stated(state, act)
    fact = StatedFact(
        IrregularityName(act.kind),
        tuple(CARDS[notation].notation for notation in act.cards),
        act.hand,
        act.reconstructible,
        act.order_known,
        act.count,
    )
    if not resolutions(state, fact):
        for way in _listed(state, fact):
            raise _why_not_now(state, way) or AssertionError("a way that is open now was not told")
        raise No(Cause.NO_RESOLUTION, kind=act.kind.replace("_", " "), clause=_irregularity(state, fact).clause)
    return (FactStated(**msgspec.structs.asdict(fact), by=stamp.by, clause=_irregularity(state, fact).clause),)


def resolve(state: TableState, act: acts.Resolve, stamp: Stamp) -> tuple[Event, ...]:
    if state.fact is None:
        raise No(Cause.NO_FACT)
    for way in _listed(state, state.fact):
        if way.id == act.id:
            if stamp.role not in at_least(way.by):
                raise No(Cause.WRONG_ROLE, clause=way.clause, needed=way.by.in_words, role=stamp.role.in_words)
            if (why := _why_not_now(state, way)) is not None:
                raise why
            follows = len(way.events)
            resolved = FactResolved(
                id=way.id, text=way.text, follows=follows, role=stamp.role, by=stamp.by, clause=way.clause
            )
            return (resolved, *(_signed(event, stamp) for event in way.events))
    raise No(Cause.UNKNOWN_RESOLUTION, id=act.id)


def resolutions(state: TableState, fact: StatedFact) -> list[Resolution]:
    """Every lawful resolution of the fact in this state, the first being the usual one."""
    return [_resolution(state, way) for way in _ways(state, fact)]


def _resolution(state: TableState, way: Way) -> Resolution:
    clause = state.cites(way.clause)
    return Resolution(
        id=way.id,
        clause=clause,
        by=way.by,
        text=way.text,
        card_order=_card_order(state, way.events),
        effects=_effects(state, way.events),
        source=state.terms.rule_set.source_of(clause),
    )


def _ways(state: TableState, fact: StatedFact) -> list[Way]:
    return [way for way in _listed(state, fact) if _why_not_now(state, way) is None]


def _listed(state: TableState, fact: StatedFact) -> Iterator[Way]:
    """The ways that the rule set leaves open. What is known spares a coup only where the rule set says so."""
    rules = _irregularity(state, fact)
    if rules.effect in ("void", "decision") and rules.unless not in ("reconstructible", "order known"):
        fact = msgspec.structs.replace(fact, reconstructible=False, order_known=False)
    return WAYS[fact.kind](state, fact, rules)


def _why_not_now(state: TableState, way: Way) -> No | None:
    """Why a way that the rule set leaves open cannot be taken as things stand.

    No card is dealt to a coup whose wagers are still to be confirmed after a malfunction (CROWN 11.15(b)), and no way
    takes more cards out of the shoe than it holds.
    """
    if state.awaits_confirmation and any(isinstance(event, CardDealt) for event in way.events):
        return No(Cause.RECORDS_UNCONFIRMED)
    return shoe_empty(state) if fold(way.events, state).shoe.left < min(0, state.shoe.left) else None


def _card_order(state: TableState, events: tuple[Event, ...]) -> tuple[str, ...]:
    after = fold(events, state)
    cards = tuple(card.notation for card in after.coup.cards) if after.coup else ()
    return (*cards, *(notation or "?" for notation in after.shoe.carried))


def _effects(state: TableState, events: tuple[Event, ...]) -> tuple[AccountEffect, ...]:
    """Of the resolution itself, and of the settlement where the coup is then complete."""
    after = fold(events, state)
    settled: tuple[Event, ...] = ()
    if after.coup is not None and after.phase is Phase.DEALING and not is_card_due(after):
        settled = settled_events(after, after.coup)
    return effects_of(state, (*events, *settled))


def _signed(event: Event, stamp: Stamp) -> Event:
    """The person who chooses a resolution answers for what it does."""
    if isinstance(event, CoupVoided | ShoeEnded | CoupInvalidated | ShoeRecounted | CardsDoubted):
        return msgspec.structs.replace(event, by=stamp.by)
    if isinstance(event, CardDealt):
        return msgspec.structs.replace(event, dealer=stamp.by, at_ms=stamp.at_ms)
    return event


def _irregularity(state: TableState, fact: StatedFact) -> Irregularity:
    return state.terms.rule_set.irregularities[fact.kind]
