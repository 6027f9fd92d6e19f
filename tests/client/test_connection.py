"""Clients over real sockets: proof, commands, refusals, news, and coming back."""

import asyncio
import tempfile
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

import pytest

from sabot.client.connection import MOST_UNREAD, MOST_WAITING, Identity, Settings, trusting
from sabot.client.desk import Desk
from sabot.client.display import Display
from sabot.client.key import DeviceKey
from sabot.client.memory import FileMemory
from sabot.client.outcome import CommandRefused, DeviceTurnedAway, FellBehind, Replaced, TooManyWait, Unanswered
from sabot.client.protocol import Patience
from sabot.client.station import Station
from sabot.journal.memory import MemoryJournal
from sabot.rules.rule_set import Bet
from sabot.table import acts
from sabot.table.events import NoteStacked
from sabot.web.serving.certificate import trial_certificate
from sabot.web.socket.socket import SocketLimits
from sabot.wire.frames import Answer, Told
from tests.client.hesitant import HesitantJournal
from tests.runtime.floors import PATIENCE_S, table_for, until, wall_ms
from tests.served.device import EVENTS, VIEWS
from tests.served.open_table import bring_in_play, console_of, open_table, over_the_wire
from tests.served.process import free_port
from tests.served.server import Served, listening, opened
from tests.served.staff import PINS, passing_vault

BOUGHT_IN = 100_000


def _has(station: Station, cents: int) -> bool:
    return station.balance == cents


# Asking


@over_the_wire
async def test_a_wager_is_answered_when_it_is_durable_and_shows_in_events_and_in_views() -> None:
    async with open_table() as floor:
        stations = [await floor.station("A1", cents=BOUGHT_IN), await floor.station("A2", VIEWS, BOUGHT_IN)]
        await floor.open_wagering(*stations)
        for station in stations:
            answer = await station.ask(acts.SetWager(bet=Bet("player"), cents=2_500))
            term = floor.table.term
            assert term is not None
            assert 0 < answer.version <= term.head.version
            await station.until(partial(_has, station, BOUGHT_IN - 2_500))
        assert stations[1].shown.wagers.on_layout == {"player": 2_500}


@over_the_wire
async def test_a_refusal_is_raised_with_its_clause() -> None:
    async with open_table() as floor:
        station = await floor.station("A1", cents=BOUGHT_IN)
        await floor.open_wagering(station)
        with pytest.raises(CommandRefused, match="minimum") as refused:
            await station.ask(acts.SetWager(bet=Bet("player"), cents=5))
        assert refused.value.clause == "CROWN 5.3.1"


class ShortJournal(MemoryJournal):
    short = False

    def shortage(self) -> str | None:
        return "the disk is nearly full" if self.short else None


@over_the_wire
async def test_a_dealer_is_told_why_no_coup_is_opened_on_a_disk_that_is_nearly_full() -> None:
    journal = ShortJournal(wall_ms)
    async with open_table(journal) as floor:
        await floor.station("A1", cents=BOUGHT_IN)
        journal.short = True
        with pytest.raises(CommandRefused, match="no coup is opened: the disk is nearly full") as refused:
            await floor.console.ask(acts.Open())
        assert refused.value.code == "no_room"
        journal.short = False
        await floor.open_wagering()


@over_the_wire
async def test_a_wager_is_meant_for_the_coup_that_the_station_shows() -> None:
    async with open_table() as floor:
        station = await floor.station("A1", cents=BOUGHT_IN)
        await floor.open_wagering(station)
        with pytest.raises(CommandRefused, match="another coup"):
            await station.ask(acts.SetWager(bet=Bet("player"), cents=2_500), coup=7)


@over_the_wire
async def test_commands_asked_at_once_wait_for_their_turn_and_too_many_are_refused_at_once() -> None:
    async with open_table() as floor:
        station = await floor.acceptor("A1")
        asked = [asyncio.create_task(station.ask(acts.Note(cents=5_000))) for _ in range(MOST_WAITING)]
        await asyncio.sleep(0)
        with pytest.raises(TooManyWait):
            await station.ask(acts.Note(cents=5_000))
        answers = await asyncio.gather(*asked)
        assert [answer.n for answer in answers] == list(range(1, MOST_WAITING + 1))
        assert floor.balance("A1") == MOST_WAITING * 5_000


@over_the_wire
async def test_a_device_that_sends_too_fast_is_answered_all_the_same_and_once() -> None:
    async with open_table(limits=SocketLimits(frames_a_second=20, frames_at_once=20)) as floor:
        station = await floor.acceptor("A1")
        for _ in range(40):
            await station.ask(acts.Note(cents=500))
        assert floor.balance("A1") == 40 * 500


