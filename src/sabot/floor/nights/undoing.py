"""An act and its undoing, one straight after the other, leave cards, accounts and wagers as they were.

The acts are only decided and applied to a copy of the state: nothing of them happens in the night.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from sabot.basics.stamp import Stamp
from sabot.floor.simulator.violation import insist
from sabot.rules.cards import CARDS
from sabot.rules.rule_set import Bet, IrregularityName
from sabot.table import acts
from sabot.table.decide import decide
from sabot.table.evolve import fold
from sabot.table.history.wanted import Elsewhere
from sabot.table.irregularities.deciding import resolutions
from sabot.table.phase import Phase
from sabot.table.refusal import Refused
from sabot.table.role import Role
from sabot.table.rules import RULES
from sabot.table.state import NoticeKind, TableState

WHY = "a slip"
IN_AN_HOUR_MS = 3_600_000
CENTS = 5_000
PLAYER = Bet("player")


class Undoing(NamedTuple):
    does: tuple[acts.Act, ...]
    undoes: acts.Act
    by: str = ""
    """The station whose own acts they are."""


def check_undoing(state: TableState, at_ms: int) -> int:
    """Raise `Violation` where something is not undone; returns how many pairs could be tried."""
    tried = 0
    for pair in _pairs(state, at_ms):
        after = state
        for act in (*pair.does, pair.undoes):
            given = _given(after, act, pair.by, at_ms)
            if given is None:
                break
            after = given
        else:
            tried += 1
            patrons = _still_there(pair, after)
            was, now = _standing(state, patrons), _standing(after, patrons)
            other = [part for part in was if was[part] != now[part]]
            verbs = " ".join(act.verb for act in (*pair.does, pair.undoes))
            differ = {part: (was[part], now[part]) for part in other}
            insist(not other, f"{verbs} leaves another {', '.join(other)}: {differ}")
    return tried


def _pairs(state: TableState, at_ms: int) -> Iterator[Undoing]:
    for station, one in state.stations.items():
        if one.is_open:
            yield from _of_a_patron(state, station)
    yield Undoing((acts.CuttingCard(),), acts.WithdrawCuttingCard(reason=WHY))
    yield Undoing((acts.Freeze(),), acts.Unfreeze())
    if not any(notice.bet == PLAYER for notice in state.notices):
        notice = acts.Notice(kind=NoticeKind.MINIMUM, bet=PLAYER, cents=10_000, from_ms=at_ms + IN_AN_HOUR_MS)
        yield Undoing((notice,), acts.WithdrawNotice(kind=NoticeKind.MINIMUM, bet=PLAYER))
    yield from _of_the_cards(state)
    yield from _of_facts(state)


def _of_a_patron(state: TableState, station: str) -> Iterator[Undoing]:
    if not state.purse(station).layout:  # Leaving lifts what can be lifted, and staying does not lay it again.
        yield Undoing((acts.Leave(station=station),), acts.Stay(station=station))
    wager = acts.SetWager(bet=PLAYER, cents=state.purse(station).layout.get(PLAYER, 0) + CENTS)
    yield Undoing((wager,), acts.Undo(), station)
    wrong = acts.CorrectBuyIn(station=station, cents=CENTS, true_cents=0, reason=WHY)
    yield Undoing((acts.BuyIn(station=station, cents=CENTS, top_up=True),), wrong)


def _of_the_cards(state: TableState) -> Iterator[Undoing]:
    """Wagering that an entry closed stays closed, and a dummy coup without a card is void or stays one (G-162)."""
    coup = state.coup
    if coup is None or state.phase is Phase.WAGERING:
        return
    waiting = state.shoe.carried[0] if state.shoe.carried else None
    decks = state.configuration.decks
    other = waiting or next(name for name in CARDS if state.shoe.census.get(name, 0) < decks)
    if waiting is None and (coup.cards or not (coup.dummy or coup.burned)):
        yield Undoing((acts.Card(card=other),), acts.TakeBackCard(reason=WHY))
    if coup.cards:
        last = len(coup.cards) + (len(state.fact.cards) if state.fact is not None and state.fact.entered else 0)
        entries = (*(card.notation for card in coup.cards), *(state.fact.cards if state.fact is not None else ()))
        for place in (1, last):
            amended = acts.Amend(card=other, place=place, reason=WHY)
            yield Undoing((amended,), acts.Amend(card=entries[place - 1], place=place, reason=WHY))


def _of_facts(state: TableState) -> Iterator[Undoing]:
    if state.fact is not None:
        for way in resolutions(state, state.fact):
            yield Undoing((acts.Resolve(id=way.id),), acts.Unresolve(reason=WHY))
        return
    decks = state.configuration.decks
    card = next(name for name in CARDS if state.shoe.census.get(name, 0) < decks)
    for kind in state.terms.rule_set.irregularities:
        for cards in ((), (card,)):
            fact = acts.Fact(kind=IrregularityName(kind), cards=cards)
            yield Undoing((fact,), acts.WithdrawFact(reason=WHY))
            stated = _given(state, fact, "", 0)
            for way in resolutions(stated, stated.fact) if stated is not None and stated.fact is not None else ():
                resolved = acts.Resolve(id=way.id)
                yield Undoing((fact, resolved, acts.Unresolve(reason=WHY)), acts.WithdrawFact(reason=WHY))


def _given(state: TableState, act: acts.Act, station: str, at_ms: int) -> TableState | None:
    """The state after the act, by a supervisor or the station; nothing where it is refused or changes nothing."""
    stamp = Stamp(
        by=station or "CS1",
        role=Role.STATION if station else Role.CASINO_SUPERVISOR,
        at_ms=at_ms,
        second="" if station else "GS1",
        second_role=None if station else Role.GAME_SUPERVISOR,
        ticket=f"8{at_ms % 10**17:017}",
    )
    assert stamp.role in RULES[type(act)].who
    try:
        decision = decide(state, act, stamp)
    except Elsewhere:
        return None
    return None if isinstance(decision, Refused) or not decision else fold(decision, state)


def _still_there(pair: Undoing, after: TableState) -> frozenset[str]:
    """The stations of the pair and those with an account: an empty one of a leaving patron closes at any correction."""
    own = {pair.by, *(getattr(act, "station", "") for act in pair.does)}
    return frozenset(name for name, one in after.stations.items() if one.is_open or name in own)


def _standing(state: TableState, patrons: frozenset[str]) -> Mapping[str, Any]:
    shoe, coup = state.shoe, state.coup
    return {
        "phase": state.phase,
        "count of coups": state.coups,
        "coup": None if coup is None else msgspec.structs.replace(coup, deadline_ms=0),
        "fact": state.fact,
        "shoe": msgspec.structs.replace(shoe, census={}, carried_by="", cutting_card_coup=0, hidden_burn=False),
        "census": {name: count for name, count in shoe.census.items() if count},
        "money in an account": {
            name: (one.balance, one.held, dict(one.layout))
            for name, one in state.ledger.purses.items()
            if one.balance or one.held or one.layout  # A player card opens an account into which nothing was paid yet.
        },
        "sum of the books": {kind: cents for kind, cents in state.ledger.books.items() if cents},
        "sign": state.notices,
        "doubt": state.doubts,
        "figure of a patron": {
            name: (one.care.coups, one.care.won, one.care.lost)
            for name, one in state.stations.items()
            if name in patrons
        },
        "check of the cards": state.cards_checked,
        "debt": {name: state.owed(name) for name in state.stations},
    }
