"""What bringing back changes: it adds to the state and changes nothing that is there."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from sabot.table import events as e
from sabot.table.history.shelved import read_control_sessions, read_shelved
from sabot.table.state import TableState


def _brought_back(state: TableState, event: e.BroughtBack) -> TableState:
    found, here = event.found, {one.coup for one in state.played}
    coups = tuple(read_shelved(one, state.terms) for one in found.coups if one.coup not in here)
    sessions, moved = read_control_sessions(found.sessions)
    missing = {number: one for number, one in sessions.items() if number not in state.sessions}
    return replace(
        state,
        played=(*coups, *state.played),
        sessions={**missing, **state.sessions},
        moved={**{number: moved[number] for number in missing if number in moved}, **state.moved},
        tickets={**found.tickets, **state.tickets},
        buy_ins={**found.buy_ins, **state.buy_ins},
        slips=(*(slip for slip in found.slips if slip not in state.slips), *state.slips),
        kept_sessions={**found.sittings, **state.kept_sessions},
        looked_for=(*state.looked_for, event.wanted),
    )


APPLY: dict[type[e.Event], Callable[[TableState, Any], TableState]] = {e.BroughtBack: _brought_back}
