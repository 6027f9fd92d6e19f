"""The draw: a published vector, even sittings, and no place that is favoured."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.odds.chi_square import chance_of_more, fit
from sabot.tournament.events import Placed
from sabot.tournament.seats.draw import SEED_BYTES, commitment_of, drawn_order, places, words_are_enough

SEED = bytes([7]) * SEED_BYTES
LABEL = "SPRING/heats"
WORDS = "AS KD 7C 2H 9S TD"
SEEDS = 20_000
DRAWN = (1, 6, 5, 7, 4, 9, 2, 3, 12, 11, 8, 10)


def _tables(tables: int, stations: int) -> dict[str, list[str]]:
    return {f"T{table}": [f"A{seat}" for seat in range(1, stations + 1)] for table in range(1, tables + 1)}


def _sittings(placed: tuple[Placed, ...]) -> dict[tuple[int, str], list[int]]:
    found: dict[tuple[int, str], list[int]] = {}
    for one in placed:
        found.setdefault((one.session, one.table), []).append(one.entrant)
    return found


@pytest.mark.clause("CROWN 12.1.1")
def test_the_published_vector_comes_out() -> None:
    assert commitment_of(SEED, LABEL) == "dc87fb5f826f65afb64fd6e7dd355d2c5053de330335ba7bb5fdd8871a732e88"
    assert drawn_order(SEED, LABEL, range(1, 13), WORDS) == DRAWN
    placed = places(DRAWN, 5, 2, _tables(2, 5))
    assert _sittings(placed) == {(1, "T1"): [1, 7, 2, 11], (1, "T2"): [6, 4, 3, 8], (2, "T1"): [5, 9, 12, 10]}
    assert [one.station for one in placed if one.table == "T2"] == ["A1", "A2", "A3", "A4"]


@pytest.mark.parametrize(
    ("entrants", "sizes"),
    [
        (40, {(1, "T1"): 8, (1, "T2"): 8, (1, "T3"): 8, (2, "T1"): 8, (2, "T2"): 8}),
        (41, {(1, "T1"): 7, (1, "T2"): 7, (1, "T3"): 7, (2, "T1"): 7, (2, "T2"): 7, (2, "T3"): 6}),
        (8, {(1, "T1"): 8}),
        (1, {(1, "T1"): 1}),
        (0, {}),
    ],
)
def test_sittings_are_even_and_earlier_sessions_and_tables_come_first(
    entrants: int, sizes: dict[tuple[int, str], int]
) -> None:
    placed = places(range(1, entrants + 1), 8, 2, _tables(4, 8))
    assert {sitting: len(seated) for sitting, seated in _sittings(placed).items()} == sizes


@given(st.integers(0, 400), st.integers(1, 50), st.integers(1, 5))
def test_everybody_sits_once_and_nobody_in_a_taken_seat(entrants: int, seats: int, sessions: int) -> None:
    needed = -(-entrants // seats)
    placed = places(range(1, entrants + 1), seats, sessions, _tables(-(-needed // sessions), seats))
    assert [one.entrant for one in placed] == list(range(1, entrants + 1))
    assert len({(one.session, one.table, one.station) for one in placed}) == entrants
    sizes = [len(seated) for _, seated in sorted(_sittings(placed).items())]
    assert len(sizes) == needed
    assert max(sizes, default=0) - min(sizes, default=0) <= 1
    tables = [len({one.table for one in placed if one.session == session}) for session in range(1, sessions + 1)]
    assert all(0 <= earlier - later <= 1 for earlier, later in pairwise(tables))


@pytest.mark.clause("CROWN 12.1.1")
def test_the_commitment_binds_seed_and_label_and_the_order_follows_from_everything() -> None:
    other_seed = SEED[:-1] + b"\x08"
    assert len({commitment_of(*one) for one in ((SEED, LABEL), (other_seed, LABEL), (SEED, "SPRING/final"))}) == 3
    numbers = range(1, 33)
    orders = {
        drawn_order(SEED, LABEL, numbers, WORDS),
        drawn_order(other_seed, LABEL, numbers, WORDS),
        drawn_order(SEED, "SPRING/final", numbers, WORDS),
        drawn_order(SEED, LABEL, numbers, "AS KD 7C 2H 9S TC"),
    }
    assert len(orders) == 4
    more = drawn_order(SEED, LABEL, range(1, 34), WORDS)
    assert tuple(one for one in more if one != 33) not in orders


def test_the_order_in_which_entrants_are_listed_plays_no_part() -> None:
    assert drawn_order(SEED, LABEL, list(range(12, 0, -1)), WORDS) == DRAWN


@pytest.mark.parametrize(
    ("words", "enough"),
    [
        (WORDS, True),
        ("as kd 7c 2h 9s td", True),
        ("AS KD 7C 2H 9S", False),
        ("314159", True),
        ("3 1 4 1 5", False),
        ("AS KD 7C 314", True),
        ("a good deal of chance in here", False),
        ("٣١٤١٥٩", False),
        ("", False),
    ],
)
def test_six_cards_or_digits_are_enough(words: str, enough: bool) -> None:
    assert words_are_enough(words) is enough


def _draws(seeds: int) -> list[tuple[Placed, ...]]:
    tables = _tables(3, 4)
    return [
        places(drawn_order(seed.to_bytes(SEED_BYTES), LABEL, range(1, 13), WORDS), 4, 1, tables)
        for seed in range(seeds)
    ]


def test_no_seat_and_no_neighbour_is_favoured() -> None:
    """Chi-square at one in a thousand: over 12 entrants on 12 seats, and over who sits beside whom at each table.

    Every draw fills each seat once and seats each entrant once, so that the 144 counts have 11 × 11 degrees of freedom
    and vary by 12/11 of what independent counts would.
    """
    draws = _draws(SEEDS)
    seats = Counter((one.entrant, one.table, one.station) for placed in draws for one in placed)
    assert len(seats) == 144
    expected = SEEDS / 12
    statistic = sum((count - expected) ** 2 / expected for count in seats.values()) * 11 / 12
    assert chance_of_more(statistic, 121) > 1e-3
    for table in ("T1", "T2", "T3"):
        beside = Counter(tuple(one.entrant for one in placed if one.table == table)[:2] for placed in draws)
        fitting = fit(list(beside.values()), [1] * (12 * 11))
        assert fitting is not None
        assert fitting.p > 1e-3, table
