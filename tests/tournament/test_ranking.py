"""Ranks and tie-breaks: a function of scores alone, the same whatever the order in which entrants are looked at."""

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.tournament.conditions.parts import RetiredScore, ScoreRule, TieBreak
from sabot.tournament.places.ranking import (
    BoardLine,
    Contestant,
    Equals,
    Parted,
    board_of,
    moved,
    order,
    rank_of,
    ranked_score,
    retired_score,
    standing,
)

COUNT_BACK, EARLIER, PLAY_OFF, LOTS = TieBreak
SPRING = (COUNT_BACK, PLAY_OFF, LOTS)

contestants = st.lists(
    st.builds(
        Contestant,
        st.integers(1, 60),
        st.integers(-3, 3),
        st.lists(st.integers(0, 2), max_size=4),
        st.integers(0, 2),
        played=st.booleans(),
        reached=st.integers(0, 1),
    ),
    max_size=12,
    unique_by=lambda one: one.entrant,
)
"""Few different figures, so that ties abound."""


def _ranks(*scores: int) -> list[int]:
    return [rank for rank, _ in standing(Contestant(number, score) for number, score in enumerate(scores, 1))]


def _groups(found: list[Equals]) -> list[tuple[int, ...]]:
    return [equals.entrants for equals in found]


@pytest.mark.clause("CROWN 12.2.1(d)", "G-103")
def test_equals_share_a_rank_and_the_next_ones_do_not_move_up() -> None:
    assert _ranks(5, 3, 3, 1) == [1, 2, 2, 4]
    assert _ranks(3, 3, 3) == [1, 1, 1]
    assert [one.entrant for _, one in standing([Contestant(9, 1), Contestant(2, 1), Contestant(4, 2)])] == [4, 2, 9]
    assert _ranks() == []


def test_absent_entrants_rank_below_everybody_who_played() -> None:
    found = standing([Contestant(1, 0, played=False), Contestant(2, -15_500), Contestant(3, 9, played=False)])
    assert [(rank, one.entrant) for rank, one in found] == [(1, 2), (2, 1), (2, 3)]


@pytest.mark.clause("G-103")
def test_who_had_more_a_coup_earlier_is_ahead_by_count_back() -> None:
    """Entrants 5 and 11 both end with 1,250.00; a coup earlier 5 had 1,150.00 and 11 had 1,100.00."""
    table = [
        Contestant(2, 140_000, [120_000, 140_000]),
        Contestant(11, 125_000, [110_000, 125_000]),
        Contestant(5, 125_000, [115_000, 125_000]),
    ]
    assert _groups(order(table, SPRING)) == [(2,), (5,), (11,)]


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ([9, 4, 2, 7], [8, 4, 2, 7], True),
        ([4, 2, 7], [4, 2, 7], False),
        ([4, 2, 7], [2, 7], False),
        ([1, 2, 7], [9, 3, 7], True),
        ([7], [7], False),
        ([], [], False),
    ],
)
def test_counting_back_goes_as_far_as_both_have_a_balance(one: list[int], other: list[int], apart: bool) -> None:
    found = order([Contestant(1, 7, one), Contestant(2, 7, other)], [COUNT_BACK, LOTS])
    assert len(found) == (2 if apart else 1)
    assert found[0].due is (None if apart else LOTS)


def test_several_are_counted_back_as_far_as_all_have_a_balance() -> None:
    """2 has no balance two coups back; so 1 and 3 are not parted by theirs, or 2 would be equal to both."""
    table = [Contestant(1, 7, [5, 6, 7]), Contestant(2, 7, [6, 7]), Contestant(3, 7, [4, 6, 7])]
    assert _groups(order(table, [COUNT_BACK, LOTS])) == [(1, 2, 3)]
    assert _groups(order([table[0], table[2]], [COUNT_BACK, LOTS])) == [(1,), (3,)]


@pytest.mark.clause("G-103")
def test_a_play_off_is_due_then_parts_then_is_repeated_once_then_lots_decide() -> None:
    tied = [Contestant(5, 7), Contestant(11, 7), Contestant(12, 7)]
    assert order(tied, SPRING) == [Equals(tuple(tied), PLAY_OFF)]
    first = {5: 39_500, 11: 20_500, 12: 20_500}
    found = order(tied, SPRING, Parted([first]))
    assert [(equals.entrants, equals.due) for equals in found] == [((5,), None), ((11, 12), PLAY_OFF)]
    second = {11: 30_000, 12: 30_000}
    found = order(tied, SPRING, Parted([first, second]))
    assert [(equals.entrants, equals.due) for equals in found] == [((5,), None), ((11, 12), LOTS)]
    assert _groups(order(tied, SPRING, Parted([first, second], [(12, 11)]))) == [(5,), (12,), (11,)]
    assert _groups(order(tied, SPRING, Parted([first, {11: 0, 12: 1}]))) == [(5,), (12,), (11,)]


