"""What acts of play demand before anything else: an entrant, a round, a Director who is there."""

from sabot.tournament.conditions.parts import RoundPart
from sabot.tournament.entry.entrants import entrant_in
from sabot.tournament.refusal import TournamentCause, TournamentNo
from sabot.tournament.state import OUT, Entrant, EntrantStatus, TournamentState

NOT_PLAYING = OUT | {EntrantStatus.REGISTERED, EntrantStatus.WAITING, EntrantStatus.PLACED}


def an_entrant_in_play(state: TournamentState, number: int, out: frozenset[EntrantStatus] = NOT_PLAYING) -> Entrant:
    return entrant_in(state, number, out)


def the_round(state: TournamentState, name: str, session: int = 1) -> RoundPart:
    if not state.versions:
        raise TournamentNo(TournamentCause.NO_CONDITIONS)
    part = state.round(name)
    if part is None or not 1 <= session <= part.sessions:
        raise TournamentNo(TournamentCause.UNKNOWN_ROUND, round=name, session=session)
    return part


def director_present(state: TournamentState) -> None:
    if not state.present:
        raise TournamentNo(TournamentCause.DIRECTOR_AWAY)


def session_on(state: TournamentState) -> tuple[str, int]:
    if state.on is None:
        raise TournamentNo(TournamentCause.NO_SESSION)
    return state.on
