"""The end of one entrant's play: chips that can be lifted are, what runs is settled, and the credits go back."""

from typing import NamedTuple

from sabot.basics.stamp import Stamp
from sabot.table import acts
from sabot.table.accounts import deciding as accounts
from sabot.table.events import DirectedToLeave, Event, SeatClosed, SeatToClose
from sabot.table.evolve import fold
from sabot.table.sessions.standing import score_at
from sabot.table.sessions.state import SeatStatus, SessionState
from sabot.table.state import TableState
from sabot.table.wagers.deciding import cleared


class Ending(NamedTuple):
    """Why an entrant's play ends."""

    reason: str
    clause: str
    order: int = 0
    """Of the tournament, where it is one."""
    at_the_end: bool = False
    """Whether the session ends, too."""


def direct_to_leave(state: TableState, act: acts.DirectToLeave, stamp: Stamp) -> tuple[Event, ...]:
    """In a session who is directed to leave is out of it: nothing is held to be paid, and the seat closes (G-132)."""
    events = accounts.direct_to_leave(state, act, stamp)
    if state.session is None:
        return events
    directed = next(event for event in events if isinstance(event, DirectedToLeave))
    after = fold((directed,), state)
    return (directed, *end_of_play(after, act.station, stamp.at_ms, Ending(act.reason, directed.clause)))


def end_of_play(state: TableState, station: str, at_ms: int, ending: Ending) -> tuple[Event, ...]:
    session = state.session
    assert session is not None
    seat = session.seats[station]
    if accounts.is_running(state, station, at_ms):
        waits = SeatToClose(
            sitting=session.sitting,
            station=station,
            entrant=seat.entrant,
            reason=ending.reason,
            order=ending.order,
            clause=ending.clause,
        )
        return (waits,)
    lifted = cleared(state, station, ending.clause)
    return (*lifted, closed_seat(fold(lifted, state), session, station, ending))


def closed_seat(state: TableState, session: SessionState, station: str, ending: Ending) -> SeatClosed:
    """Who never came has nothing to return."""
    seat = session.seats[station]
    playing = seat.status is SeatStatus.PLAYING
    return SeatClosed(
        sitting=session.sitting,
        station=station,
        entrant=seat.entrant,
        credits=state.purse(station).balance if playing else 0,
        score=score_at(state, station) if playing else 0,
        reason=ending.reason,
        at_the_end=ending.at_the_end,
        order=ending.order,
        clause=ending.clause,
    )
