"""How a session stands at its table: scores, who is bust, and what others may see of a coup.

Nothing of it is stored: it follows from the session's ledger.
"""

from collections.abc import Mapping, Sequence

from sabot.rules.terms import Settlement
from sabot.table.corrections.evolving import last_played
from sabot.table.phase import Phase
from sabot.table.sessions.state import SeatInSession, SeatStatus, SessionState
from sabot.table.state import TableState


def score_at(state: TableState, station: str) -> int:
    """The balance less what is owed after corrections; it may be negative (G-126)."""
    return state.purse(station).total - state.owed(station)


def scores_of(state: TableState, session: SessionState) -> dict[int, int]:
    """By entrant; who has not arrived has none, and who has left the session keeps the last one."""
    return scores_after(state, session, {})


def scores_after(
    state: TableState, session: SessionState, settlements: Mapping[str, Sequence[Settlement]]
) -> dict[int, int]:
    """The scores once these wagers, which lie on the layout, are settled."""
    purses, someone_owes = state.ledger.purses, state.anybody_owes
    scores = {}
    for station, seat in session.seats.items():
        if seat.status is SeatStatus.PLAYING:
            score = purses[station].total
            if station in settlements:
                score += sum([one.net_cents for one in settlements[station]])
            scores[seat.entrant] = score - state.owed(station) if someone_owes else score
        elif seat.status is SeatStatus.CLOSED:
            scores[seat.entrant] = seat.score
    return scores


def is_bust(state: TableState, station: str) -> bool:
    """Whether the purse is below every minimum; the seat stays, and so does the score."""
    least = min((state.limits[bet].minimum for bet in state.offered), default=0)
    return state.purse(station).total < max(1, least, state.aggregate_minimum)


def is_hidden_coup(state: TableState) -> bool:
    """Whether the wagers of the coup under way are shown to others only after its result.

    With minutes alone nobody knows which coups are the last, so each of them may be (G-124).
    """
    session = state.session
    if session is None or state.coup is None or state.coup.dummy:
        return False
    left, hidden = session.left, session.terms.hidden_last_coups
    return session.terms.shown == "after_result" or (hidden > 0 if left is None else left <= hidden)


def wagers_hidden(state: TableState) -> bool:
    """Whether nobody may see another's wagers now: before the close never, and not before the result of a hidden coup.

    Wagers are simultaneous, so that nobody has more to go by than others (G-122).
    """
    if state.session is None or state.coup is None:
        return False
    return state.phase is Phase.WAGERING or is_hidden_coup(state)


def changes_by_entrant(
    state: TableState, coup: int, settlements: Mapping[str, list[Settlement]], seats: Mapping[str, SeatInSession]
) -> dict[int, int]:
    """What another settlement of a coup adds to each entrant's score, or takes from it."""
    changes, played = {}, last_played(state, coup)
    entrants = {seat.control: seat.entrant for seat in seats.values()}
    for station, booked in played.settlements.items():
        should = settlements.get(station, [])
        change = sum(one.net_cents for one in should) - sum(one.net_cents for one in booked)
        if change:
            changes[entrants[played.controls[station]]] = change
    return changes


def with_forfeits(
    changes: Mapping[int, int], forfeits: Mapping[str, int], seats: Mapping[str, SeatInSession]
) -> dict[int, int]:
    """The changes with what was forfeited in a coup that has no effect, which goes back to the scores (13.4)."""
    after = dict(changes)
    for station, lost in forfeits.items():
        entrant = seats[station].entrant
        after[entrant] = after.get(entrant, 0) + lost
    return {entrant: change for entrant, change in after.items() if change}
