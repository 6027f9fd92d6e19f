"""What stated facts and their resolutions change."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from sabot.rules.cards import CARDS
from sabot.table import events as e
from sabot.table.state import CoupUnderWay, StatedFact, TableState


def _fact_stated(state: TableState, event: e.FactStated) -> TableState:
    fact = StatedFact(event.kind, event.cards, event.hand, event.reconstructible, event.order_known, event.count)
    return replace(state, fact=fact)


def _fact_resolved(state: TableState, event: e.FactResolved | e.FactWithdrawn) -> TableState:  # noqa: ARG001
    return replace(state, fact=None)


def _coup_reconstructed(state: TableState, event: e.CoupReconstructed) -> TableState:
    """The burn that was entered never happened, so that many cards fewer have left the shoe than were counted."""
    assert state.coup is not None
    missing = len(event.burned.split()) + event.still_due
    shoe = replace(state.shoe, out=state.shoe.out - missing, hidden_burn=False)
    shoe = replace(shoe, burns_due=event.still_due, unseen_burns=max(0, shoe.unseen_burns - missing))
    if event.left_over:  # They were drawn before any card that waits already.
        shoe = replace(shoe, carried=(*event.left_over, *shoe.carried), carried_by=event.clause)
    cards = tuple(CARDS[notation] for notation in event.cards)
    return replace(state, coup=replace(state.coup, cards=cards, burned=True), shoe=shoe)


def _dummy_declared(state: TableState, event: e.DummyCoupDeclared) -> TableState:
    last = state.shoe.last_coup
    later = last is not None and last >= event.coup and not event.counts_as_coup
    shoe = replace(state.shoe, last_coup=last + 1) if later and last is not None else state.shoe
    coup = state.coup or CoupUnderWay(event.coup, 0)
    return replace(state, coup=replace(coup, dummy=True, sealed={}), coups=event.coup, shoe=shoe)


APPLY: dict[type[e.Event], Callable[[TableState, Any], TableState]] = {
    e.FactStated: _fact_stated,
    e.FactResolved: _fact_resolved,
    e.FactWithdrawn: _fact_resolved,
    e.CoupReconstructed: _coup_reconstructed,
    e.DummyCoupDeclared: _dummy_declared,
}
