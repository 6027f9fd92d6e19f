"""A run of touches laid on one copy of the table comes to what evolving it touch by touch comes to."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from sabot.table.events import WagersChanged
from sabot.table.evolve import fold
from sabot.table.state import TableState
from sabot.table.wagers.touches import Touches
from tests.table.playing import table_with_money

_BETS = st.sampled_from(("player", "banker", "tie", "player_pair", "dragon_bonus_player"))
TOUCHES = st.one_of(
    st.fixed_dictionaries(
        {"do": st.just("set_wager"), "bet": _BETS, "cents": st.integers(0, 60).map(lambda n: n * 500)}
    ),
    st.fixed_dictionaries({"do": st.just("move_wager"), "source": _BETS, "target": _BETS}),
    st.sampled_from([{"do": "undo"}, {"do": "clear"}, {"do": "double"}]),
)


def _touched(lines: list[tuple[str, dict[str, Any]]]) -> tuple[TableState, list[WagersChanged]]:
    """The table when wagering was opened, and what touches at its stations changed."""
    table = table_with_money("crown-traditional")
    assert table.answer({"do": "open", "by": "D1"}).ok
    opened, events = table.state, []
    for seat, line in lines:
        events += [one for one in table.answer({**line, "by": seat}).events if isinstance(one, WagersChanged)]
    return opened, events


@given(st.lists(st.tuples(st.sampled_from(("A1", "A2")), TOUCHES), max_size=25))
def test_touches_on_one_copy_come_to_the_state_that_evolving_comes_to(lines: list[tuple[str, dict[str, Any]]]) -> None:
    opened, events = _touched(lines)
    before, touches = replace(opened), Touches(opened)
    for event in events:
        touches.lay(event)
    assert touches.state == fold(events, opened)
    assert opened == before


def test_a_touch_that_does_not_fit_changes_nothing() -> None:
    opened, events = _touched([("A1", {"do": "set_wager", "bet": "banker", "cents": 5_000})])
    touches = Touches(opened)
    with pytest.raises(AssertionError, match="more chips were laid than were there"):
        touches.lay(replace(events[0], after={"banker": 10**9}))
    with pytest.raises(KeyError):
        touches.lay(replace(events[0], station="A99"))
    assert touches.state == opened
