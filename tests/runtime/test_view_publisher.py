"""Whatever records bring a table to: each viewer is shown its view, or told that its picture is not current, and none
takes another or the table along.
"""

import asyncio
import random

import pytest
from structlog.testing import capture_logs

from sabot.basics.role import Role
from sabot.basics.stamp import Stamp, Stamped
from sabot.floor.simulator.chance import Chance
from sabot.floor.table_owner.messages import Connected
from sabot.journal.memory import MemoryJournal
from sabot.rules.rule_set import Bet
from sabot.runtime import view_publisher
from sabot.runtime.link import LinkFeed, Published
from sabot.runtime.table_runner import RunningTable
from sabot.table import acts
from sabot.views.audience import Audience
from sabot.wire.frames import Answer, Checkpoint, FloorFrame, Hello, ViewFrame, Vouched, Welcome, write
from tests.runtime.floors import Clocks, Given, Seat, buy_in, by_dealer, running, table_for, until, wager, wall_ms
from tests.views.random_records import after_some_events
from tests.views.test_every_view import WildNight


class Screen:
    """A link that keeps what it was told, as it would go over the wire."""

    feed: LinkFeed = "views"

    def __init__(self) -> None:
        self.told: list[Welcome | ViewFrame] = []

    def tell(self, frame: FloorFrame | Published) -> None:
        if isinstance(frame, Welcome | ViewFrame):
            write(frame)
            self.told.append(frame)

    def end(self, why: str, owner: str = "") -> None:
        assert why == "the owner leaves", f"cut off: {why} {owner}"


def check(seeds: range) -> None:
    with capture_logs() as logged:
        asyncio.run(_show_random_states(seeds))
    failed = [line for line in logged if line["event"] == "a view cannot be made"]
    assert failed, "no record broke a view, so nothing was proved"
    assert len([line for line in logged if line["event"] == "alarm"]) == len(failed)


async def _show_random_states(seeds: range) -> None:
    night = WildNight(1)
    night.play()
    configuration = night.state.configuration
    async with running(MemoryJournal(wall_ms), configuration) as floor:
        table = floor.tables[configuration.table]
        await until(lambda: table.term is not None)
        assert table.term is not None
        for seed in seeds:
            chance = Chance(random.Random(seed).random)
            table.term.state = after_some_events(night.state, chance, 6)
            await _look(table, [*night.state.stations][:2])
        table.term.state = night.state
        assert not [screen for screen in await _look(table, ["A1"]) if screen.told[-1].stale], "it recovers by itself"


async def _look(table: RunningTable, stations: list[str]) -> list[Screen]:
    """Welcome everybody anew, and look again."""
    screens = []
    audiences = [("console", Audience.CONSOLE, ""), ("display", Audience.DISPLAY, "")]
    for device, audience, station in (*audiences, *((name, Audience.STATION, name) for name in stations)):
        screen = Screen()
        if device in table.links:
            table.gone(device, table.links[device])
        table.hello(Connected(device, audience, Hello(), station), screen)
        screens.append(screen)
        [welcome] = screen.told
        assert isinstance(welcome, Welcome)
        assert welcome.view or welcome.stale, "a view, or a word that there is none"
    before = [len(screen.told) for screen in screens]
    table.views.look_soon()
    await asyncio.sleep(0)
    assert all(len(screen.told) <= count + 2 for screen, count in zip(screens, before, strict=True))
    return screens


@pytest.mark.clause("G-196")
def test_each_is_shown_its_view_or_told_that_it_is_not_current_whatever_the_records_say() -> None:
    check(range(60))


@pytest.mark.whole
def test_the_same_of_many_records() -> None:
    check(range(60, 3_000))


def test_a_floor_of_sound_records_says_nothing_of_pictures() -> None:
    async def run() -> None:
        async with running(MemoryJournal(wall_ms), table_for()) as floor:
            table = floor.tables["T1"]
            await until(lambda: table.term is not None)
            assert all(screen.told[-1].stale is None for screen in await _look(table, ["A1", "A2"]))

    with capture_logs() as logged:
        asyncio.run(run())
    assert not [line for line in logged if line["event"] in ("alarm", "a view cannot be made")]


