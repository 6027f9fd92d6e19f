"""The map of the floor: what each table shows, and that a frame holds only what changed."""

import msgspec

from sabot.table.state import CardCheck, TableState
from sabot.views.floor_map import MapCount, MapSeat, MapTable, map_table, scale_of
from tests.table.playing import table_with_money
from tests.views.watching import Watched


def shown(state: TableState) -> MapTable:
    return map_table("T1", 7, state)


def seat(table: MapTable, station: str) -> MapSeat:
    return next(one for one in table.seats if one.station == station)


def test_a_table_shows_its_phase_its_deadline_and_the_money_on_each_seat() -> None:
    table = Watched(table_with_money("crown-traditional"))
    before = shown(table.state)
    assert (before.phase, before.deadline_ms, before.wagered_cents) == ("between_coups", None, 0)
    table.say(do="open", by="D1", at_ms=10_000)
    table.say(do="set_wager", by="A1", station="A1", bet="banker", cents=5_000)
    after = shown(table.state)
    assert (after.phase, after.deadline_ms) == ("wagering", 10_000 + table.state.period_ms)
    assert seat(after, "A1") == MapSeat("A1", "playing", 5_000)
    assert seat(after, "A2") == MapSeat("A2", "playing", 0)
    assert after.wagered_cents == 5_000
    assert {one.state for one in after.seats if one.station not in ("A1", "A2")} == {"free"}


def test_a_frozen_countdown_stands_still() -> None:
    table = Watched(table_with_money("crown-traditional"))
    table.say(do="open", by="D1", at_ms=10_000)
    frozen = msgspec.structs.replace(table.state, frozen_at_ms=12_000)
    assert shown(frozen).stands_still
    assert shown(frozen).remaining_ms == table.state.period_ms - 2_000
    assert shown(frozen).lights.alarms == "alarm"


def test_a_call_is_an_alarm_until_somebody_answers_and_then_to_be_watched() -> None:
    table = Watched(table_with_money("crown-traditional"))
    assert table.say(do="call_attendant", by="A1").ok
    called = shown(table.state)
    assert (called.lights.calls, seat(called, "A1").state, called.lights.alarms) == ("alarm", "called", "quiet")
    assert table.say(do="answer_call", by="D1", station="A1").ok
    answered = shown(table.state)
    assert (answered.lights.calls, seat(answered, "A1").state) == ("watch", "served")


def test_the_census_has_a_light_of_its_own() -> None:
    state = table_with_money("crown-traditional").state
    quiet, late, missing = (
        shown(msgspec.structs.replace(state, shoe=msgspec.structs.replace(state.shoe, **changed)))
        for changed in ({}, {"overdue": True}, {"missing": 1})
    )
    assert [one.lights.census for one in (quiet, late, missing)] == ["quiet", "watch", "alarm"]
    assert {one.lights.alarms for one in (quiet, late, missing)} == {"quiet"}
    in_doubt = shown(msgspec.structs.replace(state, cards_checked=CardCheck.NONE))
    assert (in_doubt.lights.census, in_doubt.lights.alarms) == ("alarm", "quiet")


def test_a_light_of_integrity_is_shown_as_it_stands() -> None:
    state = table_with_money("crown-traditional").state
    assert shown(state).lights.integrity == "quiet"
    assert map_table("T1", 7, state, "watch").lights.integrity == "watch"


def test_a_station_out_of_service_is_to_be_watched_and_a_device_that_is_down_is_an_alarm() -> None:
    state = table_with_money("crown-traditional").state
    aside = shown(msgspec.structs.replace(state, out_of_service=frozenset({"A2"})))
    assert (aside.lights.alarms, seat(aside, "A2").state) == ("watch", "out_of_service")
    down = shown(msgspec.structs.replace(state, out_of_service=frozenset({"A2"}), down=frozenset({"display"})))
    assert down.lights.alarms == "alarm"


def test_a_frame_holds_the_tables_that_changed_after_a_mark_and_all_after_none() -> None:
    one = shown(table_with_money("crown-traditional").state)
    other = msgspec.structs.replace(one, table="T2")
    count = MapCount().then([one, other])
    assert [table.table for table in count.frame("r", 0, 5).tables] == ["T1", "T2"]
    assert count.frame("r", 0, 5).whole
    later = count.then([msgspec.structs.replace(other, coup=9)])
    assert [(table.table, table.coup) for table in later.frame("r", count.mark, 5).tables] == [("T2", 9)]
    assert not later.frame("r", count.mark, 5).whole
    assert later.frame("r", later.mark, 5).tables == ()


def test_the_scale_of_money_is_that_of_the_lowest_table() -> None:
    one = shown(table_with_money("crown-traditional").state)
    low, high = (msgspec.structs.replace(one, minimum_cents=cents) for cents in (1_000, 50_000))
    assert scale_of((high, low)) == (5_000, 20_000, 100_000)