@over_the_wire
async def test_a_caller_may_give_up_waiting_but_the_command_goes_on() -> None:
    journal = HesitantJournal()
    async with open_table(journal) as floor:
        station = await floor.acceptor("A1")
        journal.goes_on.clear()
        with pytest.raises(Unanswered):
            await station.ask(acts.Note(cents=500), within_s=0.01)
        journal.goes_on.set()
        await station.ask(acts.Note(cents=1_000))
        assert floor.balance("A1") == 1_500


# Who is let in


@over_the_wire
async def test_a_device_with_another_key_is_turned_away() -> None:
    async with open_table() as floor:
        await floor.enrol("A1", "station")
        with pytest.raises(DeviceTurnedAway, match="not proved"):
            async with Station(floor.url, Identity("A1", DeviceKey.make()), EVENTS):
                pass


@over_the_wire
async def test_a_device_that_was_turned_away_is_back_by_itself_once_the_floor_knows_it() -> None:
    """The vault has lost its key, and finds it again."""
    async with open_table() as floor:
        vault = floor.premises.vault
        identity = await floor.enrol("A1-notes", "note_acceptor", "A1")
        impatient = Settings(feed="events", patience=Patience(turned_away_ms=20), open_within_s=PATIENCE_S)
        station = await floor.enter(Station(floor.url, identity, impatient))
        await station.ask(acts.Note(cents=500))
        key = floor.floor.house.state.devices["A1-notes"].key
        await vault._store.fetch("DELETE FROM device_key WHERE fingerprint = $1", key)  # noqa: SLF001  Nobody else may.
        floor.table.retire("A1-notes", "", "a test")
        with pytest.raises(DeviceTurnedAway, match="not enrolled"):
            await station.until(lambda: False)
        with pytest.raises(DeviceTurnedAway, match="not enrolled"):
            await station.ask(acts.Note(cents=500))
        await vault.keep_key(key, identity.key.public)
        await until(lambda: station.in_touch)
        await station.ask(acts.Note(cents=500))
        assert floor.balance("A1") == 1_000


@over_the_wire
async def test_of_two_connections_of_one_device_the_newer_counts_and_the_older_does_not_come_back() -> None:
    async with open_table() as floor:
        identity = await floor.enrol("A1-notes", "note_acceptor", "A1")
        older = await floor.enter(Station(floor.url, identity, EVENTS))
        newer = await floor.enter(Station(floor.url, identity, EVENTS))
        with pytest.raises(Replaced):
            await older.until(lambda: False)
        with pytest.raises(Replaced):
            await older.ask(acts.Note(cents=500))
        await newer.ask(acts.Note(cents=500))


@over_the_wire
async def test_a_display_follows_what_everybody_may_see() -> None:
    async with open_table() as floor:
        display = await floor.enter(Display(floor.url, await floor.enrol("display", "display"), VIEWS))
        await floor.station("A1", cents=BOUGHT_IN)
        await floor.open_wagering(display)
        assert display.shown.phase.coup == 1
        assert "purse" not in display.mirror.view


@pytest.mark.clause("CROWN 5.1", "CROWN 5.2")
@over_the_wire
async def test_stations_and_displays_tell_which_signs_they_show_and_speak_for_nobody_else() -> None:
    async with open_table() as floor:
        display = await floor.enter(Display(floor.url, await floor.enrol("display", "display"), VIEWS))
        station = await floor.station("A1", VIEWS, BOUGHT_IN)
        await display.show_sign()
        await station.show_sign()
        term = floor.table.term
        assert term is not None
        assert term.state.signs.keys() == {"display", "A1"}
        for device in (display, station):
            with pytest.raises(CommandRefused, match="acts for no other"):
                await device.ask(acts.ShowsSign(location="A2"))


def test_a_key_is_kept_in_a_file_and_read_again(tmp_path: Path) -> None:
    key = DeviceKey.make()
    key.write(tmp_path / "key")
    assert DeviceKey.read(tmp_path / "key").public == key.public
    with pytest.raises(FileExistsError):
        key.write(tmp_path / "key")


# News


@over_the_wire
async def test_events_are_followed_one_by_one() -> None:
    async with open_table() as floor:
        station = await floor.acceptor("A1")
        with station.follow() as following:
            for cents in (500, 1_000, 2_000):
                await station.ask(acts.Note(cents=cents))
            seen: list[int] = []
            async for news in following:
                assert isinstance(news, Told)
                seen += [event.cents for event in news.events if isinstance(event, NoteStacked)]
                if len(seen) == 3:
                    break
        assert seen == [500, 1_000, 2_000]


@over_the_wire
async def test_a_follower_that_does_not_read_is_told_that_it_fell_behind() -> None:
    async with open_table() as floor:
        station = await floor.acceptor("A1")
        with station.follow() as following:
            for _ in range(MOST_UNREAD + 1):
                await station.ask(acts.Note(cents=500))
            await station.until(lambda: station.balance == (MOST_UNREAD + 1) * 500)
            with pytest.raises(FellBehind):
                async for _ in following:
                    pass


