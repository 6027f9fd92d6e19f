"""The roads: test vectors, properties, and a naive layout to compare the fast one with."""

import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.basics.growing_list import GrowingList
from sabot.basics.mistake import Mistake
from sabot.roads.board import ScoreBoard
from sabot.roads.layout import ROWS
from sabot.roads.result import CoupResult, read_results
from sabot.roads.roads import Roads, lay
from sabot.rules.cards import read_cards
from sabot.rules.coup import Coup, read_coup
from tests.chance import coups, results, shoes
from tests.tables import rows

EXCHANGE = {"B": "P", "P": "B", "T": "T"}


@pytest.mark.parametrize("row", rows("road_vectors.tsv"), ids=lambda row: row["name"])
def test_vector(row: dict[str, str]) -> None:
    board = ScoreBoard.of(lay(read_results(row["sequence"])))
    assert " ".join(str(column.depth) for column in board.big_road.columns) == row["depths"]
    assert " ".join(f"{bead.coup}:{bead.ties}" for bead in board.big_road.cells if bead.ties) == row["ties"]
    assert " ".join(f"{bead.winner}{bead.column},{bead.row}" for bead in board.big_road.cells) == row["cells"]
    assert (board.big_eye_boy, board.small_road, board.cockroach_pig) == (row["big_eye"], row["small"], row["pig"])
    assert _written(board.ask.banker) == row["ask_banker"]
    assert _written(board.ask.player) == row["ask_player"]


def _written(answers: Sequence[str | None]) -> str:
    return "".join(answer or "-" for answer in answers)


@given(shoes)
def test_incremental_equals_rebuilt(shoe: list[CoupResult]) -> None:
    roads = Roads()
    for played, result in enumerate(shoe, 1):
        roads = roads.then(result)
        if played % 10 == 0:
            assert roads == lay(shoe[:played])
    assert roads == lay(shoe)


