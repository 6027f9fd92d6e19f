"""What stated facts and their resolutions change."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from sabot.rules.cards import CARDS
from sabot.table import events as e
from sabot.table.corrections.evolving import last_played, with_version
from sabot.table.parts import meters_of
from sabot.table.state import CoupUnderWay, Doubt, Resolved, StatedFact, TableState


def _fact_stated(state: TableState, event: e.FactStated) -> TableState:
    fact = StatedFact(
        event.kind,
        event.cards,
        event.hand,
        event.reconstructible,
        event.order_known,
        event.count,
        entered=event.entered,
    )
    return replace(state, fact=fact)


def _fact_resolved(state: TableState, event: e.FactResolved) -> TableState:
    """What it changes is kept as it was, so that it can be taken back."""
    if state.fact is None:
        return state
    resolved = Resolved(
        fact=state.fact,
        id=event.id,
        role=event.role,
        follows=event.follows,
        phase=state.phase,
        coup=state.coup,
        coups=state.coups,
        shoe=state.shoe,
        cards_checked=state.cards_checked,
        awaits_confirmation=state.awaits_confirmation,
        controls={name: station.control for name, station in state.stations.items()},
        doubts=state.doubts,
    )
    return replace(state, fact=None, resolved=resolved)


def _fact_withdrawn(state: TableState, event: e.FactWithdrawn) -> TableState:  # noqa: ARG001
    return replace(state, fact=None)


def _resolution_taken_back(state: TableState, event: e.ResolutionTakenBack) -> TableState:
    before = state.resolved
    assert before is not None
    meters = dict(state.meters)
    for station, cents in event.corrected.items():
        meters[station] = meters_of(state, station).corrected(cents)
    if event.restored is not None:
        state = with_version(state, replace(last_played(state, event.restored), invalid=False))
    return replace(
        state,
        fact=before.fact,
        resolved=None,
        phase=event.phase,
        coup=_with_what_was_told(before.coup, state.coup),
        coups=before.coups,
        shoe=before.shoe,
        cards_checked=before.cards_checked,
        awaits_confirmation=before.awaits_confirmation,
        doubts=_doubts_again(before.doubts, state.doubts),
        meters=meters,
    )


def _with_what_was_told(coup: CoupUnderWay | None, since: CoupUnderWay | None) -> CoupUnderWay | None:
    """What stations have told of their wagers since stays told."""
    if coup is None or since is None or since.number != coup.number or since.shown == coup.shown:
        return coup
    return replace(coup, shown={**coup.shown, **since.shown})


def _doubts_again(before: tuple[Doubt, ...], since: tuple[Doubt, ...]) -> tuple[Doubt, ...]:
    """Those of before, each as it was told since."""
    found = {(one.coup, one.station): one for one in (*before, *since)}
    return tuple(found.values())


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
    dummy = replace(coup, dummy=True, dummy_for=event.cause, sealed={})
    return replace(state, coup=dummy, coups=event.coup, shoe=shoe)


APPLY: dict[type[e.Event], Callable[[TableState, Any], TableState]] = {
    e.FactStated: _fact_stated,
    e.FactResolved: _fact_resolved,
    e.FactWithdrawn: _fact_withdrawn,
    e.ResolutionTakenBack: _resolution_taken_back,
    e.CoupReconstructed: _coup_reconstructed,
    e.DummyCoupDeclared: _dummy_declared,
}