# Coming back


@over_the_wire
async def test_a_command_is_answered_once_although_every_connection_is_cut_while_it_is_written() -> None:
    journal = HesitantJournal()
    async with passing_vault() as vault, opened(vault, journal, table_for()) as premises:
        table = premises.floor.tables["T1"]
        async with listening(premises) as url:
            floor = Served(premises, url)
            async with await console_of(floor) as console:
                await bring_in_play(floor, console)
            station = Station(url, await floor.enrol("A1-notes", "note_acceptor", "A1"), EVENTS)
            await station.__aenter__()
            journal.goes_on.clear()
            asked = asyncio.create_task(station.ask(acts.Note(cents=5_000)))
            await until(lambda: table.term is not None and table.term.append)
        await until(lambda: not station.in_touch)
        journal.goes_on.set()
        async with listening(premises, port=_port(url)):
            answer = await asked
            await station.ask(acts.Note(cents=5_000))
            await station.close()
        assert table.term is not None
        assert answer.n == 1
        assert table.term.state.purse("A1").balance == 10_000


@over_the_wire
async def test_a_station_follows_its_table_to_the_process_that_owns_it() -> None:
    journal, configuration = MemoryJournal(wall_ms), table_for()
    names = [f"127.0.0.1:{free_port()}" for _ in range(2)]
    async with AsyncExitStack() as stack:
        vault = await stack.enter_async_context(passing_vault())
        processes = []
        for name in names:
            process = opened(vault, journal, configuration, owner=name, alone=False)
            processes.append(await stack.enter_async_context(process))
            await until(lambda: processes[0].floor.tables["T1"].term is not None)
        first, second = (process.floor for process in processes)
        floor = Served(processes[0], await stack.enter_async_context(listening(processes[0], port=_port(names[0]))))
        async with await console_of(floor) as console:
            await bring_in_play(floor, console)
        identity = await floor.enrol("A1-notes", "note_acceptor", "A1")
        await until(lambda: second.tables["T1"].holder and identity.device in second.house.state.devices)
        await stack.enter_async_context(listening(processes[1], port=_port(names[1])))
        async with Station(f"ws://{names[1]}", identity, EVENTS) as station:
            await station.ask(acts.Note(cents=5_000))
            epoch = station.epoch
            await first.tables["T1"].stop()
            await station.ask(acts.Note(cents=5_000))
            assert station.epoch > epoch
            await station.until(lambda: station.balance == 10_000)
        assert second.tables["T1"].term is not None


def _port(name: str) -> int:
    return int(name.rpartition(":")[2])


@over_the_wire
async def test_a_floor_with_a_certificate_of_its_own_is_trusted_by_name_and_no_other_is() -> None:
    async with open_table() as floor:
        with tempfile.TemporaryDirectory() as folder:
            tls = trial_certificate(Path(folder), ("127.0.0.1",))
            async with listening(floor.premises, tls=tls) as url:
                identity = await floor.enrol("A1", "station")
                trusted = Settings(tls=trusting(str(tls.certificate)), open_within_s=PATIENCE_S)
                async with Station(url, identity, trusted) as station:
                    assert station.in_touch
                signed_on = await Desk(url, trusted.tls).sign_on("GS1", PINS["GS1"])
                assert signed_on.person == "GS1"
                with pytest.raises(DeviceTurnedAway, match="not trusted"):
                    await Station(url, identity, EVENTS).__aenter__()


# After a loss of power


@over_the_wire
async def test_a_device_that_lost_its_power_learns_what_became_of_its_command() -> None:
    """Asked, not yet written, and the device is dead: it comes back and is told, and nothing was done twice."""
    journal = HesitantJournal()
    async with open_table(journal) as floor:
        identity = await floor.enrol("A1-notes", "note_acceptor", "A1")
        with tempfile.TemporaryDirectory() as folder:
            settings = Settings(feed="events", memory=FileMemory(Path(folder) / "last"), open_within_s=PATIENCE_S)
            station = Station(floor.url, identity, settings)
            await station.__aenter__()
            journal.goes_on.clear()
            asked = asyncio.create_task(station.ask(acts.Note(cents=5_000)))
            await until(lambda: floor.table.term is not None and floor.table.term.append)
            await station.close()
            with pytest.raises(DeviceTurnedAway):
                await asked
            journal.goes_on.set()
            again = await floor.enter(Station(floor.url, identity, settings))
            recalled = await again.recalled()
            assert recalled is not None
            ask, outcome = recalled
            assert ask.act == acts.Note(cents=5_000)
            assert isinstance(outcome, Answer)
            assert outcome.refusal is None
            await again.ask(acts.Note(cents=5_000))
            assert floor.balance("A1") == 10_000
