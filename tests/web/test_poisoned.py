"""A journal with a record of which no view can be made: the floor starts, raises one alarm, shows the last sound
picture as such, and plays on. The records are written into the SQLite file with the floor's own codec, as an older or
another program could have left them there.
"""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from structlog.testing import capture_logs

from sabot.basics.stamp import clock_stamp, operator_stamp
from sabot.floor.records.record_codec import entry_of, table_stream
from sabot.journal.journal import Appended
from sabot.journal.sqlite import open_sqlite
from sabot.rules.rule_set import Bet
from sabot.table import acts
from sabot.table.events import AccountOpened, Configured, Event, NoticeGiven
from sabot.table.state import NoticeKind
from tests.runtime.floors import table_for, until
from tests.served.server import Served, served
from tests.web.test_socket import Dealer

TABLE = table_for(stations=3, period_ms=60_000)
STREAM = table_stream("T1")
FAR_NOTICE = NoticeGiven(kind=NoticeKind.CLOSURE, from_ms=10**15, shown_ms=0, bet=None, cents=0, clause="CROWN 13.7")
NAMELESS_NOTICE = NoticeGiven(
    kind=NoticeKind.AGGREGATE_MINIMUM, from_ms=5, shown_ms=0, bet=Bet("no_such_bet"), cents=100, clause="CROWN 5.1"
)
UNKNOWN_NOTICE = msgspec.structs.replace(NAMELESS_NOTICE, kind=NoticeKind.MINIMUM)
STRANGE_STATION = AccountOpened(station="Z9", patron="", control=77, by="D1", at_ms=0, clause="CROWN 6.3")
"""Breaks what consoles are shown, and nothing else."""
NO_LIMITS = Configured(configuration=msgspec.structs.replace(TABLE, limits={}), rule_set_digest="")
"""Breaks what everybody is shown."""


async def poison(path: Path, *events: Event) -> None:
    """Write a record behind the last one, as if it had been decided."""
    journal = await open_sqlite(path)
    head = await journal.head(STREAM)
    records = head.then(head.epoch, [entry_of("poison/1", acts.Tick(), clock_stamp(5), events)])
    assert isinstance(await journal.append(STREAM, head.version, records), Appended)
    await journal.close()


def on_a_poisoned_floor(path: Path, event: Event, play: Callable[[Served, Dealer], Awaitable[None]]) -> list[Any]:
    """The lines of the log while somebody plays at a table whose journal holds the event."""

    async def run() -> None:
        journal = await open_sqlite(path)
        async with served(journal, TABLE):
            pass
        await journal.close()
        await poison(path, event)
        journal = await open_sqlite(path)
        async with served(journal, TABLE) as floor:
            for device, kind in (("A1", "station"), ("A2", "station"), ("console", "console"), ("display", "display")):
                await floor.enrol(device, kind)
            async with floor.connected("console") as console:
                await console.hello(feed="events")
                await play(floor, Dealer(console, await floor.token("D1")))
        await journal.close()

    with capture_logs() as logged:
        asyncio.run(run())
    return logged


def alarms(logged: list[Any]) -> list[str]:
    return [line["text"] for line in logged if line["event"] == "alarm"]


@pytest.mark.clause("G-195")
@pytest.mark.parametrize("event", [FAR_NOTICE, NAMELESS_NOTICE, UNKNOWN_NOTICE], ids=["far", "nameless", "unknown"])
def test_a_sign_that_was_accepted_before_there_were_bounds_is_shown(tmp_path: Path, event: Event) -> None:
    async def play(floor: Served, dealer: Dealer) -> None:
        for device in ("A1", "display"):
            async with floor.connected(device) as wire:
                welcome = await wire.hello()
                assert welcome["whole"]
                assert "stale" not in welcome
                assert len(welcome["view"]["notices"]) == 1
        await dealer.do("sign_on")

    assert alarms(on_a_poisoned_floor(tmp_path / "floor.db", event, play)) == []


