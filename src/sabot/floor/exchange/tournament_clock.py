"""What time itself does in a tournament: entry opens and closes at its times, and draws become due."""

from collections.abc import Iterator

from sabot.basics.stamp import clock_stamp
from sabot.floor.exchange.table_to_tournament import TournamentStamped
from sabot.tournament import acts
from sabot.tournament.entry.entering import due
from sabot.tournament.phase import TournamentPhase
from sabot.tournament.places.awarding import prize_label_to_open
from sabot.tournament.places.outcomes import label_to_open
from sabot.tournament.seats.seating import seat_draws_due
from sabot.tournament.state import SittingState, TournamentState


def tournament_by_clock(tournament: TournamentState, at_ms: int) -> list[TournamentStamped]:
    """The opening or closing of entry that is due now."""
    kind = due(tournament, at_ms)
    return [] if kind is None else [TournamentStamped(kind(tournament=tournament.tournament), clock_stamp(at_ms))]


def draws_due(tournament: TournamentState, at_ms: int) -> list[str]:
    """The labels of the draws whose commitment is to be published now: seats, and lots that may be needed."""
    if not tournament.versions:
        return []
    return [*seat_draws_due(tournament, at_ms), *_lots_due(tournament)]


def _lots_due(tournament: TournamentState) -> Iterator[str]:
    """Where the scores of a round leave a tie or a wild card to a draw, or equals share a prize (G-103, G-139)."""
    for part in tournament.conditions.rounds:
        label = label_to_open(tournament, part.name)
        if label is not None and label not in tournament.commitments:
            yield label
    prizes = prize_label_to_open(tournament) if tournament.phase is TournamentPhase.DECIDED else None
    if prizes is not None and prizes not in tournament.commitments:
        yield prizes


def waits_for_time(tournament: TournamentState) -> bool:
    """Whether the mere passing of time may move it: not while sittings are under way that are measured in coups."""
    part = tournament.round(tournament.on[0]) if tournament.on else None
    timed = part is not None and part.minutes is not None
    sittings = (one.state for one in tournament.sittings.values())
    return timed or tournament.phase is not TournamentPhase.IN_SESSION or SittingState.CALLED in sittings


def committing(tournament: TournamentState, draw: str, commitment: str, at_ms: int) -> TournamentStamped:
    """The commitment of a draw, published before words are drawn (CROWN 12.1.1)."""
    act = acts.CommitDraw(tournament=tournament.tournament, draw=draw, commitment=commitment)
    return TournamentStamped(act, clock_stamp(at_ms))
