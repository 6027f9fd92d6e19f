"""What falls out of a table's state when a coup is settled, so that a state does not grow with the table's life.

The newest coups stay, and every coup that something open names: a correction under way, a doubt, an open case, a
resolution that can be taken back. Of control sessions, buy-ins, tickets, closed cases, slips and tournaments' sessions
the newest stay, with those that something in the state still names. What fell out is brought back by a record when an
act names it (`kept.py`).
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from msgspec.structs import replace

from sabot.ledger.account import OF_SESSIONS_OVER
from sabot.table.accounts.state import TableTicket, TableTicketStatus, Tendered
from sabot.table.cases.state import Case, CaseKind
from sabot.table.state import Played, TableState

K = TypeVar("K")
V = TypeVar("V")

SWEEP_EVERY = 16
"""Coups from one look at everything beside the coups to the next: it goes through all of it."""


def trimmed(state: TableState) -> TableState:
    """The state without what is too old for it; in a state that keeps everything, nothing is."""
    if not state.keeps:
        return state
    newest = state.coups if state.coup is None else state.coups - 1
    floor = max(state.fallen.coup, newest - state.keeps)
    named = frozenset(_named_coups(state))
    played = tuple(one for one in state.played if one.coup > floor or one.coup in named)
    at_ms = max((one.at_ms for one in state.played if one.coup <= floor), default=state.fallen.at_ms)
    fallen = replace(state.fallen, coup=floor, at_ms=max(at_ms, state.fallen.at_ms))
    state = replace(state, played=played, fallen=fallen, looked_for=())
    return _swept(state) if newest % min(SWEEP_EVERY, state.keeps) == 0 else state


def _named_coups(state: TableState) -> Iterator[int]:
    """The coups of which something is open."""
    if state.correction is not None:
        yield state.correction[0]
    if state.resolved is not None and state.resolved.made_invalid is not None:
        yield state.resolved.made_invalid
    if state.period is not None:
        yield state.period.coup
    yield from (doubt.coup for doubt in state.doubts)
    yield from (case.coup for case in state.cases.values() if not case.closed)


def _swept(state: TableState) -> TableState:
    keeps = state.keeps
    cases = {number: one for number, one in state.cases.items() if _stays(one, number > state.cases_opened - keeps)}
    doubts = tuple(one for one in state.doubts if one.declared or one.coup > state.fallen.coup)
    tickets = _newest(state.tickets, keeps, _tickets_in_question(state.tickets))
    controls = {station.control for station in state.stations.values()}
    due = {number for number, one in state.buy_ins.items() if one.control in controls}
    buy_ins = _newest(state.buy_ins, keeps, due)
    tournament = None if state.reserved is None else state.reserved.tournament
    at_work = {name for name, one in state.kept_sessions.items() if one.terms.tournament == tournament}
    sittings, slips = _newest(state.kept_sessions, keeps, at_work), state.slips[-keeps:]
    fallen = replace(
        state.fallen,
        tickets=state.fallen.tickets + len(state.tickets) - len(tickets),
        buy_ins=state.fallen.buy_ins + len(state.buy_ins) - len(buy_ins),
        sittings=state.fallen.sittings + len(state.kept_sessions) - len(sittings),
        slips=state.fallen.slips + len(state.slips) - len(slips),
    )
    return _without_old_sessions(
        replace(
            state,
            ledger=state.ledger.without_paid_debts(),
            cases=cases,
            doubts=doubts,
            tickets=tickets,
            buy_ins=buy_ins,
            kept_sessions=sittings,
            slips=slips,
            fallen=fallen,
        )
    )


def _without_old_sessions(state: TableState) -> TableState:
    named = frozenset(_named_sessions(state, state.played, state.buy_ins.values()))
    floor = max(state.fallen.control, state.controls - state.keeps)
    sessions = {number: one for number, one in state.sessions.items() if number > floor or number in named}
    moved = {number: station for number, station in state.moved.items() if number in sessions}
    return replace(state, sessions=sessions, moved=moved, fallen=replace(state.fallen, control=floor))


def _named_sessions(state: TableState, played: Iterable[Played], buy_ins: Iterable[Tendered]) -> Iterator[int]:
    """Who is here, whose wagers, buy-ins and cases are kept, for whom money waits, and who was last at a station."""
    here = {station.control for station in state.stations.values()}
    yield from here
    for coup in played:
        yield from coup.controls.values()
    yield from (one.control for one in buy_ins)
    yield from (case.control for case in state.cases.values())
    for account, cents in state.money_ledger.books.items():
        if cents and account.kind in OF_SESSIONS_OVER:
            yield int(account.part)
    disputes = [one for one in state.cases.values() if one.kind is CaseKind.DISPUTE and not one.closed]
    for newest in (state.controls, *(case.as_of for case in disputes)):
        last: dict[str, int] = {}
        for number, one in state.sessions.items():
            if number <= newest and number not in here:
                last[one.station] = max(number, last.get(one.station, 0))
        yield from last.values()


def _stays(case: Case, is_new: bool) -> bool:  # noqa: FBT001
    """Open cases, those on which a person is detained, and those on which something was seized (G-143)."""
    return is_new or not case.closed or case.detained_ms is not None or bool(case.seized_in_all)


def _tickets_in_question(tickets: Mapping[str, TableTicket]) -> set[str]:
    """The newest of each station, which its screen shows, and those that wait to be paid by hand."""
    newest = {one.station: number for number, one in tickets.items()}
    waiting = TableTicketStatus.PRINT_FAILED
    unpaid = {number for number, one in tickets.items() if one.status is waiting and not one.handed_back}
    return unpaid.union(newest.values())


def _newest(held: Mapping[K, V], keeps: int, also: Iterable[K]) -> Mapping[K, V]:
    if len(held) <= keeps:
        return held
    stays = {*also, *list(held)[-keeps:]}
    return {key: one for key, one in held.items() if key in stays}