@pytest.mark.clause("G-196")
def test_a_console_of_which_no_view_can_be_made_takes_nobody_along(tmp_path: Path) -> None:
    async def play(floor: Served, dealer: Dealer) -> None:
        await floor.enrol("console-2", "console")
        async with floor.connected("A1") as station, floor.connected("console-2") as blind:
            assert "stale" not in await station.hello()
            welcome = await blind.hello()
            assert welcome["stale"] == {"since_ms": 0}
            assert "view" not in welcome
            await dealer.do("sign_on")
            await dealer.do("open_table")
            shown = await station.frame("view")
            assert shown["changed"]["phase"]["phase"] == "between_coups"
            assert "stale" not in shown
            for _ in range(3):
                await dealer.do("incident", station="A1", text="noise")
            await blind.hello()
            assert "stale" in blind.heard[-1], "it is told so again, and not cut off"

    logged = on_a_poisoned_floor(tmp_path / "floor.db", STRANGE_STATION, play)
    assert len(alarms(logged)) == 1
    assert "the console" in alarms(logged)[0]
    assert len([line for line in logged if line.get("exc_info")]) == 1, "with its traceback, once"


@pytest.mark.clause("G-196")
def test_when_no_picture_can_be_made_for_anybody_all_are_told_and_play_goes_on(tmp_path: Path) -> None:
    async def play(floor: Served, dealer: Dealer) -> None:
        async with floor.connected("A1") as station, floor.connected("display") as display:
            for wire in (station, display):
                assert (await wire.hello())["stale"] == {"since_ms": 0}
            await dealer.do("sign_on")
            await dealer.do("open_table")
            await dealer.do("buy_in", station="A1", cents=100_000)
            refused = await station.answer(0, do="set_wager", bet="player", cents=2_500)
            assert refused["refusal"]["code"] == "picture_stale"
            assert floor.balance("A1") == 100_000
            floor.table.carry(acts.Configure(configuration=TABLE), operator_stamp())
            for wire in (station, display):
                shown = await wire.frame("view")
                assert "stale" not in shown
                assert {"table", "phase", "notices"} <= shown["changed"].keys(), "all of it"

    logged = on_a_poisoned_floor(tmp_path / "floor.db", NO_LIMITS, play)
    assert len(alarms(logged)) == 1


@pytest.mark.clause("G-196")
def test_the_last_sound_picture_stays_and_is_marked(tmp_path: Path) -> None:
    """What is sound now may break later: a station that has a picture keeps it."""

    async def play(floor: Served, dealer: Dealer) -> None:
        await dealer.do("sign_on")
        await dealer.do("open_table")
        await dealer.do("buy_in", station="A1", cents=100_000)
        floor.table.carry(acts.Configure(configuration=TABLE), operator_stamp())
        async with floor.connected("A1") as station:
            await until(lambda: bool(floor.state.limits))
            welcome = await station.hello()
            assert "stale" not in welcome
            term = floor.table.term
            assert term is not None
            sound = term.state
            term.state = msgspec.structs.replace(sound, limits={})
            floor.table.views.look_soon()
            marked = await station.frame("view")
            assert marked["changed"] == {}
            assert marked["stale"]["since_ms"] > 0
            again = await _hello_anew(floor, "A1")
            assert again["whole"]
            assert again["view"]["purse"] == welcome["view"]["purse"]
            assert again["stale"] == marked["stale"]
            term.state = sound
            await dealer.do("incident", station="A1", text="noise")

    on_a_poisoned_floor(tmp_path / "floor.db", NO_LIMITS, play)


async def _hello_anew(floor: Served, device: str) -> dict[str, Any]:
    async with floor.connected(device) as wire:
        return await wire.hello()


def test_a_shoe_that_asks_for_views_is_told_that_it_has_none(tmp_path: Path) -> None:
    async def play(floor: Served, _: Dealer) -> None:
        await floor.enrol("shoe", "shoe")
        async with floor.connected("shoe") as shoe:
            await shoe.send(type="hello", feed="views")
            assert (await shoe.frame("trouble"))["code"] == "no_view"
            assert (await shoe.hello(feed="events"))["type"] == "welcome"

    logged = on_a_poisoned_floor(tmp_path / "floor.db", FAR_NOTICE, play)
    assert not [line for line in logged if line.get("exc_info")]
