"""What happened in a tournament, in plain words, and as phrases for every language of the pages."""

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from sabot.basics.phrase import Phrase, either, in_english, listed, part, phrase, with_clause
from sabot.basics.phrase import of as sentence_of
from sabot.basics.role import Role
from sabot.tournament import events as e
from sabot.tournament.phrases import PHRASES


def told(event: e.TournamentEvent) -> Phrase:
    """What happened, with its clause."""
    return with_clause(_TOLD.get(type(event), _of)(event), event.clause)


def sentence(event: e.TournamentEvent) -> str:
    """The same in one English sentence."""
    return in_english(told(event), PHRASES)


def _of(event: e.TournamentEvent, **values: str | int | Phrase) -> Phrase:
    """A reason that was given stands behind a colon."""
    because = part(getattr(event, "reason", ""), "because", reason=getattr(event, "reason", ""))
    return sentence_of(event, PHRASES, **{"because": because, **values})


def _everybody(items: Iterable[str | int]) -> Phrase:
    """`1, 2 and 3`, or `nobody`."""
    return listed(items, "and", "nobody")


def _given(event: e.EntryOpened | e.EntryClosed) -> Phrase:
    return _of(event, giver=phrase("the_clock") if event.by == Role.CLOCK else event.by)


def _noted(event: e.TableNoted | e.SittingNoted) -> Phrase:
    return _of(event, because=part(event.why, "because", reason=event.why))


