"""Progress: lines in order, nobody twice, no tie at a cut that nothing parts, nobody who did not play."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.tournament.conditions.parts import Balances, From, RoundKind, RoundPart, TieBreak, WildCardsBy
from sabot.tournament.places.advancing import TieAtCut, WayOn, advance, clearly_through, lines_from
from sabot.tournament.places.ranking import Contestant, Parted

COUNT_BACK, _, PLAY_OFF, LOTS = TieBreak
SPRING = (COUNT_BACK, PLAY_OFF, LOTS)


def _round(name: str, *lines: From, kind: RoundKind = RoundKind.ROUND) -> RoundPart:
    return RoundPart(
        name=name, kind=kind, from_=lines, tables=4, seats=8, coups=20, balances=Balances.CANCELLED, starts=()
    )


def _sitting(first: int, *scores: int) -> list[Contestant]:
    """Entrants with numbers from `first` on, in credits."""
    return [Contestant(number, score * 100) for number, score in enumerate(scores, first)]


TWO_OF_A_TABLE = WayOn("semi-final", From(round="heats", top_per_table=2))
FOUR_WILD_CARDS = WayOn("semi-final", From(round="heats", wild_cards=4, by=WildCardsBy.SCORE))
TWO_DRAWN = WayOn("semi-final", From(round="heats", wild_cards=2, by=WildCardsBy.DRAW))


def test_lines_come_in_the_order_of_the_conditions_and_only_those_of_the_round() -> None:
    rounds = [
        _round("heats", From(entrants="all")),
        _round("second", From(round="heats", wild_cards=1, by=WildCardsBy.SCORE), kind=RoundKind.SECONDARY),
        _round("semi-final", TWO_OF_A_TABLE.line, From(round="second", top_overall=1), FOUR_WILD_CARDS.line),
    ]
    assert lines_from("heats", rounds) == (WayOn("second", rounds[1].from_[0]), TWO_OF_A_TABLE, FOUR_WILD_CARDS)
    assert lines_from("semi-final", rounds) == ()


@pytest.mark.clause("CROWN 12.2.1(d)")
def test_the_best_of_those_who_are_not_through_are_wild_cards() -> None:
    """Best six of those not through: 1,300.00, 1,250.00, 1,100.00, 1,050.00, 900.00, 850.00; four places."""
    sittings = [
        _sitting(1, 2_000, 1_900, 1_300, 1_100, 850),
        _sitting(11, 1_250, 900, 1_400, 1_350, 1_050),
    ]
    found = advance([TWO_OF_A_TABLE, FOUR_WILD_CARDS], sittings, SPRING)
    assert found.tie is None
    assert found.through == {"semi-final": (1, 2, 13, 14, 3, 11, 4, 15)}
    assert found.everybody == {1, 2, 13, 14, 3, 11, 4, 15}


def test_a_line_takes_nobody_whom_an_earlier_one_took_wherever_to() -> None:
    lines = [WayOn("final", From(round="heats", top_overall=1)), WayOn("plate", From(round="heats", top_overall=2))]
    sittings = [_sitting(1, 30, 20), _sitting(5, 10, 5)]
    assert advance(lines, sittings, SPRING).through == {"final": (1,), "plate": (2, 5)}
    assert advance(lines, sittings, SPRING, through_already={1}).through == {"final": (2,), "plate": (5, 6)}


@pytest.mark.clause("G-103")
def test_a_tie_at_a_cut_stops_until_a_play_off_parts_it() -> None:
    """Entrants 5 and 11 are equal all the way back for the second place; the play-off ends 395.00 to 205.00."""
    table = [Contestant(2, 140_000), Contestant(11, 125_000, [9, 125_000]), Contestant(5, 125_000, [9, 125_000])]
    lines = [TWO_OF_A_TABLE, FOUR_WILD_CARDS]
    found = advance(lines, [table, _sitting(20, 5, 4)], SPRING)
    assert found.tie == TieAtCut("semi-final", (5, 11), 1, PLAY_OFF)
    assert found.through == {"semi-final": (2, 20, 21)}, "who is ahead of the tie, or at another table, is through"
    parted = Parted([{5: 39_500, 11: 20_500}])
    found = advance([TWO_OF_A_TABLE], [table, _sitting(20, 5, 4)], SPRING, parted)
    assert (found.through, found.tie) == ({"semi-final": (2, 5, 20, 21)}, None)


def test_equals_on_one_side_of_the_cut_need_no_tie_break() -> None:
    sittings = [_sitting(1, 9, 9, 3, 3)]
    assert advance([TWO_OF_A_TABLE], sittings, SPRING).through == {"semi-final": (1, 2)}


@pytest.mark.clause("CROWN 12.2.1(i)")
def test_absent_entrants_do_not_progress_though_places_are_left() -> None:
    table = [Contestant(1, 5), Contestant(2, 0, played=False)]
    for line in (TWO_OF_A_TABLE, FOUR_WILD_CARDS, TWO_DRAWN):
        assert advance([line], [table], SPRING, drawn=(2, 1)).through == {"semi-final": (1,)}


def test_wild_cards_by_draw_go_in_the_drawn_order_whatever_the_scores() -> None:
    sittings = [_sitting(1, 9, 8, 7, 6, 5)]
    found = advance([TWO_OF_A_TABLE, TWO_DRAWN], sittings, SPRING, drawn=(1, 5, 2, 3, 4))
    assert found.through == {"semi-final": (1, 2, 5, 3)}
    due = advance([TWO_OF_A_TABLE, TWO_DRAWN], sittings, SPRING)
    assert due.tie == TieAtCut("semi-final", (3, 4, 5), 2, None)
    assert advance([TWO_OF_A_TABLE, TWO_DRAWN], [_sitting(1, 9, 8, 7)], SPRING).through == {"semi-final": (1, 2, 3)}


lines = st.lists(
    st.builds(
        WayOn,
        st.sampled_from(["semi-final", "plate"]),
        st.one_of(
            st.builds(From, round=st.just("heats"), top_per_table=st.integers(1, 3)),
            st.builds(From, round=st.just("heats"), top_overall=st.integers(1, 3)),
            st.builds(
                From, round=st.just("heats"), wild_cards=st.integers(1, 3), by=st.sampled_from(list(WildCardsBy))
            ),
        ),
    ),
    max_size=4,
)


@given(lines, st.lists(st.lists(st.integers(0, 4), max_size=5), max_size=4))
def test_nobody_goes_twice_and_every_place_is_filled_as_long_as_somebody_is_left(
    ways: list[WayOn], tables: list[list[int]]
) -> None:
    sittings = [_sitting(1 + 10 * at, *scores) for at, scores in enumerate(tables)]
    everybody = [one.entrant for sitting in sittings for one in sitting]
    drawn = sorted(everybody, key=lambda number: number * 7_919 % 101)
    found = advance(ways, sittings, [LOTS], Parted(lots=[drawn]), drawn)
    assert found.tie is None
    went = [entrant for group in found.through.values() for entrant in group]
    assert len(went) == len(set(went))
    assert set(went) <= set(everybody)
    overall = sum(line.top_overall + line.wild_cards for _, line in ways)
    if all(not line.top_per_table for _, line in ways):
        assert len(went) == min(overall, len(everybody))


@pytest.mark.clause("CROWN 12.2.1(d)")
def test_a_tie_at_one_cut_hides_nobody_who_is_clearly_through() -> None:
    lines = (WayOn("final", From(round="heats", top_per_table=1)), WayOn("final", From(round="heats", wild_cards=2)))
    first = [Contestant(1, 900), Contestant(2, 800), Contestant(3, 700)]
    second = [Contestant(4, 900), Contestant(5, 900), Contestant(6, 700)]
    assert clearly_through(lines, [first, second]) == {1, 4, 5}
    assert clearly_through(lines, [first, [Contestant(4, 900), Contestant(5, 700), Contestant(6, 700)]]) == {1, 2, 4}
