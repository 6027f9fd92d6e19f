"""What became durable, as the scorecard takes it in."""

from collections.abc import Sequence

from sabot.floor.table_owner.effects import Happening
from sabot.table.events import WagersChanged
from sabot.views.scorecard import Scorecard, Touch


def is_touch(happening: Happening) -> bool:
    events = happening.events
    return happening.act is not None and len(events) == 1 and type(events[0]) is WagersChanged


def folded(card: Scorecard, unseen: Sequence[Happening]) -> Scorecard:
    touches = list[Touch]()
    for happening in unseen:
        stamp, events, state = happening.stamp, happening.events, happening.state
        if happening.act is None:
            continue
        if len(events) == 1 and type(events[0]) is WagersChanged:
            touches.append(Touch(state, stamp.at_ms, events[0]))
            continue
        if touches:
            card, touches = card.touched(touches), []
        card = card.then(state, happening.act, stamp, happening.decision)
    return card.touched(touches) if touches else card