@given(shoes)
def test_an_earlier_value_never_changes(shoe: list[CoupResult]) -> None:
    values = [Roads()]
    for result in shoe:
        values.append(values[-1].then(result))
    for played, roads in enumerate(values):
        assert list(roads.coups) == shoe[:played]
    assert [str(road) for road in values[len(shoe) // 2].derived] == [
        str(road) for road in lay(shoe[: len(shoe) // 2]).derived
    ]


@given(shoes)
def test_ties_never_change_a_derived_road(shoe: list[CoupResult]) -> None:
    without = [result for result in shoe if result.winner != "T"]
    assert lay(shoe).derived == lay(without).derived
    assert lay(shoe).streaks == lay(without).streaks


@given(shoes)
def test_exchanging_banker_and_player_changes_no_derived_road(shoe: list[CoupResult]) -> None:
    exchanged = [CoupResult(EXCHANGE[result.winner]) for result in shoe]  # type: ignore[arg-type]
    assert lay(exchanged).derived == lay(shoe).derived
    assert [(bead.column, bead.row) for bead in lay(exchanged).big_road] == [
        (bead.column, bead.row) for bead in lay(shoe).big_road
    ]


@given(shoes)
def test_ask_is_blank_or_exactly_opposite_and_comes_true(shoe: list[CoupResult]) -> None:
    roads = lay(shoe)
    for banker, player in zip(roads.ask("B"), roads.ask("P"), strict=True):
        assert {banker, player} in ({None}, {"R", "B"}) or not roads.big_road
    for winner in ("B", "P"):
        after = roads.then(CoupResult(winner))
        came = [str(new)[len(str(old)) :] or None for old, new in zip(roads.derived, after.derived, strict=True)]
        assert came == roads.ask(winner)


@given(shoes)
def test_no_two_beads_share_a_cell_and_none_leaves_the_six_rows(shoe: list[CoupResult]) -> None:
    roads = lay(shoe)
    for cells in (
        [(bead.column, bead.row) for bead in roads.big_road],
        [(bead.column, bead.row) for bead in roads.bead_plate()],
        *([(mark.column, mark.row) for mark in road.marks] for road in roads.derived),
    ):
        assert len(cells) == len(set(cells))
        assert all(1 <= row <= ROWS and column >= 1 for column, row in cells)


def _laid_by_the_book(signs: list[str]) -> list[tuple[int, int]]:
    """The layout rule word for word, with a set of all taken cells."""
    taken: set[tuple[int, int]] = set()
    cells: list[tuple[int, int]] = []
    start = column = row = 0
    turned = False
    for number, sign in enumerate(signs):
        if number == 0 or sign != signs[number - 1]:
            start += 1
            while (start, 1) in taken:
                start += 1
            column, row, turned = start, 1, False
        elif not turned and row < ROWS and (column, row + 1) not in taken:
            row += 1
        else:
            column, turned = column + 1, True
        taken.add((column, row))
        cells.append((column, row))
    return cells


streaky = st.lists(st.tuples(st.sampled_from("BP"), st.integers(1, 14)), max_size=25).map(
    lambda runs: [CoupResult(winner) for winner, length in runs for _ in range(length)]  # type: ignore[arg-type]
)


@given(st.one_of(shoes, streaky))
def test_the_layout_is_the_rule_word_for_word(shoe: list[CoupResult]) -> None:
    roads = lay(shoe)
    winners = [result.winner for result in shoe if result.winner != "T"]
    assert [(bead.column, bead.row) for bead in roads.big_road] == _laid_by_the_book(list(winners))
    for road in roads.derived:
        colours = [mark.colour for mark in road.marks]
        assert [(mark.column, mark.row) for mark in road.marks] == _laid_by_the_book(list(colours))


def _entries_by_the_book(shoe: list[CoupResult], look_back: int) -> str:
    """The derived roads' definition word for word, on logical columns counted from 1."""
    depth: dict[int, int] = {}
    column, last, entries = 0, "", ""
    for result in shoe:
        if result.winner == "T":
            continue
        if result.winner != last:
            column, last = column + 1, result.winner
        depth[column] = depth.get(column, 0) + 1
        here = depth[column]
        if here == 1 and column - 1 - look_back >= 1:
            entries += "R" if depth[column - 1] == depth[column - 1 - look_back] else "B"
        elif here >= 2 and column - look_back >= 1:
            entries += "B" if here == depth[column - look_back] + 1 else "R"
    return entries


@given(st.one_of(shoes, streaky))
def test_the_derived_roads_are_the_definition_word_for_word(shoe: list[CoupResult]) -> None:
    assert [str(road) for road in lay(shoe).derived] == [_entries_by_the_book(shoe, back) for back in (1, 2, 3)]


@pytest.mark.slow
def test_the_laws_hold_on_thousands_of_random_shoes() -> None:
    chance = random.Random(2011)
    for _ in range(4_000):
        length = chance.randint(0, 90)
        shoe = [CoupResult(winner) for winner in chance.choices(("B", "P", "T"), (46, 45, 9), k=length)]
        roads = lay(shoe)
        winners = [result.winner for result in shoe if result.winner != "T"]
        assert [str(road) for road in roads.derived] == [_entries_by_the_book(shoe, back) for back in (1, 2, 3)]
        assert [(bead.column, bead.row) for bead in roads.big_road] == _laid_by_the_book(list(winners))
        assert sum(streak.depth for streak in roads.streaks) == len(winners)
        for banker, player in zip(roads.ask("B"), roads.ask("P"), strict=True):
            assert {banker, player} in ({None}, {"R", "B"})


@given(shoes)
def test_every_tie_is_counted_once(shoe: list[CoupResult]) -> None:
    roads = lay(shoe)
    ties = sum(result.winner == "T" for result in shoe)
    assert sum(bead.ties for bead in roads.big_road) == (ties if roads.big_road else 0)
    assert roads.leading_ties == next((n for n, result in enumerate(shoe) if result.winner != "T"), len(shoe))


@given(shoes, st.integers(1, 20))
def test_a_full_bead_plate_scrolls_by_whole_columns(shoe: list[CoupResult], columns: int) -> None:
    roads = lay(shoe)
    whole, shown = list(roads.bead_plate()), list(roads.bead_plate(columns))
    assert len(whole) == len(shoe)
    assert [(bead.winner, bead.row) for bead in shown] == [
        (bead.winner, bead.row) for bead in whole[-len(shown) :]
    ] or (not shown)
    assert (len(whole) - len(shown)) % ROWS == 0
    assert all(bead.column <= columns for bead in shown)


@given(results)
def test_results_round_trip_through_their_letters(result: CoupResult) -> None:
    assert read_results(str(result)) == [result]


def test_results_are_read_with_or_without_spaces() -> None:
    assert read_results("T B Bb P Pn") == read_results("TBBbPPn") == read_results("T,B,Bb,P,Pn")
    assert read_results("Bpb") == read_results("Bbp")
    assert read_results("  ") == []


@pytest.mark.parametrize("sequence", ["X", "b", "B x", "Bbb", "B-P", "BQ", "P 1"])
def test_what_is_no_result_is_pointed_at(sequence: str) -> None:
    with pytest.raises(Mistake, match=r"result \d+, .* is not a result"):
        read_results(sequence)


@given(coups)
def test_a_result_is_the_coups(coup: Coup) -> None:
    result = CoupResult.of(coup)
    assert {"B": "banker", "P": "player", "T": "tie"}[result.winner] == coup.winner.value


def test_a_natural_is_the_winners() -> None:
    banker_natural = read_coup(read_cards(["KS", "4H", "2D", "4C"]))
    assert str(CoupResult.of(banker_natural)) == "Bbn"
    assert str(CoupResult.of(read_coup(read_cards(["2S", "4H", "3D", "3C", "8S"])))) == "B"


def test_a_very_long_sequence_is_laid_without_trouble() -> None:
    roads = lay([CoupResult("B"), CoupResult("P"), CoupResult("T")] * 20_000)
    assert len(roads.coups) == 60_000
    assert len(list(roads.big_road)) == 40_000


def test_a_growing_list_shares_its_earlier_items() -> None:
    short = GrowingList[int]().then(1).then(2)
    assert list(short.then(3)) == [1, 2, 3]
    assert list(short.instead(9)) == [1, 9]
    assert list(short) == [1, 2]
    assert short == GrowingList[int]().then(1).then(2)
    assert short != short.then(3)
    assert hash(short) == hash(GrowingList[int]().then(1).then(2))
    assert repr(short) == "GrowingList([1, 2])"
