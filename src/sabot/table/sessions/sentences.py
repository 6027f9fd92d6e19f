"""What happens at a table for a tournament, in plain words. Amounts are credits."""

from collections.abc import Callable, Mapping
from typing import Any

from sabot.basics.money import write_amount, write_net
from sabot.table import events as e


def _scores(scores: Mapping[int, int]) -> str:
    return ", ".join(f"entrant {number} {_credits(score)}" for number, score in scores.items()) or "nobody"


def _credits(score: int) -> str:
    return write_amount(score) if score >= 0 else f"−{write_amount(-score)}"


def _changes(changes: Mapping[int, int]) -> str:
    return ", ".join(f"entrant {number} {write_net(change)}" for number, change in changes.items()) or "no score"


def _left(event: e.SessionScored) -> str:
    return "" if event.left is None else f", {event.left} left"


TOLD: dict[type[e.Event], Callable[[Any], str]] = {
    e.TableReserved: lambda x: f"The table is reserved for tournament {x.tournament}",
    e.TableReleased: lambda x: f"The table is no longer reserved for tournament {x.tournament}",
    e.SessionOpened: lambda x: f"Session {x.terms.sitting} is opened with {len(x.seats)} seats; the money is put aside",
    e.SeatOpened: lambda x: (
        f"Entrant {x.entrant} takes {x.station} with {write_amount(x.credits)} credits"
        + (f", played by {x.substitute}" if x.substitute else "")
    ),
    e.SubstituteSeated: lambda x: (
        f"{x.substitute} plays at {x.station} for entrant {x.entrant}"
        if x.substitute
        else f"Entrant {x.entrant} plays at {x.station} in person"
    ),
    e.CreditsAdded: lambda x: f"Entrant {x.entrant} at {x.station} is given {write_amount(x.credits)} credits more",
    e.CreditsForfeited: lambda x: (
        f"Entrant {x.entrant} at {x.station} forfeits {write_amount(x.credits)} credits"
        + (f": no compulsory wager in coup {x.coup}" if x.coup else " for arriving late")
    ),
    e.ForfeitReturned: lambda x: (
        f"Entrant {x.entrant} at {x.station} has the {write_amount(x.credits)} credits back that coup {x.coup} cost"
    ),
    e.MissWarned: lambda x: (
        f"Entrant {x.entrant} at {x.station} did not make the compulsory wager of coup {x.coup}: warning {x.warnings}"
    ),
    e.SeatToClose: lambda x: f"{x.station} closes when its wagers are settled: {x.reason}",
    e.SeatClosed: lambda x: (
        f"Entrant {x.entrant} ends at {x.station} with a score of {_credits(x.score)}: {x.reason}; "
        f"{write_amount(x.credits)} credits go back"
    ),
    e.ConclusionAgreed: lambda x: f"Entrant {x.entrant} at {x.station} agrees to end after {x.counted} counted coups",
    e.SessionScored: lambda x: f"Coup {x.coup} counts as number {x.counted}{_left(x)}: {_scores(x.scores)}",
    e.SessionRescored: lambda x: (
        f"Scores change from coup {x.coup} on: {_changes(x.changes)}"
        + ("; the coup no longer counts" if x.uncounted else "")
    ),
    e.SessionPlayed: lambda x: f"Session {x.sitting} is played, {x.why}: {x.counted} coups counted",
    e.SessionClosed: lambda x: (
        f"Session {x.sitting} is closed, balances {x.balances}: {_scores(x.scores)}; the money is back"
    ),
    e.SessionCoupCorrected: lambda x: (
        f"{x.by} puts coup {x.coup} of session {x.sitting} right: {_changes(x.changes)}; nothing is booked"
    ),
}
