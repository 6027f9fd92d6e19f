"""What a station is told does not tell how often others touch: not by answers, not by pictures, not by coming back."""

from typing import Any

import pytest

from sabot.table import acts
from sabot.web.socket.marks import MOST_KEPT, Marks
from sabot.wire import frames as f
from tests.served.device import VIEWS, Wire
from tests.served.open_table import OpenTable, open_table, over_the_wire

CENTS = 2_500
TOLD = ("type", "n", "version", "after", "whole")


async def _heard(feed: str, others: int) -> list[dict[str, Any]]:
    """What A1 hears while A2 touches so often around each of its own touches, without what it shows."""
    async with open_table(console_settings=VIEWS) as table:
        for station in ("A1", "A2"):
            await table.enrol(station)
            await table.console.ask(acts.BuyIn(station=station, cents=1_000_000))
        await table.open_wagering()
        async with table.connected("A1") as own, table.connected("A2") as other:
            await own.hello(feed=feed)
            await other.hello(feed="events")
            for turn in range(1, 4):
                await _turn(table, own, other, feed, others, turn)
        return [{key: one.get(key) for key in TOLD} for one in own.heard]


async def _turn(table: OpenTable, own: Wire, other: Wire, feed: str, others: int, turn: int) -> None:
    await _touch(other, others, turn)
    answer = await own.answer(1, do="set_wager", bet="player", cents=turn * CENTS)
    assert "refusal" not in answer, answer
    shown = await own.frame("view" if feed == "views" else "told")
    assert shown["version"] >= answer["version"], "the picture that follows has it"
    await _touch(other, others, turn + 1)  # It comes to another amount than before.
    await table.console.until(lambda: _wagered_at_console(table) == table.state.purse("A2").wagered)
    welcome = await own.hello(feed=feed, epoch=own.epoch, version=shown["version"])
    assert not {"view", "picture", "missed", "whole"} & welcome.keys(), "it is up to date"
    assert table.state.purse("A1").layout == {"player": turn * CENTS}


def _wagered_at_console(table: OpenTable) -> int:
    """What A2 has wagered as the console shows it, so that everybody was looked at since."""
    return next(int(seat["wagered_cents"]) for seat in table.console.mirror.view["seats"] if seat["station"] == "A2")


async def _touch(other: Wire, times: int, turn: int) -> None:
    for number in range(times):
        answer = await other.answer(1, do="set_wager", bet="player", cents=(1 + (number + turn) % 3) * CENTS)
        assert "refusal" not in answer, answer


@pytest.mark.parametrize("feed", ["views", "events"])
def test_a_station_hears_the_same_figures_however_often_others_touch(feed: str) -> None:
    heard: list[list[dict[str, Any]]] = []

    @over_the_wire
    async def play() -> None:
        heard.extend([await _heard(feed, others) for others in (0, 5)])

    play()
    assert heard[0] == heard[1]


def test_a_mark_is_found_again_until_it_is_too_old() -> None:
    marks = Marks()
    for version in range(10, 10 + 3 * MOST_KEPT):
        marks.told(f.ViewFrame(epoch=1, version=version, changed={}))
    newest = f.Hello(epoch=1, version=3 * MOST_KEPT)
    assert marks.known(newest).version == 9 + 3 * MOST_KEPT
    assert marks.known(f.Hello(epoch=1, version=1)).version == 0
    assert marks.known(f.Hello(epoch=1, version=3 * MOST_KEPT + 1)).version == 0
    assert marks.known(f.Hello(epoch=2, version=3 * MOST_KEPT)).version == 0


def test_another_owners_time_begins_anew() -> None:
    marks = Marks()
    for version in (10, 20):
        marks.told(f.ViewFrame(epoch=1, version=version, changed={}))
    assert b'"version":1,' in marks.told(f.ViewFrame(epoch=2, version=30, changed={}))
    assert marks.known(f.Hello(epoch=2, version=1)).version == 30
    assert marks.known(f.Hello(epoch=1, version=1)).version == 0


def test_a_frame_that_several_devices_share_is_written_out_with_the_mark_of_each() -> None:
    shared = f.ViewFrame(epoch=1, version=7, changed={"a": {"version": 7}})
    first, second = Marks(), Marks()
    second.told(f.ViewFrame(epoch=1, version=5, changed={}))
    assert first.told(shared) == b'{"type":"view","epoch":1,"version":1,"changed":{"a":{"version":7}}}'
    assert second.told(shared) == b'{"type":"view","epoch":1,"version":2,"changed":{"a":{"version":7}}}'
