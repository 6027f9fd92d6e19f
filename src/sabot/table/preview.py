"""A preview: what an act would do to every account and what it would be answered, by the code that decides it."""

import msgspec
from msgspec.structs import replace

from sabot.basics.stamp import Stamp
from sabot.table import acts
from sabot.table.decide import decide, foreseen
from sabot.table.effects import AccountEffect, effects_of
from sabot.table.events import Event
from sabot.table.evolve import fold
from sabot.table.refusal import Refused
from sabot.table.role import Role
from sabot.table.sessions.standing import is_hidden_coup
from sabot.table.state import TableState

PREVIEWED: frozenset[type[acts.Act]] = frozenset(
    {acts.Correct, acts.Recalculate, acts.Invalidate, acts.Void, acts.Resolve}
)
"""What decides a coup in another way than by its cards as they came."""


class Preview(msgspec.Struct, frozen=True, omit_defaults=True):
    refusal: Refused | None = None
    """What the act itself would be answered, in the role of the person who asks."""
    effects: tuple[AccountEffect, ...] = ()
    """What it does once a person gives it who may."""
    hidden: bool = False
    """Whether amounts are not told before the result (CROWN 12.2.1)."""


def preview(state: TableState, act: acts.Act, stamp: Stamp) -> Preview:
    """Raises `Elsewhere` where the act names something that has fallen out of the state."""
    decision = decide(state, act, stamp)
    events = _events(state, act, stamp)
    refusal = decision if isinstance(decision, Refused) else None
    effects = effects_of(state, events)
    if is_hidden_coup(state) and any(one.before_cents is None for one in effects):
        return Preview(refusal, hidden=True)
    return Preview(refusal, effects)


def _events(state: TableState, act: acts.Act, stamp: Stamp) -> tuple[Event, ...]:
    """What happens in the end: the true cards of a coup move nothing before it is settled again."""
    senior = replace(stamp, role=Role.CASINO_SUPERVISOR)
    events = foreseen(state, act, senior)
    if isinstance(events, Refused):
        return ()
    if isinstance(act, acts.Correct):
        then = foreseen(fold(events, state), acts.Recalculate(), senior)
        return events if isinstance(then, Refused) else (*events, *then)
    return events
