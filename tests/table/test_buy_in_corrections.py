"""A buy-in that was keyed wrong and put right ends where a right first entry would have ended."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.audit.table_report import win_report
from sabot.floor.lines.table import LineFloor, LineTable
from sabot.ledger.audit import discrepancy
from sabot.table.fixtures import fixture
from tests.audit.sums import sum_of
from tests.table.test_refusals import NATURAL, READY, say_all

WAGER = 2_500
amounts = st.integers(WAGER, 10**7)
tenders = st.sampled_from(["cash", "voucher", "token", "chips"])


def bought(tender: str, cents: int) -> LineTable:
    table = LineFloor().enter(fixture("crown"))
    say_all(table, READY)
    assert table.answer({"do": "buy_in", "by": "D1", "station": "A1", "cents": cents, "tender": tender}).ok
    return table


def played(table: LineTable) -> None:
    say_all(table, ["D1 open", "A1 set_wager player 25", *(f"D1 card {card}" for card in NATURAL), "D1 confirm"])


def put_right(table: LineTable, keyed: int, true: int, tender: str) -> None:
    line = {"do": "correct_buy_in", "by": "GS1", "station": "A1", "cents": keyed, "true_cents": true, "reason": "slip"}
    assert table.answer({**line, "true_tender": tender}).ok


def _without_nothing(figures: Mapping[Any, int]) -> dict[Any, int]:
    return {name: cents for name, cents in figures.items() if cents}


@pytest.mark.clause("CROWN 6.3.2", "G-190")
@given(keyed=amounts, true=amounts, was=tenders, tender=tenders, played_first=st.booleans())
def test_a_correction_ends_where_a_right_key_would_have_ended(
    keyed: int, true: int, was: str, tender: str, played_first: bool
) -> None:
    if (keyed, was) == (true, tender):
        return
    wrong, right = bought(was, keyed), bought(tender, true)
    if played_first:
        played(wrong)
    put_right(wrong, keyed, true, tender)
    if not played_first:
        played(wrong)
    played(right)
    assert wrong.state.purse("A1") == right.state.purse("A1")
    assert _without_nothing(wrong.state.ledger.books) == _without_nothing(right.state.ledger.books)
    assert wrong.state.meters == right.state.meters
    assert wrong.state.stations["A1"].brought == right.state.stations["A1"].brought
    assert discrepancy(wrong.state.ledger, wrong.state.meters) is None


@pytest.mark.clause("CROWN 6.3.2", "G-88", "G-190")
@given(keyed=amounts, true=st.integers(0, 10**7), again=st.integers(1, 10**7))
def test_the_win_never_moves_for_one_who_has_left(keyed: int, true: int, again: int) -> None:
    table = bought("cash", keyed)
    say_all(table, ["D1 leave A1", "D1 pay A1", "D1 buy_in A1 7"])
    for was, wanted in ((keyed, true), (true, again)):
        if was == wanted or not was:
            continue
        line = {"do": "correct_buy_in", "by": "CS1", "station": "A1", "cents": was, "true_cents": wanted, "control": 1}
        assert table.answer({**line, "reason": "slip"}).ok
    report = win_report("T1", sum_of(table))
    assert (report.booked_win, report.variance) == (0, 0)
    assert table.state.purse("A1").balance == 700
    assert discrepancy(table.state.ledger, table.state.meters) is None