def _moment(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")


def _raised(x: e.SlipRaised) -> Phrase:
    accounts = (phrase("account_part", cents=cents, account=name.replace("_", " ")) for name, cents in x.parts.items())
    usual = _of(
        x,
        purpose=x.purpose.replace("_", " "),
        of_round=part(x.of, "of_round", round=x.of),
        accounts=listed(accounts, "and", "nobody"),
    )
    return either(usual, x.direction == "take", "slip_raised_to_take")


def _seats(one: e.SittingCalled) -> Phrase:
    seated = (
        phrase(
            "seat_called",
            entrant=seat.entrant,
            station=station,
            credit_cents=seat.credit,
            absent=part(not seat.present, "seat_is_absent"),
        )
        for station, seat in one.seats.items()
    )
    return phrase("table_seats", table=one.table, seats=listed(seated, empty="nobody"))


def _concluded(x: e.ConclusionOrdered) -> Phrase:
    reached = listed(
        phrase("reach_of", entrant=entrant, low_cents=low, high_cents=high) for entrant, (low, high) in x.bounds.items()
    )
    return _of(x, agreed=part(x.by_agreement, "all_agree"), bounds=part(x.bounds, "within_reach", entrants=reached))


def _scores(event: e.ScoreNoted) -> str | Phrase:
    if not event.scores:
        return ""
    newest = max(event.scores, key=lambda one: one.counted)
    told = (phrase("entrant_has", entrant=entrant, score_cents=score) for entrant, score in newest.scores.items())
    return phrase("scores_after", coup=newest.counted, entrants=listed(told, empty="nothing_at_all"))


def _through(through: Mapping[str, tuple[int, ...]]) -> Phrase:
    told = (phrase("go_to", numbers=_everybody(entrants), round=name) for name, entrants in through.items())
    return listed(told, "semicolon", "nobody_goes_on")


def _drawn(x: e.SeatsDrawn) -> Phrase:
    seats = (
        phrase("seat_drawn", entrant=one.entrant, table=one.table, station=one.station, session=one.session)
        for one in x.places
    )
    return _of(x, drawn_words=x.words, seats=listed(seats, empty="nothing_at_all"))


def _broken(x: e.TieBroken) -> Phrase:
    usual = _of(
        x,
        tie_break=x.how.replace("_", " "),
        order=listed(x.entrants, empty="nothing_at_all"),
        by_words=part(x.words, "with_the_words", drawn_words=x.words),
    )
    return either(usual, x.how == "wild_cards", "wild_cards_drawn")


def _abandoned(x: e.SittingAbandoned) -> Phrase:
    usual = _of(x, abandonment=x.outcome)
    if x.moved_to is None:
        return usual
    return Phrase("abandoned_and_moved", {**usual.values, "moved": x.moved_to.sitting})


def _prize(one: e.PrizeAwarded) -> Phrase:
    won: dict[str, str | int] = {"cents": one.cents} if one.cents else {"prize": one.text.get("en", "")}
    code = "prize_of_money" if one.cents else "prize_of_kind"
    return phrase(code, place=one.place, of_all=part(one.of, "of_all", round=one.of), entrant=one.entrant, **won)


def _awarded(x: e.PrizesAwarded) -> Phrase:
    return _of(
        x,
        house_adds=part(x.house_adds_cents, "house_adds", cents=x.house_adds_cents),
        prizes=listed(map(_prize, x.prizes), "joined", "nothing_at_all"),
    )


def _named(x: e.DeputiesNamed) -> Phrase:
    people = phrase("with_deputies", people=_everybody(x.deputies)) if x.deputies else phrase("without_deputies")
    return _of(x, with_deputies=people)


_TOLD: dict[type[e.TournamentEvent], Callable[[Any], Phrase]] = {
    e.ConditionsSaved: lambda x: _of(x, digest=x.digest[:12]),
    e.DeputiesNamed: _named,
    e.ConditionsApproved: lambda x: _of(x, on_date=part(x.dated, "on_date", date=x.dated), digest=x.digest[:12]),
    e.EntryOpened: _given,
    e.EntryClosed: _given,
    e.ApplicationRefused: lambda x: _of(x, by_criterion=part(x.criterion, "by_criterion", criterion=x.criterion)),
    e.EntrantWithdrawn: lambda x: (
        phrase("withdrawn_with_refund", entrant=x.entrant, refund_cents=x.refund_cents) if x.refund_cents else _of(x)
    ),
    e.SignaturesRequired: lambda x: either(_of(x), x.on, "signatures_on"),
    e.EntrantsBriefed: lambda x: _of(x, numbers=_everybody(x.entrants)),
    e.SlipRaised: _raised,
    e.SlipNoted: lambda x: _of(x, in_tender=part(x.tender, "in_tender", tender=x.tender)),
    e.TablesDesignated: lambda x: _of(x, names=_everybody(x.tables)),
    e.TablesReleased: lambda x: _of(x, names=_everybody(x.tables)),
    e.TableNoted: _noted,
    e.DrawCommitted: lambda x: _of(x, digest=x.commitment[:12]),
    e.SeatsDrawn: _drawn,
    e.StartAltered: lambda x: _of(x, moment=_moment(x.to_ms)),
    e.SessionCalled: lambda x: _of(x, tables=listed(map(_seats, x.sittings), "semicolon", "nothing_at_all")),
    e.SittingNoted: _noted,
    e.ScoreNoted: lambda x: _of(
        x, coups_left_over=part(x.left is not None, "coups_left_over", left=x.left or 0), scores=_scores(x)
    ),
    e.ArrivalRecorded: lambda x: either(_of(x), x.late, "arrives_late"),
    e.EntrantAbsent: lambda x: _of(x, absence=x.outcome.replace("_", " ")),
    e.ConclusionOrdered: _concluded,
    e.ClosingOrdered: lambda x: _of(x, names=_everybody(x.sittings)),
    e.SittingAbandoned: _abandoned,
    e.TieFound: lambda x: _of(x, numbers=_everybody(x.entrants)),
    e.TieBroken: _broken,
    e.RoundConfirmed: lambda x: _of(x, going_on=_through(x.through), eliminated=_everybody(x.eliminated)),
    e.PlaceAdmitted: lambda x: _of(x, credit_cents=x.credit),
    e.PrizesAwarded: _awarded,
    e.StakesDue: lambda x: either(_of(x, amount_cents=abs(x.won_cents)), x.won_cents < 0, "stakes_due_lost"),
}
