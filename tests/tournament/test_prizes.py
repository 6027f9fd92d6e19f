"""Prizes: the worked cases to the cent, and the pool given out whole whatever the shares and ties."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.basics.money import read_amount, write_amount
from sabot.tournament.conditions.parts import PoolPart, Prize, TieBreak
from sabot.tournament.places.prizes import awards, pool_of, shared, tie_for_prizes
from sabot.tournament.places.ranking import Contestant, order
from tests.tables import rows


def _cents(written: str) -> int:
    return 0 if written == "0.00" else read_amount(written)


def _prizes(written: str) -> list[Prize]:
    return [
        Prize(place=place, share=int(one[:-1])) if one.endswith("%") else Prize(place=place, cents=_cents(one))
        for place, one in enumerate(written.split(), 1)
    ]


def _places(written: str) -> list[list[int]]:
    return [[int(number) for number in group.split("+")] for group in written.split()]


@pytest.mark.clause("CROWN 12.2.1(j)")
@pytest.mark.parametrize("row", rows("tournament_prizes.tsv"), ids=lambda row: row["case"])
def test_prizes_are_worked_out_to_the_cent(row: dict[str, str]) -> None:
    found = awards(_cents(row["pool"]), _prizes(row["prizes"]), {"": _places(row["places"])})
    assert " ".join(f"{one.entrant}={write_amount(one.cents).replace(',', '')}" for one in found) == row["awards"]


def test_equals_have_the_first_of_their_places() -> None:
    found = awards(10_000, _prizes("50% 30% 20%"), {"": [[4], [2, 9]]})
    assert [(one.place, one.entrant) for one in found] == [(1, 4), (2, 2), (2, 9)]


def test_a_prize_in_words_goes_to_one_entrant() -> None:
    trip = {"en": "A journey.", "zh": "旅行。"}
    prizes = [Prize(place=1, text=trip), Prize(place=2, share=100)]
    first, second = awards(5_000, prizes, {"": [[3], [1], [2]]})
    assert (first.entrant, first.text, first.cents) == (3, trip, 0)
    assert (second.entrant, second.text, second.cents) == (1, {}, 5_000)
    with pytest.raises(AssertionError, match="cannot be shared"):
        awards(5_000, prizes, {"": [[3, 1]]})


def test_secondary_rounds_have_prizes_of_their_own_from_the_same_pool() -> None:
    prizes = [Prize(place=1, share=70), Prize(place=2, share=20), Prize(place=1, share=10, of="plate")]
    found = awards(10_001, prizes, {"": [[1], [2]], "plate": [[8], [9]]})
    assert [(one.of, one.place, one.entrant, one.cents) for one in found] == [
        ("", 1, 1, 7_001),
        ("", 2, 2, 2_000),
        ("plate", 1, 8, 1_000),
    ]
    without = awards(10_001, prizes, {"": [[1], [2]]})
    assert [one.cents for one in without] == [7_779, 2_222]


@pytest.mark.parametrize(
    ("parts", "added", "guaranteed", "cents", "house"),
    [
        ([5_000] * 16, 0, 200_000, 200_000, 120_000),
        ([5_000] * 40 + [3_000] * 12, 0, 200_000, 236_000, 0),
        ([4_000] * 8, 10_000, 50_000, 50_000, 18_000),
        ([4_000] * 20, 10_000, 50_000, 90_000, 10_000),
        ([], 0, 0, 0, 0),
    ],
)
def test_the_house_adds_what_it_promised_and_what_is_missing_to_the_guarantee(
    parts: list[int], added: int, guaranteed: int, cents: int, house: int
) -> None:
    pool = pool_of(parts, PoolPart(added_cents=added, guaranteed_cents=guaranteed))
    assert (pool.cents, pool.added_cents) == (cents, house)


shares = st.lists(st.integers(1, 60), min_size=1, max_size=8).map(lambda some: sorted(some, reverse=True))


@st.composite
def _ties(draw: st.DrawFn) -> list[list[int]]:
    """Final places of up to twelve entrants, in groups of equals."""
    numbers = draw(st.permutations(range(1, 13)))
    sizes = draw(st.lists(st.integers(1, 4), max_size=8))
    groups, at = [], 0
    for size in sizes:
        groups.append(numbers[at : at + size])
        at += size
    return [group for group in groups if group]


@given(st.integers(0, 10**6), shares, _ties())
def test_the_prizes_sum_to_the_pool_and_nobody_gets_less_than_somebody_below(
    pool: int, percent: list[int], places: list[list[int]]
) -> None:
    prizes = [Prize(place=place, share=share) for place, share in enumerate(percent, 1)]
    found = awards(pool, prizes, {"": places})
    assert sum(one.pool_cents for one in found) == (pool if places else 0)
    assert all(one.fixed_cents == 0 for one in found)
    by_place = [[one.cents for one in found if one.place == place] for place in sorted({one.place for one in found})]
    assert all(min(above) >= max(below) for above, below in pairwise(by_place))
    assert all(max(equals) - min(equals) <= 1 for equals in by_place)


@given(st.integers(0, 10**6), st.lists(st.integers(0, 100), max_size=8))
def test_shares_are_exact_to_a_cent(pool: int, percent: list[int]) -> None:
    found = shared(pool, percent)
    whole = sum(percent)
    assert sum(found) == (pool if whole else 0)
    assert all(abs(cents * whole - pool * share) <= whole for cents, share in zip(found, percent, strict=True) if whole)


def test_a_tie_matters_where_a_prize_place_is_among_its_places() -> None:
    ranked = order([Contestant(number, score) for number, score in enumerate((9, 8, 7, 7, 5, 5), 1)], [TieBreak.LOTS])
    tied = tie_for_prizes(ranked, 3)
    assert tied is not None
    assert (tied.entrants, tied.due) == ((3, 4), TieBreak.LOTS)
    assert tie_for_prizes(ranked, 2) is None