def test_a_touched_station_is_shown_its_own_sections_with_its_answer_and_no_look_is_needed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def run() -> None:
        async with running(MemoryJournal(wall_ms), table_for(period_ms=600_000)) as floor:
            table = floor.tables["T1"]
            await until(lambda: table.term is not None)
            touching, other = [Seat(table, name, feed="views") for name in ("A1", "A2")]
            dealer = Seat(table, "console", Audience.CONSOLE)
            for seat in (touching, other, dealer):
                await seat.hello()
            await _open(dealer)
            await until(lambda: touching.view["phase"]["phase"] == "wagering" == other.view["phase"]["phase"])
            monkeypatch.setattr(view_publisher, "PAUSE_S", 0.0)
            told = len(other.heard)
            await touching.answer(wager("A1", 5_000), coup=1)
            answer, view = touching.heard[-2:]
            assert isinstance(answer, Answer)
            assert isinstance(view, ViewFrame)
            assert set(view.changed) == {"purse", "wagers", "actions"}
            assert answer.layout == {Bet("player"): 5_000}
            assert touching.view["wagers"]["on_layout"] == {"player": 5_000}
            monkeypatch.setattr(view_publisher, "PAUSE_S", 0.5)
            await touching.answer(wager("A1", 10_000), coup=1)
            assert isinstance(touching.heard[-1], Answer), "it was shown something just before"
            await until(lambda: touching.view["wagers"]["on_layout"] == {"player": 10_000})
            assert len(other.heard) == told, "a touch is nothing to others"

    asyncio.run(run())


def test_a_console_gets_a_view_after_every_act_that_was_accepted_there_even_where_nothing_is_new() -> None:
    """It waits for the view that has what was done; a station's answer says what lies on its layout instead."""

    async def run() -> None:
        async with running(MemoryJournal(wall_ms), table_for(period_ms=600_000)) as floor:
            table = floor.tables["T1"]
            await until(lambda: table.term is not None)
            dealer, other = [Seat(table, name, Audience.CONSOLE, feed="views") for name in ("console", "console-2")]
            for seat in (dealer, other):
                await seat.hello()
            await _open(dealer)
            await until(lambda: dealer.view["phase"]["phase"] == "wagering" == other.view["phase"]["phase"])
            table.views.look_soon()
            told = len(other.heard)
            answer = await dealer.answer(Stamped(acts.Clear(station="A1"), wager("A1", 0).stamp), coup=1)
            assert answer.accepted
            assert answer.layout is None, "a console sees no layout of a station by its answers"
            await until(lambda: isinstance(dealer.heard[-1], ViewFrame) and dealer.heard[-1].version >= answer.version)
            assert not [frame for frame in other.heard[told:] if isinstance(frame, ViewFrame) and not frame.changed]

    asyncio.run(run())


def test_a_signed_head_goes_out_with_the_look_that_is_to_come_and_alone_where_there_is_none() -> None:
    head = Checkpoint(version=1, epoch=1, hash="", at_ms=0, key_id="", signature="")

    async def run() -> None:
        async with running(MemoryJournal(wall_ms), table_for(period_ms=600_000)) as floor:
            table = floor.tables["T1"]
            await until(lambda: table.term is not None)
            seat, dealer = Seat(table, "A1", feed="views"), Seat(table, "console", Audience.CONSOLE)
            for one in (seat, dealer):
                await one.hello()
            await _open(dealer)
            await until(lambda: seat.view["phase"]["phase"] == "wagering")
            assert not table.views.will_tell(Vouched(checkpoint=head)), "nobody will look, so it is told at once"
            told = len(seat.heard)
            table.views.look_soon()
            assert table.views.will_tell(Vouched(checkpoint=head))
            assert len(seat.heard) == told
            await until(lambda: len(seat.heard) > told)
            assert seat.heard[told:] == [Vouched(checkpoint=head)]

    asyncio.run(run())


def test_a_station_that_comes_in_the_middle_of_the_countdown_is_told_what_is_left_of_it() -> None:
    """A page counts down from what it was told, so a time of the last change would let it run behind the table."""

    async def run() -> None:
        clocks = Clocks()
        async with running(MemoryJournal(clocks.wall_ms), table_for(period_ms=600_000), clocks=clocks) as floor:
            table = floor.tables["T1"]
            await until(lambda: table.term is not None)
            first, dealer = Seat(table, "A1", feed="views"), Seat(table, "console", Audience.CONSOLE)
            for one in (first, dealer):
                await one.hello()
            await _open(dealer)
            await until(lambda: first.view["phase"]["phase"] == "wagering")
            clocks.ahead_ms += 60_000
            late = Seat(table, "A2", feed="views")
            await late.hello()
            assert late.view["clock"]["remaining_ms"] <= 540_000
            assert first.view["clock"]["deadline_ms"] == late.view["clock"]["deadline_ms"]

    asyncio.run(run())


async def _open(dealer: Seat) -> None:
    """A table that takes wagers, with two patrons."""
    lines: list[acts.DeviceAct] = [acts.SignOn(), acts.OpenTable()]
    for act in lines:
        assert (await dealer.answer(by_dealer(act))).accepted
    supervisor = Stamp(by="GS1", role=Role.GAME_SUPERVISOR)
    steps: list[Given] = [
        Stamped(acts.CheckCards(cards=416), supervisor),
        by_dealer(acts.NewShoe()),
        Stamped(acts.Cut(at=208), supervisor),
        by_dealer(acts.Burn(count=1)),
        buy_in("A1"),
        buy_in("A2"),
        by_dealer(acts.Open()),
    ]
    for given in steps:
        answer = await dealer.answer(given)
        assert answer.accepted, answer
