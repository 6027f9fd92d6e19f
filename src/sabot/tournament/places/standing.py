"""Where everybody stands: the one source of ranks, for progress, leader boards and prizes.

Nothing here is stored. A standing follows from the scores as noted, and from what play-offs and lots said.
"""

from collections.abc import Iterator, Mapping

from sabot.tournament.conditions.parts import RoundKind
from sabot.tournament.places.ranking import Contestant, Parted, ranked_score, retired_score
from sabot.tournament.sittings.finding import final_scores, is_there, play_off_name, ranked_sittings
from sabot.tournament.state import EntrantStatus, Sitting, TournamentState

_NEVER_CAME = -(10**15)
"""The score in a play-off of an entrant who did not play it: below every other."""
_UNRANKED = frozenset({EntrantStatus.DISQUALIFIED, EntrantStatus.EXCLUDED, EntrantStatus.WITHDRAWN})


def round_scores(state: TournamentState, name: str) -> dict[int, int]:
    """The score of everybody who played in a round, as noted."""
    return {
        number: score
        for sitting in ranked_sittings(state, name).values()
        for number, score in final_scores(sitting).items()
    }


def contestants(state: TournamentState, name: str, *, count_back: bool = True) -> dict[str, tuple[Contestant, ...]]:
    """Everybody who is ranked in a round, by sitting; without `count_back` the earlier balances are left out."""
    rounds = [part.name for part in state.conditions.rounds]
    earlier = [round_scores(state, one) for one in rounds[: rounds.index(name)]]
    return {
        known: tuple(_ranked(state, sitting, earlier, count_back=count_back))
        for known, sitting in ranked_sittings(state, name).items()
    }


def _ranked(
    state: TournamentState, sitting: Sitting, earlier: list[dict[int, int]], *, count_back: bool
) -> Iterator[Contestant]:
    scores = final_scores(sitting)
    progress = state.progress(sitting.round)
    known = frozenset(progress.ranked) if progress.confirmed else None
    trail, rule = tuple(sitting.scores) if count_back else (), state.conditions.ranking.score
    for station, seat in sorted(sitting.seats.items(), key=lambda one: one[1].entrant):
        number = seat.entrant
        if known is not None and number not in known:
            continue
        score = _standing_score(state, sitting.round, number, scores.get(number, seat.credit))
        if score is None:
            continue
        before = [one[number] for one in earlier if number in one]
        yield Contestant(
            entrant=number,
            score=ranked_score(rule, [*before, score]),
            history=[at[number] for at in trail if number in at],
            earlier=sum(before),
            played=is_there(sitting, station),
        )


def _standing_score(state: TournamentState, name: str, number: int, score: int) -> int | None:
    """What is ranked of a score; None for an entrant who is not ranked in this round.

    Who left after the round was confirmed keeps the rank in it, and who retired in a later round retired there.
    """
    status = state.entrants[str(number)].status
    if status is EntrantStatus.RETIRED and last_place(state, number) == name:
        return retired_score(state.conditions.leaving.retirement.score, score)
    return None if status in _UNRANKED and not state.progress(name).confirmed else score


def last_place(state: TournamentState, number: int) -> str:
    """The last round in which an entrant has a place, or nothing."""
    for part in reversed(state.conditions.rounds):
        drawn = state.progress(part.name).drawn or ()
        seats = (seat for one in ranked_sittings(state, part.name).values() for seat in one.seats.values())
        if any(placed.entrant == number for placed in drawn) or any(seat.entrant == number for seat in seats):
            return part.name
    return ""


def parted(state: TournamentState, *names: str) -> Parted:
    """What the play-offs and the lots of these rounds have said."""
    return Parted(
        play_offs=[
            _play_off_scores(state, name, one.number, one.entrants)
            for name in names
            for one in state.progress(name).play_offs
            if one.done
        ],
        lots=[order for name in names for order in state.progress(name).broken],
    )


def _play_off_scores(state: TournamentState, name: str, number: int, entrants: tuple[int, ...]) -> Mapping[int, int]:
    scores = round_scores(state, play_off_name(name, number))
    return {one: scores.get(one, _NEVER_CAME) for one in entrants}


def final_contestants(state: TournamentState) -> tuple[Contestant, ...]:
    """Everybody who played, by the last round that they reached; secondary rounds have places of their own (G-138)."""
    found: dict[int, Contestant] = {}
    for at, part in enumerate(state.conditions.rounds):
        if part.kind is not RoundKind.SECONDARY:
            for sitting in contestants(state, part.name).values():
                found.update({one.entrant: one._replace(reached=at) for one in sitting if one.played})
    still = (one for one in found.values() if state.entrants[str(one.entrant)].status not in _UNRANKED)
    return tuple(sorted(still, key=lambda one: one.entrant))
