"""Views by example: what is sent when something changes, what is recalled, and what the floor adds up."""

from itertools import pairwise

import msgspec
import pytest

from sabot.floor.lines.table import LineFloor
from sabot.rules.cards import read_cards
from sabot.rules.coup import read_coup
from sabot.table.events import Event
from sabot.table.fixtures import fixture
from sabot.views import scorecard
from sabot.views.changed import changed
from sabot.views.console import ConsoleView, console_view
from sabot.views.display import DisplayView, display_view
from sabot.views.floor import FloorView, floor_view
from sabot.views.message import say
from sabot.views.recall import RECALLED, Recall, recall
from sabot.views.scorecard import KEPT_COUPS, Scorecard
from sabot.views.station import StationView, concerned, station_view
from sabot.views.story import MOST_STEPS, TouchInShort
from tests.table.playing import table_with_money
from tests.views.watching import Watched

BANKER_7_TO_3 = read_coup(read_cards(["2S", "4H", "3D", "3C", "8S"]))
PLAYER_9_TO_7 = read_coup(read_cards(["9S", "4H", "KD", "3C"]))


def watched(identity: str = "crown-traditional") -> Watched:
    return Watched(table_with_money(identity), Scorecard())


def play(table: Watched, cards: str, **wagers: int) -> None:
    table.say(do="open", by="D1")
    for bet, cents in wagers.items():
        table.say(do="set_wager", by="A1", station="A1", bet=bet, cents=cents)
    table.say(do="close", by="D1")
    for card in cards.split():
        table.say(do="card", by="D1", card=card)
    assert table.say(do="confirm", by="D1").ok


def test_a_touch_changes_what_is_the_stations_own_and_nothing_else() -> None:
    table = watched()
    table.say(do="open", by="D1")
    seen = table.look()
    before = {name: station_view(seen, name) for name in ("A1", "A2")}
    table.say(do="set_wager", by="A1", station="A1", bet="tie", cents=500, at_ms=4_000)
    look = table.look()
    after = {name: station_view(look, name) for name in ("A1", "A2")}
    assert set(changed(before["A1"], after["A1"])) == {"purse", "wagers", "actions"}
    assert changed(before["A2"], after["A2"]) == {}
    assert concerned(seen, look) == {"A1"}


def test_that_time_passes_is_no_change() -> None:
    table = watched()
    table.say(do="open", by="D1", at_ms=1_000)
    before = display_view(table.look())
    table.say(do="tick", by="clock", at_ms=9_000)
    after = display_view(table.look())
    assert (before.clock.remaining_ms, after.clock.remaining_ms) == (30_000, 22_000)
    assert changed(before, after) == {}
    table.say(do="close", by="D1", at_ms=9_500)
    assert set(changed(after, display_view(table.look()))) == {"phase", "clock", "cards", "seal"}


def test_a_viewer_without_a_view_is_sent_every_section() -> None:
    view = display_view(watched().look())
    assert set(changed(None, view)) == set(DisplayView.__struct_fields__)


def test_sections_that_everybody_shares_are_made_once() -> None:
    public = watched().look()
    one, other, display = station_view(public, "A1"), station_view(public, "A2"), display_view(public)
    for section in DisplayView.__struct_fields__:
        assert getattr(one, section) is getattr(other, section) is getattr(display, section)


@pytest.mark.parametrize("view", [StationView, ConsoleView, DisplayView, FloorView, Recall])
def test_every_view_has_a_schema_that_screens_can_be_typed_from(view: type[msgspec.Struct]) -> None:
    (_,), components = msgspec.json.schema_components([view])
    assert set(components[view.__name__]["properties"]) == set(view.__struct_fields__)


def test_the_last_ten_coups_are_recalled_each_with_its_balances() -> None:
    table = watched()
    for number in range(12):
        play(table, ("2S 4H 3D 3C 8S", "9H 4D KC 3H", "2D 4C 3S 3D 8H")[number % 3], banker=10_000)
    told = recall(table.card, "A1")
    assert [coup.coup for coup in told.coups] == list(range(3, 13))
    assert len(told.coups) == KEPT_COUPS
    steps = [step.what.code for step in told.coups[-1].steps]
    assert steps[:3] == ["recall_opened", "recall_wagers", "recall_closed"]
    assert steps[-2:] == ["recall_decided", "recall_settled"]
    assert told.coups[-1].steps[-1].balance_cents == table.state.purse("A1").balance
    balances = [coup.steps[-1].balance_cents for coup in told.coups]
    assert [after - before for before, after in pairwise(balances)][:3] == [9_500, -10_000, 9_500]


