"""Laws of play in a tournament: who may sit, news in any order, and ranks that follow from scores alone."""

from itertools import pairwise
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from sabot.basics.act import Act
from sabot.tournament import acts
from sabot.tournament import events as e
from sabot.tournament.evolve import fold
from sabot.tournament.places.advancing import advance, lines_from
from sabot.tournament.places.outcomes import outcome
from sabot.tournament.places.ranking import Parted, standing
from sabot.tournament.places.standing import contestants
from sabot.tournament.seats.seating import to_be_seated
from sabot.tournament.sentences import sentence
from sabot.tournament.snapshot import read_state, write_state
from sabot.tournament.state import OUT, EntrantStatus, TournamentState
from tests.tournament.desk import stamp
from tests.tournament.driving import Play
from tests.tournament.situations import at

OPEN = ("SPRING/heats/1/T1", "SPRING/heats/1/T2", "SPRING/heats/1/T3")


def _same(state: TournamentState) -> Any:
    """What a tournament knows, without the times at which it came to know it."""
    entrants = {number: replace(one, history=()) for number, one in state.entrants.items()}
    sittings = {known: replace(one, scores=(), why="") for known, one in state.sittings.items()}
    scores = {known: list(one.scores) for known, one in state.sittings.items()}
    return entrants, sittings, scores, state.phase, state.on, state.rounds


# News


@st.composite
def _news(draw: st.DrawFn) -> tuple[list[Act], list[Act]]:
    """What the tables tell in order, and the same in any other order, some of it several times."""
    play = at("heats_on")
    told: list[Act] = []
    for known in OPEN:
        for revision in range(1, draw(st.integers(1, 4))):
            score = draw(st.integers(0, 3000))
            entrant = next(seat.entrant for seat in play.state.sittings[known].seats.values())
            bust = (entrant,) if score == 0 else ()
            counted = [(coup, {entrant: coup * 100 + score}) for coup in range(1, revision + 1)]
            news = play.score_news(known, {}, counted=revision, revision=revision, bust=bust)
            told.append(replace(news, scores=tuple(acts.ScoreNews(*one) for one in counted)))
        table = play.state.sittings[known].table
        told += [
            acts.NoteTable(tournament=play.id, table=table, sitting=known, state=state)
            for state in draw(st.sampled_from([(), ("played",), ("played", "closed")]))
        ]
    doubled = draw(st.permutations([*told, *draw(st.lists(st.sampled_from(told)) if told else st.just([]))]))
    return told, doubled


def _after(news: list[Act]) -> TournamentState:
    play = at("heats_on")
    for one in news:
        play.do(one, "clock")  # type: ignore[arg-type]  # Acts of a tournament.
    return play.state


@given(_news())
def test_news_commute_and_a_repetition_changes_nothing(news: tuple[list[Act], list[Act]]) -> None:
    """Figures are whole and have a revision, states only go forward: so order, loss and doubling do not matter."""
    told, doubled = news
    in_order, mixed = _after(told), _after(doubled)
    assert _same(in_order) == _same(mixed)


# Ranks


@given(st.lists(st.integers(-5, 5), min_size=8, max_size=8), st.integers(0, 7), st.integers(1, 5))
def test_more_score_never_means_a_worse_rank(scores: list[int], who: int, more: int) -> None:
    play = at("heats_on")
    known = OPEN[1]
    numbers = [seat.entrant for seat in play.state.sittings[known].seats.values()]
    play.score(known, dict(zip(numbers, scores, strict=True)))
    before = _rank(play.state, known, numbers[who])
    play.score(known, {numbers[who]: scores[who] + more})
    assert _rank(play.state, known, numbers[who]) <= before


def _rank(state: TournamentState, known: str, number: int) -> int:
    ranked = standing(contestants(state, "heats")[known])
    return next(rank for rank, one in ranked if one.entrant == number)


@given(st.lists(st.integers(0, 3), min_size=40, max_size=40))
def test_a_standing_follows_from_the_scores_alone(scores: list[int]) -> None:
    """Two tournaments that came to the same scores on different ways have the same standing and the same outcome."""
    wanted = dict(enumerate(scores, start=1))
    one, other = at("heats_over"), at("heats_over")
    part = one.state.conditions.round("heats")
    for detour in (True, False):
        play = one if detour else other
        for known in [name for name, sitting in play.state.sittings.items() if sitting.round == "heats"]:
            seats = [seat.entrant for seat in play.state.sittings[known].seats.values()]
            if detour:
                play.do(play.score_news(known, dict.fromkeys(seats, 7.0), counted=1), "clock")
            play.do(play.score_news(known, {seat: wanted[seat] for seat in seats}, counted=1), "clock")
    assert outcome(one.state, part) == outcome(other.state, part)
    ranks = [rank for rank, _ in standing(each for at_t in contestants(one.state, "heats").values() for each in at_t)]
    assert all(earlier <= later for earlier, later in pairwise(ranks))


_SECOND_AND_THIRD = st.sampled_from([(50, 50), (50, 49), (50, 48), (50, 20), (20, 20)])


