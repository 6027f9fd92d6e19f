"""Who competes for what in a round that is being played: what `determined` needs to know (CROWN 12.3.5(a), G-127)."""

from collections.abc import Iterator

from sabot.rules.reach import reach_of
from sabot.rules.shipped import rule_set
from sabot.rules.terms import Terms
from sabot.tournament.conditions.parts import EachCoup, Missed, RoundKind, ScoreRule, TieBreak
from sabot.tournament.places.advancing import lines_from
from sabot.tournament.places.ranking import retired_score
from sabot.tournament.places.standing import round_scores
from sabot.tournament.sittings.determined import Certainty, Contender, CutLine, cuts_of, judge, prize_cuts
from sabot.tournament.sittings.finding import (
    RoundPlayed,
    final_scores,
    is_closed,
    is_there,
    ranked_sittings,
    round_played,
)
from sabot.tournament.state import EntrantStatus, Sitting, SittingState, TournamentState

_PLAYED_OUT = frozenset({SittingState.PLAYED, SittingState.CLOSED, SittingState.ABANDONED})
_NOT_RANKED = frozenset({EntrantStatus.DISQUALIFIED, EntrantStatus.EXCLUDED, EntrantStatus.ABSENT})


def verdict(state: TournamentState, known: str) -> Certainty:
    """Whether the remaining coups of a sitting can still change who progresses, with the bounds of everybody there."""
    played = round_played(state, state.sittings[known].round)
    assert played is not None
    game, wagers = state.conditions.game, state.conditions.wagers
    reach = reach_of(Terms(rule_set(game.rule_set), game.decks, game.options), game.limits)
    return judge(
        known,
        list(_contenders(state, played)),
        _cuts(state, played),
        reach,
        wagers.credits if wagers.each_coup is EachCoup.COMPULSORY else 0,
        count_back=not played.play_off and state.conditions.ranking.tie_breaks[0] is TieBreak.COUNT_BACK,
    )


def _cuts(state: TournamentState, played: RoundPlayed) -> tuple[CutLine, ...]:
    """The cuts of the next rounds; in the last round and in a play-off, every place that counts by itself."""
    lines = lines_from(played.of, state.conditions.rounds)
    if played.play_off:
        places = state.progress(played.of).play_offs[played.play_off - 1].places
        return (CutLine(places),) if lines else prize_cuts(places)
    return cuts_of(lines) if lines else prize_cuts(prize_places(state, played.name))


def prize_places(state: TournamentState, name: str) -> int:
    """How many places of a round have prizes: its own where it is secondary, the tournament's in the last round."""
    rounds = [part for part in state.conditions.rounds if part.kind is not RoundKind.SECONDARY]
    of = "" if name == rounds[-1].name else name
    return max((prize.place for prize in state.conditions.prizes if prize.of == of), default=0)


def _contenders(state: TournamentState, played: RoundPlayed) -> Iterator[Contender]:
    rounds = [part.name for part in state.conditions.rounds]
    earlier = [] if played.play_off else [round_scores(state, one) for one in rounds[: rounds.index(played.name)]]
    progresses = bool(lines_from(played.of, state.conditions.rounds))
    sittings = ranked_sittings(state, played.name)
    for known, sitting in sittings.items():
        for station in sitting.seats:
            one = _contender(state, played, known, sitting, station)
            retired = one is not None and state.entrants[str(one.entrant)].status is EntrantStatus.RETIRED
            if one is not None and not (retired and progresses):
                yield _with_earlier(state, one, earlier)
    called = {seat.entrant for sitting in sittings.values() for seat in sitting.seats.values()}
    for placed in state.progress(played.name).drawn or ():
        if placed.entrant not in called and state.entrants[str(placed.entrant)].status is EntrantStatus.SEATED:
            later = f"{played.name}/{placed.session}/{placed.table}"
            one = Contender(placed.entrant, later, played.credit, played.coups, awaited=True, noted=False)
            yield _with_earlier(state, one, earlier)


def _contender(
    state: TournamentState, played: RoundPlayed, known: str, sitting: Sitting, station: str
) -> Contender | None:
    """Somebody with a seat; None of who is not ranked and cannot come any more."""
    seat = sitting.seats[station]
    status = state.entrants[str(seat.entrant)].status
    scores = final_scores(sitting)
    score: int | None = scores.get(seat.entrant, seat.credit)
    if status is EntrantStatus.RETIRED:
        score = retired_score(state.conditions.leaving.retirement.score, scores.get(seat.entrant, seat.credit))
    there = is_there(sitting, station)
    if score is None or status in _NOT_RANKED or (not there and sitting.state in _PLAYED_OUT):
        return None
    told = sitting.told.get(station)
    return Contender(
        entrant=seat.entrant,
        sitting=known,
        score=score,
        left=_left(played, sitting),
        owed=0 if told is None else told.owed,
        bust=told is not None and told.bust,
        closed=is_closed(sitting, station) or sitting.state in _PLAYED_OUT,
        awaited=not there,
        noted=sitting.scores.last is not None and seat.entrant in sitting.scores.last,
        misses=_misses(state, 0 if told is None else told.warnings),
    )


def _left(played: RoundPlayed, sitting: Sitting) -> int | None:
    if sitting.state in _PLAYED_OUT:
        return 0
    if played.coups is None:
        return None
    return played.coups - sitting.counted


def _misses(state: TournamentState, warnings: int) -> int | None:
    """How many more missed wagers disqualify; None where a miss costs credits only, or nothing."""
    wagers = state.conditions.wagers
    if wagers.each_coup is not EachCoup.COMPULSORY or wagers.missed in (None, Missed.FORFEIT):
        return None
    return 1 if wagers.missed is Missed.DISQUALIFICATION else max(1, wagers.warnings + 1 - warnings)


def _with_earlier(state: TournamentState, one: Contender, earlier: list[dict[int, int]]) -> Contender:
    """What earlier rounds add to the score that is ranked."""
    before = [scores[one.entrant] for scores in earlier if one.entrant in scores]
    rule = state.conditions.ranking.score
    if rule is ScoreRule.TOTAL:
        return one._replace(earlier=sum(before))
    return one._replace(best=max(before)) if rule is ScoreRule.BEST and before else one
