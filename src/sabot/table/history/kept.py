"""Looking into the past of a table: what the state holds, or `Elsewhere` where it must be brought back first.

Every decision that names something old asks here. What was looked for and not found never was.
"""

from collections.abc import Mapping

from sabot.table.accounts.state import ControlSession, TableTicket, Tendered
from sabot.table.history.wanted import Elsewhere, Wanted
from sabot.table.sessions.state import KeptSession
from sabot.table.state import Played, TableState


def coup_here(state: TableState, number: int) -> Played | None:
    """The coup as it stands, where the state holds it."""
    return next((played for played in reversed(state.played) if played.coup == number), None)


def coup_as_settled(state: TableState, number: int) -> Played | None:
    """The coup as it stands; nothing where it is under way, was void or never was."""
    found = coup_here(state, number)
    if found is None and 0 < number <= state.fallen.coup:
        _look_for(state, Wanted("coup", number))
    return found


def control_session(state: TableState, control: int) -> ControlSession | None:
    found = state.sessions.get(control)
    if found is None and 0 < control <= state.fallen.control:
        _look_for(state, Wanted("session", control))
    return found


def newest_session_of(state: TableState, patron: str, station: str) -> int | None:
    """The newest control session under this reference, at this station if one is named."""
    found = max((number for number, one in state.sessions.items() if _is_of(one, patron, station)), default=None)
    if state.fallen.control and (found is None or found <= state.fallen.control):
        _look_for(state, Wanted("patron", name=patron))
    return found


MOST_COUPS_WON = 300
"""Coups of a patron, the newest ones, whose winnings can be seized (G-143)."""


def coups_since(state: TableState, since_ms: int, control: int, patron: str) -> tuple[Played, ...]:
    """The coups since then; of those that fell out, the ones in which this patron had wagers."""
    if since_ms <= state.fallen.at_ms:
        _look_for(state, Wanted("won", control, patron, max(0, since_ms)))
    return tuple(one for one in state.played if one.at_ms >= since_ms)


def ticket_issued(state: TableState, number: str) -> TableTicket | None:
    found = state.tickets.get(number)
    if found is None and state.fallen.tickets:
        _look_for(state, Wanted("ticket", name=number))
    return found


MOST_NAMED = 10
"""Control sessions, the newest ones, that are named when it must be said whose buy-in is meant."""


def newest_first(buy_ins: Mapping[int, Tendered]) -> dict[int, Tendered]:
    return {number: buy_ins[number] for number in sorted(buy_ins, reverse=True)}


def buy_ins_like(state: TableState, wanted: Wanted) -> Mapping[int, Tendered]:
    """The buy-ins, newest first; of those that fell out, the ones that are wanted."""
    if state.fallen.buy_ins:
        _look_for(state, wanted)
    return newest_first(state.buy_ins)


def is_used_slip(state: TableState, slip: str) -> bool:
    if slip not in state.slips and state.fallen.slips:
        _look_for(state, Wanted("slip", name=slip))
    return slip in state.slips


def session_kept(state: TableState, sitting: str) -> KeptSession | None:
    """The session of a tournament that was played here."""
    found = state.kept_sessions.get(sitting)
    if found is None and sitting and state.fallen.sittings:
        _look_for(state, Wanted("sitting", name=sitting))
    return found


def _is_of(session: ControlSession, patron: str, station: str) -> bool:
    return session.patron == patron and (not station or session.station == station)


def _look_for(state: TableState, wanted: Wanted) -> None:
    if wanted not in state.looked_for:
        raise Elsewhere(wanted)