@given(st.lists(_SECOND_AND_THIRD, min_size=5, max_size=5), st.permutations(range(1, 41)))
def test_a_tie_that_needs_no_breaking_changes_nothing_in_any_order(
    close: list[tuple[int, int]], chance: list[int]
) -> None:
    """Where an outcome has no tie, every order of all equals sends the same entrants to the same rounds.

    Second and third of a table may be equal at its cut; then the other is a wild card, or not.
    """
    play = at("heats_over")
    heats = [known for known, sitting in play.state.sittings.items() if sitting.round == "heats"]
    for known, (second_has, third_has) in zip(heats, close, strict=True):
        first, second, next_best, *others = [seat.entrant for seat in play.state.sittings[known].seats.values()]
        scores = {first: 90, second: second_has, next_best: third_has} | dict.fromkeys(others, 10)
        play.do(play.score_news(known, scores, counted=1), "clock")
    found = outcome(play.state, play.state.conditions.round("heats"))
    if found.tie is None:
        places = {number: place for place, number in enumerate(chance)}
        lines = lines_from("heats", play.state.conditions.rounds)
        sittings = list(contestants(play.state, "heats").values())
        parts = Parted([places, places], [chance])
        decided = advance(lines, sittings, play.state.conditions.ranking.tie_breaks, parts)
        assert {to: set(them) for to, them in decided.through.items()} == {
            to: set(them) for to, them in found.through.items()
        }


# Who sits

_NUMBERS = st.integers(1, 16)
_LEAVES = ("retire", "disqualify", "exclude", "absent")


@settings(max_examples=settings().max_examples // 5)
@given(st.data())
def test_nobody_sits_who_is_out_and_nobody_sits_twice_in_a_round(data: st.DataObject) -> None:
    """A whole tournament in which people leave at any time: the seats of every call are checked (law 5)."""
    play = at("few")
    for name in ("heats", "repechage", "semi-final", "final"):
        if name == "repechage":
            _buy_back(play, data)
        if name == "final":
            _leave(play, data)
        _play_round(play, name, data)
    assert play.state.phase == "decided"
    _check_seats(play.history)


def _play_round(play: Play, name: str, data: st.DataObject) -> None:
    part = play.state.conditions.round(name)
    play.now_ms = max(play.now_ms, play.state.plays_by.starts_ms[name][0])
    if not to_be_seated(play.state, part):
        play.confirm(name)
        return
    play.draw(name)
    for session in sorted({placed.session for placed in play.state.progress(name).drawn or ()}):
        _leave(play, data)
        waiting = [one for table in play.places(name, session).values() for one in table]
        if any(play.status(one) is EntrantStatus.SEATED for one in waiting):
            play.call(name, session)
            _leave(play, data)
            play.play(name, session, data.draw(_scores))
    while not play.state.progress(name).confirmed:
        said = play.confirm(name)
        for tie in [one for one in said if isinstance(one, e.TieFound)]:
            play.play(f"{name}+{tie.play_off}", 1, data.draw(_scores))


_scores = st.dictionaries(_NUMBERS, st.integers(0, 3).map(float))


def _leave(play: Play, data: st.DataObject) -> None:
    numbers = data.draw(st.lists(_NUMBERS, max_size=2))
    for number in numbers:
        how = data.draw(st.sampled_from(_LEAVES))
        player = play.state.entrants[str(number)].player
        given = {
            "retire": acts.Retire(tournament=play.id, entrant=number),
            "disqualify": acts.Disqualify(tournament=play.id, entrant=number, ground="conduct", reason="A fight."),
            "exclude": acts.NoteExclusion(tournament=play.id, player=player),
            "absent": acts.DeclareAbsent(tournament=play.id, entrant=number),
        }[how]
        play.say(given, stamp("clock" if how == "exclude" else "TD1", play.now_ms))


def _buy_back(play: Play, data: st.DataObject) -> None:
    for number in data.draw(st.lists(_NUMBERS, max_size=5)):
        asked = play.say(acts.BuyBack(tournament=play.id, entrant=number), stamp("CA1", play.now_ms))
        for one in asked if isinstance(asked, tuple) else ():
            if isinstance(one, e.SlipRaised):
                play.note(one.slip)


def _check_seats(history: list[e.TournamentEvent]) -> None:
    state = TournamentState()
    seated: dict[str, set[int]] = {}
    for event in history:
        if isinstance(event, e.SessionCalled):
            numbers = [seat.entrant for one in event.sittings for seat in one.seats.values()]
            assert len(numbers) == len(set(numbers))
            assert seated.setdefault(event.round, set()).isdisjoint(numbers)
            seated[event.round].update(numbers)
            assert all(state.entrants[str(number)].status not in OUT for number in numbers)
        state = fold((event,), state)


@pytest.mark.parametrize("situation", ["at_three", "awarded", "corrected", "night_on", "play_off_due", "prizes_tied"])
def test_a_history_can_be_written_down_told_and_folded_to_the_same_state(situation: str) -> None:
    play = at(situation)
    read = msgspec.json.decode(msgspec.json.encode(play.history), type=list[e.AnyTournamentEvent])
    assert read == play.history
    assert all(sentence(event) for event in read)
    written = write_state(play.state)
    assert write_state(fold(read)) == written
    assert write_state(read_state(written)) == written
