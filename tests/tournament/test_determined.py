"""Determined: the worked figures, each part of the bounds, and no play that changes what is said to be determined."""

import random

import pytest

from sabot.basics.money import Cents
from sabot.rules.limits import Limits
from sabot.rules.reach import Reach, reach_of
from sabot.rules.rule_set import Bet
from sabot.rules.shipped import rule_set
from sabot.rules.terms import Terms
from sabot.tournament.conditions.parts import From, WildCardsBy
from sabot.tournament.places.advancing import WayOn
from sabot.tournament.sittings.determined import (
    NO_BOUND,
    Bounds,
    Certainty,
    Contender,
    CutLine,
    bounds_of,
    cuts_of,
    judge,
    prize_cuts,
)
from tests.tournament.continuations import REACH, any_round, concluded, played_on, through

TOP_TWO = (CutLine(2, per_table=True),)


def _reach(identity: str, player: int, banker: int, tie: int) -> Reach:
    most = {"player": player, "banker": banker, "tie": tie}
    limits = {Bet(bet): Limits(Cents(500), Cents(500), Cents(maximum * 100)) for bet, maximum in most.items()}
    return reach_of(Terms(rule_set(identity)), limits)


NARROW = _reach("crown-traditional", 500, 500, 100)


def _table(left: int | None, *scores: int, sitting: str = "T1", first: int = 1) -> list[Contender]:
    return [
        Contender(number, sitting, score * 100, left, bust=score == 0) for number, score in enumerate(scores, first)
    ]


def _is_determined(
    contenders: list[Contender], cuts: tuple[CutLine, ...] = TOP_TWO, *, count_back: bool = False
) -> bool:
    return judge("T1", contenders, cuts, NARROW, count_back=count_back).determined


@pytest.mark.clause("CROWN 12.3.5(a)")
def test_two_coups_cannot_bring_the_third_up_to_the_second() -> None:
    """2,800.00 at most against 4,300.00 at least; with Tie up to 500.00, 9,200.00 against 3,500.00."""
    table = _table(2, 6_000, 5_500, 1_200, 300)
    narrow = judge("T1", table, TOP_TWO, NARROW)
    assert (narrow.determined, narrow.least, narrow.most) == (True, 430_000, 280_000)
    assert narrow.bounds == {1: (480_000, 760_000), 2: (430_000, 710_000), 3: (0, 280_000), 4: (0, 190_000)}
    wide = judge("T1", table, TOP_TWO, _reach("crown-traditional", 500, 500, 500))
    assert (wide.determined, wide.least, wide.most) == (False, 350_000, 920_000)


@pytest.mark.clause("CROWN 12.3.5(a)")
def test_in_the_last_round_every_prize_place_must_be_determined() -> None:
    """NIGHT with one coup left: 1,750.00 against 1,600.00 for the first place, 950.00 against 700.00 for the second."""
    reach = _reach("crown-baccarat", 200, 200, 50)
    night = _table(1, 2_000, 1_200, 300, 100, 50, 0, 0, 0)
    found = judge("T1", night, prize_cuts(2), reach)
    assert (found.determined, found.least, found.most) == (True, 175_000, 160_000)
    closer = _table(1, 1_600, 1_200, 300, 100, 50, 0, 0, 0)
    found = judge("T1", closer, prize_cuts(2), reach)
    assert (found.determined, found.least, found.most) == (False, 135_000, 160_000)
    assert judge("T1", closer, (CutLine(2),), reach).determined


def test_an_open_cut_tells_its_own_figures() -> None:
    table = _table(1, 9_000, 3_000, 2_900, 100)
    found = judge("T1", table, prize_cuts(2), NARROW)
    assert (found.determined, found.least, found.most) == (False, 240_000, 370_000)


@pytest.mark.parametrize(
    ("one", "bounds"),
    [
        (Contender(1, "T1", 120_000, 0), (120_000, 120_000)),
        (Contender(1, "T1", 120_000, 1), (60_000, 200_000)),
        (Contender(1, "T1", 1_000, 1), (0, 9_000)),
        (Contender(1, "T1", 1_000, 2), (0, 9_000 + 72_000)),
        (Contender(1, "T1", -15_500, 2, owed=15_500, bust=True), (-15_500, -15_500)),
        (Contender(1, "T1", 104_500, 1, owed=15_500), (44_500, 184_500)),
        (Contender(1, "T1", 30_000, 5, closed=True), (30_000, 30_000)),
        (Contender(1, "T1", 120_000, 1, awaited=True), (-NO_BOUND, 200_000)),
        (Contender(1, "T1", 120_000, 1, misses=2), (60_000, 200_000)),
        (Contender(1, "T1", 120_000, 2, misses=2), (-NO_BOUND, 280_000)),
        (Contender(1, "T1", 300, 2, misses=1, bust=True), (300, 300)),
        (Contender(1, "T1", 120_000, 1, earlier=50_000), (110_000, 250_000)),
        (Contender(1, "T1", 120_000, 1, best=150_000), (150_000, 200_000)),
        (Contender(1, "T1", 120_000, None), (-NO_BOUND, NO_BOUND)),
    ],
)
def test_bounds(one: Contender, bounds: tuple[int, int]) -> None:
    assert bounds_of(one, NARROW) == Bounds(*bounds)


