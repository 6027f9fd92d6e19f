"""What happens at a table for a tournament, in plain words. Amounts are credits."""

from collections.abc import Callable, Mapping
from typing import Any

from sabot.basics.phrase import Phrase, listed, of, part, phrase
from sabot.table import events as e
from sabot.table.phrases import PHRASES


def _scores(scores: Mapping[int, int]) -> Phrase:
    told = (phrase("entrant_scored", number=number, scored=_credits(score)) for number, score in scores.items())
    return listed(told, empty="nobody")


def _credits(score: int) -> Phrase:
    return phrase("score_of", cents=score) if score >= 0 else phrase("score_below_zero", cents=-score)


def _changes(changes: Mapping[int, int]) -> Phrase:
    told = (phrase("entrant_changed", number=number, change_cents=change) for number, change in changes.items())
    return listed(told, empty="no_score")


def _of(event: e.Event, **values: str | int | Phrase) -> Phrase:
    return of(event, PHRASES, **values)


def _forfeited(event: e.CreditsForfeited) -> Phrase:
    why = phrase("for_no_wager", coup=event.coup) if event.coup else phrase("for_lateness")
    return _of(event, credit_cents=event.credits, for_what=why)


def _seated(event: e.SubstituteSeated) -> Phrase:
    if event.substitute:
        return _of(event)
    return phrase("seated_in_person", entrant=event.entrant, station=event.station)


TOLD: dict[type[e.Event], Callable[[Any], Phrase]] = {
    e.SessionOpened: lambda x: _of(x, sitting=x.terms.sitting, seats=len(x.seats)),
    e.SeatOpened: lambda x: _of(
        x,
        credit_cents=x.credits,
        played_by=part(x.substitute, "played_by", substitute=x.substitute),
    ),
    e.SubstituteSeated: _seated,
    e.CreditsAdded: lambda x: _of(x, credit_cents=x.credits),
    e.CreditsForfeited: _forfeited,
    e.ForfeitReturned: lambda x: _of(x, credit_cents=x.credits),
    e.SeatClosed: lambda x: _of(x, scored=_credits(x.score), credit_cents=x.credits),
    e.SessionScored: lambda x: _of(
        x, coups_left="" if x.left is None else phrase("coups_left", left=x.left), scores=_scores(x.scores)
    ),
    e.SessionRescored: lambda x: _of(x, changed=_changes(x.changes), uncounted=part(x.uncounted, "coup_uncounted")),
    e.SessionPlayed: lambda x: _of(x, played_why=x.why),
    e.SessionClosed: lambda x: _of(x, scores=_scores(x.scores)),
    e.SessionCoupCorrected: lambda x: _of(x, changed=_changes(x.changes)),
}
