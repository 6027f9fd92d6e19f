"""Entrants as the acts look at them: by number, by status, and where they sit."""

from collections.abc import Collection

from sabot.tournament.phase import ENDED
from sabot.tournament.refusal import TournamentCause, TournamentNo
from sabot.tournament.sittings.finding import is_there
from sabot.tournament.state import OUT, Entrant, EntrantStatus, TournamentState


def known_entrant(state: TournamentState, number: int) -> Entrant:
    entrant = state.entrant(number)
    if entrant is None:
        raise TournamentNo(TournamentCause.UNKNOWN_ENTRANT, entrant=number)
    return entrant


def entrant_in(state: TournamentState, number: int, out: Collection[EntrantStatus] = OUT) -> Entrant:
    """An entrant who is still in the tournament, or may come to be; in none of these statuses."""
    entrant = known_entrant(state, number)
    if entrant.status in out:
        raise not_in_play(number, entrant)
    return entrant


def not_in_play(number: int, entrant: Entrant) -> TournamentNo:
    status = entrant.status.value.replace("_", " ")
    return TournamentNo(TournamentCause.NOT_IN_PLAY, entrant=number, status=status)


def by_number(state: TournamentState, statuses: Collection[EntrantStatus]) -> list[tuple[int, Entrant]]:
    """Those with such a status, in the order of their numbers."""
    return sorted((int(key), one) for key, one in state.entrants.whole().items() if one.status in statuses)


def count(state: TournamentState, statuses: Collection[EntrantStatus]) -> int:
    return sum(one.status in statuses for one in state.entrants.whole().values())


def was_given_credits(state: TournamentState, number: int, name: str) -> bool:
    """Whether the entrant sat down in the round, from its call or later."""
    return any(
        seat.entrant == number and is_there(sitting, station)
        for sitting in state.sittings.values()
        if sitting.round == name
        for station, seat in sitting.seats.items()
    )


def has_played(state: TournamentState, number: int) -> bool:
    """Whether a session was called in which the entrant has a seat."""
    return any(seat.entrant == number for one in state.sittings.values() for seat in one.seats.values())


def excludable(state: TournamentState, number: int) -> bool:
    """Whether an exclusion still changes anything: who is out or has a final place stays so (G-132)."""
    status = state.entrants[str(number)].status
    return state.phase not in ENDED and status not in OUT and status is not EntrantStatus.PLACED


def next_order(state: TournamentState) -> int:
    """The number of the next order to a table."""
    return state.orders + 1
