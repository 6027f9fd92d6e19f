"""Evolving: a state and an event give the next state. No rule is checked here; what happened, happened."""

from collections.abc import Callable, Iterable
from functools import reduce
from typing import Any

from msgspec.structs import replace

from sabot.table import events as e
from sabot.table.accounts import evolving as accounts
from sabot.table.books import evolving as books
from sabot.table.care import evolving as care
from sabot.table.cases import evolving as cases
from sabot.table.chips import evolving as chips
from sabot.table.corrections import evolving as corrections
from sabot.table.coup import evolving as coup
from sabot.table.faults import evolving as faults
from sabot.table.history import evolving as history
from sabot.table.history.falling import trimmed
from sabot.table.irregularities import evolving as irregularities
from sabot.table.irregularities.resolved import going_on
from sabot.table.money import postings
from sabot.table.opening import evolving as opening
from sabot.table.phase import TRANSITIONS, Phase
from sabot.table.seats import evolving as seats
from sabot.table.sessions import evolving as sessions
from sabot.table.shoe import evolving as shoe
from sabot.table.signs import evolving as signs
from sabot.table.state import AnyTable, TableState, Unconfigured
from sabot.table.wagers.evolving import wagers_changed

TRIMMING: frozenset[type[e.Event]] = frozenset({e.WagersSettled, e.SystemRestarted})
"""With what a state lets go of what is too old for it: once a coup, and when a program takes it over."""


def evolve(state: AnyTable, event: e.Event) -> TableState:
    if type(state) is Unconfigured:
        state = opening.beginning(event)
    kind = type(event)
    if kind is e.WagersChanged:  # The commonest by far; it books its money by itself and changes no phase.
        return wagers_changed(state, event)  # type: ignore[arg-type]
    apply = _APPLY.get(kind)
    after = apply(state, event) if apply else state
    moved = () if kind is e.WagersSettled else postings(event)  # The other that books its money by itself.
    phase: Phase = TRANSITIONS[state.phase].get(kind.__name__, after.phase)
    if moved or phase is not after.phase:
        after = replace(after, phase=phase, ledger=after.ledger.book(moved) if moved else after.ledger)
    if after.resolved is not None and kind is not e.FactResolved:
        after = replace(after, resolved=going_on(after.resolved, event, moved))
    return trimmed(after) if kind in TRIMMING else after


def fold(events: Iterable[e.Event], state: TableState) -> TableState:
    """The state that events lead to."""
    return reduce(evolve, events, state)


_APPLY: dict[type[e.Event], Callable[[TableState, Any], TableState]] = {
    **opening.APPLY,
    **signs.APPLY,
    **shoe.APPLY,
    **accounts.APPLY,
    **seats.APPLY,
    **care.APPLY,
    **chips.APPLY,
    **coup.APPLY,
    **irregularities.APPLY,
    **corrections.APPLY,
    **cases.APPLY,
    **faults.APPLY,
    **books.APPLY,
    **sessions.APPLY,
    **history.APPLY,
}