def test_a_compulsory_wager_can_be_forfeited_in_every_coup() -> None:
    assert bounds_of(Contender(1, "T1", 500_000, 2), NARROW, compulsory=100_000).low == 300_000
    assert bounds_of(Contender(1, "T1", 150_000, 2), NARROW, compulsory=100_000).low == 0


def test_the_clock_leaves_it_open() -> None:
    """Nobody knows how many coups the minutes hold."""
    found = judge("T1", _table(None, 99_000, 50_000, 1), TOP_TWO, NARROW)
    assert (found.determined, found.known) == (False, False)
    assert judge("T1", _table(None, 0, 0, 0), (), NARROW).determined


def test_equal_bounds_do_not_suffice() -> None:
    assert not _is_determined(_table(1, 5_000, 2_500, 1_100))
    assert _is_determined(_table(1, 5_000, 2_501, 1_100))


def test_against_a_bust_seat_equal_bounds_suffice_where_equals_are_counted_back_first() -> None:
    table = _table(2, 5_000, 600, 0, 0)
    assert not _is_determined(table)
    assert _is_determined(table, count_back=True)
    elsewhere = [*table[:2], *_table(0, 0, 0, sitting="T2", first=3)]
    assert not _is_determined(elsewhere, (CutLine(2),), count_back=True)
    level = [table[0], Contender(2, "T1", 0, 0), *table[2:]]
    assert not _is_determined(level, count_back=True)
    closed = [*table[:2], *(one._replace(closed=True) for one in table[2:])]
    assert not _is_determined(closed, count_back=True)
    unnoted = [table[0], table[1]._replace(noted=False), *table[2:]]
    assert not _is_determined(unnoted, count_back=True)
    assert not _is_determined([one._replace(earlier=1) for one in table], count_back=True)


def test_who_is_ahead_of_two_bust_seats_is_settled_already() -> None:
    """Tie-breaks part them, and no coup that others play changes those."""
    assert _is_determined(_table(15, 90_000, 0, 0, 0))
    assert _is_determined(_table(15, 0, 0, 0, 0))
    assert not _is_determined(_table(15, 90_000, 10, 0, 0))
    closed = [one._replace(closed=True) for one in _table(15, 0, 0, first=2)]
    assert not _is_determined([*_table(15, 90_000), *closed])
    unlike = [Contender(2, "T1", 0, 15, bust=True, best=5), Contender(3, "T1", -500, 15, owed=500, bust=True, best=5)]
    assert not _is_determined([*_table(15, 90_000), *unlike])
    finished = _table(0, 0, 0, sitting="T2", first=11)
    assert not _is_determined([*_table(15, 90_000, 0), *finished], (CutLine(2),))


def test_a_seat_that_may_still_be_taken_leaves_it_open_as_long_as_it_can_catch_up() -> None:
    table = _table(2, 6_000, 5_500, 1_200)
    late = Contender(9, "T1", 95_000, 2, awaited=True)
    assert _is_determined([*table, late])
    assert not _is_determined([*table[:1], *_table(2, 3_500, 1_200, first=2), late])
    assert not _is_determined([*table[:1], late]), "it goes through if it comes"


def test_who_may_be_disqualified_is_sure_of_nothing() -> None:
    table = _table(2, 6_000, 5_500, 1_200, 300)
    assert not _is_determined([table[0]._replace(misses=1), *table[1:]])
    assert _is_determined([table[0]._replace(misses=3), *table[1:]])


def test_a_cut_across_the_round_looks_at_every_sitting() -> None:
    """The third of T1 is sure of no place of its table, and may be a wild card as long as T2 has not played."""
    here = _table(1, 9_000, 8_000, 1_500, 0)
    cuts = (*TOP_TWO, CutLine(1))
    waiting = [one._replace(awaited=True) for one in _table(20, 1_000, 1_000, 1_000, sitting="T2", first=11)]
    assert not _is_determined([*here, *waiting], cuts)
    assert _is_determined([*here, *waiting])
    assert _is_determined([*here, *_table(0, 9_000, 8_000, 7_000, 0, sitting="T2", first=11)], cuts)
    assert _is_determined([*here, *_table(0, 9_000, 8_000, 100, 0, sitting="T2", first=11)], cuts)
    assert not _is_determined([*here, *_table(0, 9_000, 8_000, 1_500, 0, sitting="T2", first=11)], cuts)
    assert not _is_determined([*here, *_table(1, 9_000, 8_000, 1_200, 0, sitting="T2", first=11)], cuts)


