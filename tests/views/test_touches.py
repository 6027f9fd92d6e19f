"""Touches that are noted together come to the card that noting them one by one comes to, and to the same views."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from sabot.table.events import WagersChanged
from sabot.views.public import public_view, runs_on
from sabot.views.scorecard import Scorecard, Touch
from sabot.views.station import station_view, touched_again
from tests.table.playing import table_with_money
from tests.table.test_touches import TOUCHES


@given(st.lists(st.tuples(st.sampled_from(("A1", "A2")), TOUCHES), max_size=25))
def test_touches_noted_together_come_to_the_same_card(lines: list[tuple[str, dict[str, Any]]]) -> None:
    table = table_with_money("crown-traditional")
    card = Scorecard.of(table.state)
    assert table.answer({"do": "open", "by": "D1"}).ok
    record = table.records[-1]
    card = one_by_one = card.then(table.state, record.act, record.stamp, record.events)
    touches = []
    for seat, line in lines:
        if not table.answer({**line, "by": seat}).ok:
            continue
        record = table.records[-1]
        one_by_one = one_by_one.then(table.state, record.act, record.stamp, record.events)
        touches += [
            Touch(table.state, record.at_ms, event) for event in record.events if isinstance(event, WagersChanged)
        ]
    assert card.touched(touches) == one_by_one


def test_a_touch_before_any_coup_was_seen_is_counted_and_told_in_no_story() -> None:
    table = table_with_money("crown-traditional")
    assert table.answer({"do": "open", "by": "D1"}).ok
    card = Scorecard.of(table.state)
    assert table.answer({"do": "set_wager", "by": "A1", "bet": "banker", "cents": 5_000}).ok
    record = table.records[-1]
    [event] = record.events
    assert isinstance(event, WagersChanged)
    noted = card.touched([Touch(table.state, record.at_ms, event)])
    assert noted == card.then(table.state, record.act, record.stamp, record.events)
    assert (noted.happened, noted.stories) == (card.happened + 1, ())


@given(st.lists(st.tuples(st.sampled_from(("A1", "A2")), TOUCHES), max_size=12), st.integers(1, 4))
def test_what_touches_change_is_shown_as_a_whole_view_would_show_it(
    lines: list[tuple[str, dict[str, Any]]], at_once: int
) -> None:
    """A station's own sections, made from its last view, and the public ones taken over as they are."""
    table = table_with_money("crown-traditional")
    card = Scorecard.of(table.state)
    assert table.answer({"do": "open", "by": "D1"}).ok
    record = table.records[-1]
    card = card.then(table.state, record.act, record.stamp, record.events)
    public = public_view(table.state, card, record.at_ms)
    shown = {name: station_view(public, name) for name in ("A1", "A2")}
    for number, (seat, line) in enumerate(lines):
        if table.answer({**line, "by": seat}).ok:
            record = table.records[-1]
            card = card.then(table.state, record.act, record.stamp, record.events)
        if number % at_once == 0:
            whole = public_view(table.state, card, record.at_ms, public)
            assert all(getattr(public, name) is getattr(whole, name) for name in whole.made_from)
            assert runs_on(public.clock, record.at_ms) is (public.clock == whole.clock)
            shown = {name: touched_again(view, table.state, card, name, record.at_ms) for name, view in shown.items()}
            assert shown == {name: station_view(whole, name) for name in shown}
