"""Who squeezes a hand: the largest wager on it, from the close of wagering until the result."""

from typing import Any

import msgspec
import pytest

from sabot.views.changed import changed
from sabot.views.station import station_view
from tests.table.playing import table_with_money
from tests.views.watching import Watched

SEATS = ("A1", "A2", "A3")


def table_that_squeezes(**changes: Any) -> Watched:
    table = Watched(table_with_money("crown-traditional"))
    assert table.say(do="buy_in", by="D1", station="A3", cents=100_000).ok
    wanted = msgspec.structs.replace(table.state.configuration, **{"squeeze": True, **changes})
    assert table.say(do="configure", by="operator", configuration=msgspec.to_builtins(wanted)).ok
    assert table.say(do="open", by="D1").ok
    return table


def wager(table: Watched, station: str, bet: str, cents: int) -> None:
    assert table.say(do="set_wager", by=station, station=station, bet=bet, cents=cents).ok


def squeezers(table: Watched) -> dict[str, tuple[str, ...]]:
    views = {name: station_view(table.look(), name) for name in SEATS}
    return {name: tuple(view.squeeze) for name, view in views.items() if view.squeeze}


@pytest.mark.clause("CROWN 8.3.3")
def test_the_largest_wager_on_each_hand_squeezes_it_and_the_first_station_of_equals() -> None:
    table = table_that_squeezes()
    wager(table, "A1", "player", 2_500)
    wager(table, "A2", "player", 3_000)
    wager(table, "A3", "player", 3_000)
    wager(table, "A3", "banker", 2_500)
    wager(table, "A1", "tie", 20_000)
    assert squeezers(table) == {}, "wagers are still changed"
    assert table.say(do="close", by="D1").ok
    assert squeezers(table) == {"A2": ("player",), "A3": ("banker",)}
    for card in ("4S", "2H", "3D", "3C"):
        assert table.say(do="card", by="D1", card=card).ok
    assert squeezers(table) == {"A2": ("player",), "A3": ("banker",)}
    assert table.say(do="freeze", by="GS1").ok
    assert squeezers(table) == {}
    assert table.say(do="unfreeze", by="GS1").ok
    assert squeezers(table) == {"A2": ("player",), "A3": ("banker",)}
    assert table.say(do="card", by="D1", card="8H").ok
    assert table.say(do="confirm", by="D1").ok
    assert squeezers(table) == {}


def test_nobody_squeezes_where_the_house_has_not_allowed_it() -> None:
    table = table_that_squeezes(squeeze=False)
    wager(table, "A1", "player", 2_500)
    assert table.say(do="close", by="D1").ok
    assert squeezers(table) == {}


def test_a_card_changes_nothing_of_what_a_station_squeezes() -> None:
    table = table_that_squeezes()
    wager(table, "A1", "banker", 2_500)
    assert table.say(do="close", by="D1").ok
    before = station_view(table.look(), "A1")
    assert table.say(do="card", by="D1", card="4S").ok
    assert "squeeze" not in changed(before, station_view(table.look(), "A1"))