def test_a_coup_that_is_over_keeps_no_more_touches_than_are_told() -> None:
    table = watched()
    table.say(do="open", by="D1")
    for number in range(2 * MOST_STEPS):
        table.say(do="set_wager", by="A1", station="A1", bet="banker", cents=10_000 + number % 2 * 2_500)
    before = recall(table.card, "A1")
    table.say(do="close", by="D1")
    table.say(do="void", by="D1")
    assert len(table.card.stories[0].steps) > 2 * MOST_STEPS
    for _ in range(2):
        play(table, "2S 4H 3D 3C 8S", banker=10_000)
    kept = [step for step in table.card.stories[0].steps if isinstance(step, TouchInShort)]
    assert len(kept) == MOST_STEPS
    assert len(table.card.stories[0].steps) < MOST_STEPS + 10
    assert before.coups[0].steps[-1] in recall(table.card, "A1").coups[0].steps


def test_a_new_patron_recalls_nothing_of_the_one_before() -> None:
    table = watched()
    play(table, "2S 4H 3D 3C 8S", banker=10_000)
    table.say(do="leave", by="D1", station="A1")
    table.say(do="pay", by="D1", station="A1")
    table.say(do="buy_in", by="D1", station="A1", cents=5_000)
    assert station_view(table.look(), "A1").settled is None
    assert [step.what.code for coup in recall(table.card, "A1").coups for step in coup.steps] == [
        "recall_account",
        "recall_bought_in",
    ]
    assert len(recall(table.card, "A1", whole=True).coups[0].steps) > 8


def test_a_recall_tells_exactly_what_a_scorecard_keeps() -> None:
    assert RECALLED == scorecard.KEPT_IN_STORIES
    assert all(issubclass(kind, Event) for kind in RECALLED)


def test_a_card_made_from_a_state_shows_the_same_table() -> None:
    """After a restart the roads, the result and the settlement are there before a single record is folded."""
    table = watched()
    play(table, "2S 4H 3D 3C 8S", banker=10_000)
    play(table, "9S 4H KD 3C", player=5_000, tie=500)
    again = Watched(table.talk)
    one, other = station_view(table.look(), "A1"), station_view(again.look(), "A1")
    assert set(changed(one, other)) == {"seal", "receipt"}


def test_money_that_comes_back_is_explained() -> None:
    table = watched()
    table.say(do="open", by="D1")
    table.say(do="set_wager", by="A1", station="A1", bet="player", cents=2_500)
    table.say(do="set_wager", by="A1", station="A1", bet="player_pair", cents=500)
    table.say(do="set_wager", by="A1", station="A1", bet="player", cents=0)
    (message,) = station_view(table.look(), "A1").returned
    assert (message.code, message.clause, message.values) == (
        "returned_unqualified",
        "CROWN 4.11.1",
        {"bet": "player_pair"},
    )
    table.say(do="set_wager", by="A1", station="A1", bet="player", cents=2_500)
    assert station_view(table.look(), "A1").returned == ()


def test_the_floor_shows_its_tables_and_what_it_owes() -> None:
    pit = LineFloor()
    table = pit.enter(fixture("crown"))
    table.answer({"do": "sign_on", "by": "D1"})
    view = floor_view(pit.house, {"T1": table.state})
    (line,) = view.tables
    assert (line.table, line.phase, line.dealer, line.stations, line.win_cents) == ("T1", "closed", "D1", 6, 0)
    assert view.staff["GS1"] == ("game_supervisor",)
    assert view.liability.outstanding_cents == 0
    assert changed(view, floor_view(pit.house, {"T1": table.state})) == {}


def test_the_console_asks_the_table_itself_what_is_open() -> None:
    table = watched()
    actions = console_view(table.look()).actions
    assert actions["open"].open
    assert (actions["confirm"].open, actions["confirm"].clause) == (False, "CROWN 8.3.3")
    assert actions["cut"].roles == ("game_supervisor", "casino_supervisor")


def test_a_message_tells_figures_and_times_as_people_write_them() -> None:
    message = say(
        "minimum_rises", "CROWN 5", "Australia/Melbourne", title="Tie", from_ms=38_400_000, minimum_cents=5000
    )
    assert message.text == "The minimum on Tie becomes 50.00 at 20:40"
    assert message.values == {"title": "Tie", "from_ms": 38_400_000, "minimum_cents": 5000}
    nowhere = say("closure", "", "Nowhere/Atall", from_ms=38_400_000)
    assert nowhere.text == "This table closes at 10:40"


def test_the_result_stays_until_the_next() -> None:
    table = watched()
    play(table, "9S 4H KD 3C", player=2_500)
    table.say(do="open", by="D1")
    result = display_view(table.look()).result
    assert result is not None
    assert result.announcement.text == PLAYER_9_TO_7.sentence
