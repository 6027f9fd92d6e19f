"""What happens to the shoe changes it, and its census."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from sabot.rules.cards import Rank
from sabot.table import events as e
from sabot.table.state import CardCheck, ShoeState, Stage, TableState, seen


def _cards_checked(state: TableState, event: e.CardsChecked) -> TableState:
    """A check that finds a card too few or too many does not let gaming start or go on."""
    if event.when is CardCheck.CLOSING:
        return replace(state, cards_checked=CardCheck.CLOSING)
    of_each_rank = event.of_each_rank
    right = of_each_rank is None or event.when is CardCheck.REST or of_each_rank * len(Rank) == event.expected
    sound = event.cards == event.expected and right
    return replace(state, cards_checked=CardCheck.OPENING if sound else CardCheck.NONE)


def _pack_recorded(state: TableState, event: e.PackRecorded) -> TableState:
    return replace(state, packs=state.packs | {event.pack})


def _cards_shuffled(state: TableState, event: e.CardsShuffled) -> TableState:
    commitment = (event.commitment or "") if event.method == "virtual" else ""
    cards = 52 * state.configuration.decks
    shoe = ShoeState(number=event.shoe, stage=Stage.SHUFFLED, cards=cards, commitment=commitment)
    return replace(state, shoe=shoe, packs=state.packs - {event.pack or ""})


def _shoe_ended(state: TableState, event: e.ShoeEnded) -> TableState:
    return replace(state, shoe=replace(state.shoe, stage=Stage.SPENT, ended=(event.reason, event.clause), carried=()))


def _shoe_opened(state: TableState, event: e.ShoeOpened) -> TableState:  # noqa: ARG001
    return replace(state, shoe=replace(state.shoe, opened=True))


def _cards_replaced(state: TableState, event: e.CardsReplaced) -> TableState:
    """All cards make a new shoe, and new cards are checked before they are played; named ones stay where they were."""
    if event.cards:
        exchanged = dict(state.shoe.exchanged)
        for name in event.cards.split():
            exchanged[name] = exchanged.get(name, 0) + 1
        return replace(state, shoe=replace(state.shoe, exchanged=exchanged))
    clause = "CROWN 3.11.1" if event.clause == "CROWN 3.11" else event.clause
    shoe = replace(state.shoe, stage=Stage.SPENT, ended=("the cards are replaced", clause), replaced=True)
    return replace(state, shoe=shoe, cards_checked=CardCheck.NONE)


def _cards_cut(state: TableState, event: e.CardsCut) -> TableState:
    shoe = replace(state.shoe, stage=Stage.CUT, cut_at=event.at, behind_cutting_card=event.behind_cutting_card)
    return replace(state, shoe=shoe)


def _cards_burned(state: TableState, event: e.CardsBurned) -> TableState:
    if event.carried:
        return _waiting_card_burned(state, event)
    at_the_start = state.shoe.stage is Stage.CUT or state.shoe.burns_due > 0
    shoe = replace(
        state.shoe,
        stage=Stage.SPENT if state.shoe.stage is Stage.SPENT else Stage.IN_PLAY,
        out=state.shoe.cards - event.left,
        census=seen(state.shoe, event.shown) if event.shown else state.shoe.census,
        hidden_burn=event.shown is None and event.hidden == 1 and event.coup == 0 and not state.shoe.out,
        burns_due=event.still_due,
        unseen_burns=state.shoe.unseen_burns + (event.hidden if at_the_start else 0),
    )
    coup = replace(state.coup, burned=True) if state.coup and event.coup else state.coup
    return replace(state, shoe=shoe, coup=coup)


def _waiting_card_burned(state: TableState, event: e.CardsBurned) -> TableState:
    """It was counted when it left the shoe; one that nobody had seen is known from now on."""
    assert event.shown is not None
    known = state.shoe.carried[0] is not None
    census = state.shoe.census if known else seen(state.shoe, event.shown)
    return replace(state, shoe=replace(state.shoe, carried=state.shoe.carried[1:], census=census))


def _burn_shown(state: TableState, event: e.BurnShown) -> TableState:
    census = seen(state.shoe, event.card)
    return replace(state, shoe=replace(state.shoe, census=census, hidden_burn=False, unseen_burns=0))


def _cutting_card_seen(state: TableState, event: e.CuttingCardSeen) -> TableState:
    return replace(state, shoe=replace(state.shoe, last_coup=event.last_coup, cutting_card_coup=state.coups))


def _cutting_card_withdrawn(state: TableState, event: e.CuttingCardWithdrawn) -> TableState:  # noqa: ARG001
    return replace(state, shoe=replace(state.shoe, last_coup=None, cutting_card_coup=0))


def _cutting_card_overdue(state: TableState, event: e.CuttingCardOverdue) -> TableState:  # noqa: ARG001
    return replace(state, shoe=replace(state.shoe, overdue=True))


def _shoe_recounted(state: TableState, event: e.ShoeRecounted) -> TableState:
    """More cards than counted are those of a burn that was left out; fewer are missing."""
    shoe, more = state.shoe, event.left - event.was
    unseen = max(0, shoe.unseen_burns - max(0, more))
    shoe = replace(
        shoe,
        out=shoe.cards - event.left,
        unseen_burns=unseen,
        hidden_burn=shoe.hidden_burn and unseen > 0,
        missing=shoe.missing + max(0, -more),
    )
    return replace(state, shoe=shoe)


def _cards_doubted(state: TableState, event: e.CardsDoubted) -> TableState:  # noqa: ARG001
    return replace(state, cards_checked=CardCheck.NONE)


def _cards_carried(state: TableState, event: e.CardsCarried) -> TableState:
    """A shoe that has ended takes the cards out with it; no later coup waits for them (G-72)."""
    before = state.shoe
    waiting = (*event.cards, *before.carried) if event.first else (*before.carried, *event.cards)
    shoe = replace(
        before,
        out=before.out + len(event.cards),
        carried=before.carried if before.stage is Stage.SPENT else waiting,
        carried_by=event.clause,
    )
    for notation in event.cards:
        if notation is not None:
            shoe = replace(shoe, census=seen(shoe, notation))
    return replace(state, shoe=shoe)


APPLY: dict[type[e.Event], Callable[[TableState, Any], TableState]] = {
    e.CardsChecked: _cards_checked,
    e.PackRecorded: _pack_recorded,
    e.CardsShuffled: _cards_shuffled,
    e.ShoeEnded: _shoe_ended,
    e.ShoeOpened: _shoe_opened,
    e.CardsReplaced: _cards_replaced,
    e.CardsCut: _cards_cut,
    e.CardsBurned: _cards_burned,
    e.BurnShown: _burn_shown,
    e.CuttingCardSeen: _cutting_card_seen,
    e.CuttingCardWithdrawn: _cutting_card_withdrawn,
    e.CuttingCardOverdue: _cutting_card_overdue,
    e.ShoeRecounted: _shoe_recounted,
    e.CardsDoubted: _cards_doubted,
    e.CardsCarried: _cards_carried,
}
