"""What signs change that are shown or taken down."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from sabot.table import events as e
from sabot.table.parts import put
from sabot.table.signs.posted import seen_from
from sabot.table.state import TableState


def _shown(state: TableState, event: e.SignShown) -> TableState:
    since = event.at_ms if event.shows else None
    notices = seen_from(state.notices, event.location, since)
    return replace(state, signs=put(state.signs, event.location, event.sign), notices=notices)


def _withdrawn(state: TableState, event: e.NoticeWithdrawn) -> TableState:
    sign = (event.kind, event.bet, event.cents, event.from_ms)
    kept = tuple(one for one in state.notices if (one.kind, one.bet, one.cents, one.from_ms) != sign)
    return replace(state, notices=kept)


APPLY: dict[type[e.Event], Callable[[TableState, Any], TableState]] = {
    e.SignShown: _shown,
    e.NoticeWithdrawn: _withdrawn,
}