def test_who_is_through_elsewhere_competes_for_no_later_place() -> None:
    ahead = _table(0, 90_000, sitting="T2", first=11)
    assert _is_determined([*_table(1, 50_000, 1_000, 0), *ahead], prize_cuts(2))
    assert not _is_determined([*_table(1, 50_000, 600, 0), *ahead], prize_cuts(3))
    behind = _table(0, 80_000, 5_200, sitting="T2", first=11)
    assert not _is_determined([*_table(1, 90_000, 5_000), *behind], (CutLine(2), CutLine(1)))


def test_wild_cards_by_draw_depend_on_nobodys_play() -> None:
    cuts = (*TOP_TWO, CutLine(1, by_draw=True))
    assert _is_determined(_table(1, 9_000, 8_000, 1_500, 200), cuts)
    assert not _is_determined(_table(1, 9_000, 2_000, 1_500, 200), cuts)
    drawn_first = (CutLine(1, by_draw=True), CutLine(1, per_table=True))
    assert not _is_determined(_table(1, 9_000, 2_000, 1_900), drawn_first), "the first may be drawn"
    late = Contender(9, "T1", 5_000, 1, awaited=True)
    assert not _is_determined([*_table(1, 9_000, 8_000, 1_500, 200), late], cuts), "it is drawn only if it comes"


def test_the_best_of_the_round_may_go_before_the_best_of_each_table() -> None:
    cuts = (CutLine(1), *TOP_TWO)
    assert _is_determined(_table(1, 20_000, 15_000, 9_000, 1_000, 0), cuts)
    assert not _is_determined(_table(1, 20_000, 15_000, 9_000, 8_000, 0), cuts)


def test_who_is_gone_from_another_table_may_leave_its_places_to_others() -> None:
    """If the best of the round sits at T3, the third of T2 competes with the third of T1; else it is through."""
    here = _table(1, 20_000, 15_000, 5_000)
    elsewhere = [
        *_table(1, 30_000, 10_000, 5_200, sitting="T2", first=11),
        *_table(1, 30_000, 0, 0, sitting="T3", first=21),
    ]
    cuts = (CutLine(1), *TOP_TWO, CutLine(1))
    assert not _is_determined([*here, *elsewhere], cuts)
    assert _is_determined([*here, *elsewhere], cuts[:2])


def test_cuts_come_from_the_lines_of_the_next_rounds() -> None:
    ways = [
        WayOn("semi-final", From(round="heats", top_per_table=2)),
        WayOn("semi-final", From(round="heats", wild_cards=4, by=WildCardsBy.SCORE)),
        WayOn("plate", From(round="heats", top_overall=3)),
        WayOn("plate", From(round="heats", wild_cards=1, by=WildCardsBy.DRAW)),
    ]
    assert cuts_of(ways) == (CutLine(2, per_table=True), CutLine(4), CutLine(3), CutLine(1, by_draw=True))


def _is_sound(seed: int, continuations: int) -> Certainty:
    """Play a round on in many ways; where its first sitting is determined, nothing it plays changes anything."""
    chance = random.Random(seed)
    one = any_round(chance)
    verdict = one.judged("S0")
    here = {who.entrant for who in one.contenders if who.sitting == "S0"}
    drawn_by_lot = any(line.by is WildCardsBy.DRAW for _, line in one.ways)
    sure: set[frozenset[tuple[str, int]]] = set()
    drawn = chance.sample([who.entrant for who in one.contenders], len(one.contenders))
    for _ in range(continuations if verdict.determined else 0):
        sittings = played_on(one, chance)
        ends = through(one, sittings, drawn)
        assert ends == through(one, sittings | {"S0": played_on(one, chance)["S0"]}, drawn), (seed, one)
        assert ends == through(one, sittings | {"S0": concluded(one, "S0")}, drawn), (seed, one)
        sure.add(frozenset((to, entrant) for to, group in ends.items() for entrant in group & here))
    assert len(sure) <= 1 or drawn_by_lot, (seed, one)
    return verdict


@pytest.mark.clause("CROWN 12.3.5(a)")
@pytest.mark.parametrize(("rounds", "continuations"), [(400, 12), pytest.param(1_000, 1_000, marks=pytest.mark.whole)])
def test_no_play_changes_who_progresses_where_it_is_determined(rounds: int, continuations: int) -> None:
    verdicts = [_is_sound(seed, continuations).determined for seed in range(rounds)]
    assert rounds / 10 < sum(verdicts) < rounds * 9 / 10


def test_the_rounds_that_are_played_on_reach_the_bounds() -> None:
    """Or the proof above would see nothing: seats that win all or lose all come as far as the bounds say."""
    reached = {"low": 0, "high": 0}
    for seed in range(200):
        chance = random.Random(seed)
        one = any_round(chance)
        ends = {who.entrant: who for sitting in played_on(one, chance).values() for who in sitting if who.played}
        for who in one.contenders:
            bounds = bounds_of(who, REACH, one.compulsory)
            if who.left and not (who.bust or who.closed) and who.entrant in ends:
                assert bounds.low <= ends[who.entrant].score <= bounds.high
                reached["low"] += ends[who.entrant].score == bounds.low
                reached["high"] += ends[who.entrant].score == bounds.high
    assert min(reached.values()) > 10
