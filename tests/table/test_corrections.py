"""Corrections: wherever the wrong entry led, the accounts end where a right first entry would have left them."""

from collections.abc import Mapping
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from sabot.floor.lines.table import LineTable
from sabot.ledger.audit import discrepancy
from sabot.rules.coup import Coup
from sabot.rules.shipped import IDS
from tests.chance import coups
from tests.table.playing import SEATS, play_coup, table_with_money, whole

wagers = st.dictionaries(
    st.sampled_from(["player", "banker", "tie", "player_pair", "banker_pair"]), st.just(2500), min_size=1
)


def _pairs_qualify(identity: str, layout: dict[str, int]) -> bool:
    return not identity.startswith("crown") or bool({"player", "banker", "tie"} & set(layout))


@given(st.sampled_from(IDS), coups, coups, wagers, wagers)
def test_a_correction_ends_where_a_right_first_entry_would_have_ended(
    identity: str, wrong: Coup, right: Coup, first: dict[str, int], second: dict[str, int]
) -> None:
    assume(len(right.cards) >= len(wrong.cards))
    layouts = [layout for layout in (first, second) if _pairs_qualify(identity, layout)] or [{"tie": 2500}]
    entered, proper = table_with_money(identity), table_with_money(identity)
    play_coup(entered, layouts, wrong)
    play_coup(proper, layouts, right)
    for line in (
        {"do": "freeze", "by": "D1"},
        {"do": "correct", "by": "D1", "coup": 1, "cards": [card.notation for card in right.cards]},
        {"do": "recalculate", "by": "D1"},
        {"do": "unfreeze", "by": "D1"},
    ):
        assert entered.answer(line).ok
    for seat in SEATS[identity.startswith("crown")]:
        assert entered.state.purse(seat) == proper.state.purse(seat)
    assert _without_nothing(entered.state.ledger.books) == _without_nothing(proper.state.ledger.books)
    assert _without_nothing(entered.state.shoe.census) == _without_nothing(proper.state.shoe.census)
    _sound(entered)


@given(st.sampled_from(IDS), coups, wagers)
def test_an_invalid_coup_leaves_every_account_as_it_was(identity: str, coup: Coup, layout: dict[str, int]) -> None:
    layouts = [layout] if _pairs_qualify(identity, layout) else [{"tie": 2500}]
    table = table_with_money(identity)
    before = {seat: table.state.purse(seat) for seat in SEATS[identity.startswith("crown")]}
    play_coup(table, layouts, coup)
    assert table.answer({"do": "invalidate", "by": "CS1", "coup": 1, "cause": "fraud", "reason": "switched"}).ok
    assert {seat: table.state.purse(seat) for seat in before} == before
    assert table.state.ledger.income == 0
    _sound(table)


def _without_nothing(figures: Mapping[Any, int]) -> dict[Any, int]:
    return {name: figure for name, figure in figures.items() if figure}


def _sound(table: LineTable) -> None:
    assert discrepancy(table.state.ledger, table.state.meters) is None
    assert whole(table.history) == table.state