def test_a_tie_break_after_one_that_is_due_waits_for_it() -> None:
    tied = [Contestant(1, 7, [1, 7]), Contestant(2, 7, [2, 7])]
    assert order(tied, [PLAY_OFF, COUNT_BACK, LOTS])[0].due is PLAY_OFF
    played_twice = Parted([{1: 5, 2: 5}, {1: 5, 2: 5}])
    assert _groups(order(tied, [PLAY_OFF, COUNT_BACK, LOTS], played_twice)) == [(2,), (1,)]


def test_earlier_rounds_part_equals_by_their_sum() -> None:
    tied = [Contestant(1, 7, earlier=10), Contestant(2, 7, earlier=12), Contestant(3, 7, earlier=10)]
    assert _groups(order(tied, [EARLIER, LOTS], Parted(lots=[(9, 3, 2, 1)]))) == [(2,), (3,), (1,)]


def test_lots_part_only_equals_who_were_all_drawn() -> None:
    tied = [Contestant(1, 7), Contestant(2, 7)]
    assert order(tied, [LOTS], Parted(lots=[(1, 3)])) == [Equals(tuple(tied), LOTS)]
    assert order(tied, []) == [Equals(tuple(tied), None)]


def test_what_is_ranked_of_several_rounds() -> None:
    scores = [1_000, 3_000, 2_000]
    assert [ranked_score(rule, scores) for rule in ScoreRule] == [2_000, 6_000, 3_000]


@pytest.mark.clause("CROWN 12.2.1(h)")
def test_who_retired_is_ranked_as_the_conditions_say() -> None:
    assert [retired_score(rule, 124_000) for rule in RetiredScore] == [124_000, 0, None]


def test_the_round_reached_comes_before_any_score() -> None:
    finalist, absent = Contestant(1, 10, reached=2), Contestant(2, 0, played=False, reached=2)
    loser = Contestant(3, 9_999, reached=1)
    assert _groups(order([loser, absent, finalist], [LOTS])) == [(1,), (2,), (3,)]


@given(contestants, st.randoms(use_true_random=False))
def test_the_order_is_a_function_of_the_scores_alone(table: list[Contestant], shuffled: random.Random) -> None:
    again = table.copy()
    shuffled.shuffle(again)
    breaks = [COUNT_BACK, EARLIER, LOTS]
    assert order(again, breaks) == order(table, breaks)
    assert standing(again) == standing(table)


@given(contestants, st.randoms(use_true_random=False))
def test_lots_leave_nobody_equal_and_tie_breaks_move_nobody_past_a_higher_score(
    table: list[Contestant], drawing: random.Random
) -> None:
    drawn = [one.entrant for one in table]
    drawing.shuffle(drawn)
    found = order(table, [COUNT_BACK, EARLIER, LOTS], Parted(lots=[drawn]))
    assert sorted(number for equals in found for number in equals.entrants) == sorted(drawn)
    assert all(len(equals.members) == 1 for equals in found)
    ranks = {one.entrant: rank for rank, one in standing(table)}
    assert all(ranks[above.entrants[0]] <= ranks[below.entrants[0]] for above, below in pairwise(found))


@given(contestants.filter(bool), st.data())
def test_more_score_never_means_a_worse_rank(table: list[Contestant], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(table) - 1))
    better = table.copy()
    better[at] = table[at]._replace(score=table[at].score + data.draw(st.integers(0, 5)))
    for ranked in (_rank, _rank_after_tie_breaks):
        assert ranked(better, table[at].entrant) <= ranked(table, table[at].entrant)


def _rank(table: list[Contestant], entrant: int) -> int:
    return next(rank for rank, one in standing(table) if one.entrant == entrant)


def _rank_after_tie_breaks(table: list[Contestant], entrant: int) -> int:
    """By score and by the sum of earlier rounds. A count back looks at other figures than the score."""
    found = _groups(order(table, [EARLIER]))
    at = next(at for at, group in enumerate(found) if entrant in group)
    return sum(map(len, found[:at]))


@given(contestants, st.data())
def test_a_board_that_moved_is_the_board_worked_out_anew(table: list[Contestant], data: st.DataObject) -> None:
    table = [one._replace(reached=0) for one in table]
    after = [
        one._replace(score=data.draw(st.integers(-3, 3)), played=True) if data.draw(st.booleans()) else one
        for one in table
    ]
    different = [at for at, one in enumerate(table) if after[at] != one]
    before = board_of(table[at] for at in different)
    board = moved(board_of(table), before, board_of(after[at] for at in different))
    assert board == board_of(after)
    assert [(rank_of(board, line), line.entrant) for line in board] == [
        (rank, one.entrant) for rank, one in standing(after)
    ]
    assert all(line.score == one.score for line, (_, one) in zip(board, standing(after), strict=True) if one.played)


def test_a_line_that_is_not_on_the_board_cannot_leave_it() -> None:
    board = board_of([Contestant(1, 5), Contestant(2, 4)])
    with pytest.raises(AssertionError):
        moved(board, [BoardLine(False, -5, 2)], [])
