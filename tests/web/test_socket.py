"""What a socket does with everything that it should not be sent, and with devices that come and go."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import pytest
from structlog.testing import capture_logs
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from sabot.client.connection import Identity
from sabot.rules.rule_set import Bet
from sabot.runtime.floor import ALARMS_OF_A_DEVICE, KEPT_ALARMS
from sabot.web.door.budgets import raised_descriptors
from sabot.web.socket.socket import FINISHED_WITHIN_S, MOST_TROUBLES, SocketLimits
from tests.runtime.floors import table_for, until
from tests.served import attacks
from tests.served.device import Wire
from tests.served.server import Served, served

TABLE = table_for(stations=4, period_ms=60_000)
MINIMUM = TABLE.limits[Bet("player")].minimum
BROUGHT = 100 * MINIMUM
LIMITS = SocketLimits()
Play = Callable[[Served], Awaitable[None]]


def _on_a_floor(play: Play, limits: SocketLimits = LIMITS) -> None:
    """Play at an open table where every station has an enrolled device and the first two have an account."""

    async def run() -> None:
        async with served(None, TABLE, limits=limits) as floor:
            for station in TABLE.stations:
                await floor.enrol(station)
            await floor.enrol("console", "console")
            await floor.enrol("display", "display")
            async with floor.connected("console") as console:
                dealer = Dealer(console, await floor.token("D1"))
                await console.hello(feed="events")
                await dealer.do("sign_on")
                await dealer.do("open_table")
                for station in ("A1", "A2"):
                    await dealer.do("buy_in", station=station, cents=BROUGHT)
            await play(floor)

    with capture_logs() as logged:
        asyncio.run(run())
    assert not [line for line in logged if line.get("exc_info")], "no surprise is in the log"


class Dealer:
    def __init__(self, console: Wire, token: str) -> None:
        self.console, self.token = console, token

    async def do(self, verb: str, coup: int | None = None, **fields: Any) -> None:
        answer = await self.console.answer(coup, token=self.token, do=verb, **fields)
        assert answer["type"] == "answer", answer
        assert not answer.get("refusal"), answer


async def _shoe(floor: Served) -> None:
    """A shoe of real cards in play, entered at the console."""
    supervisor = await floor.token("GS1")
    async with floor.connected("console") as console:
        await console.hello(feed="events")
        dealer = Dealer(console, await floor.token("D1"))
        await Dealer(console, supervisor).do("check_cards", cards=52 * TABLE.decks)
        await dealer.do("new_shoe")
        await Dealer(console, supervisor).do("cut", at=200)
        await dealer.do("burn")


async def _dealt(floor: Served, verb: str, **fields: Any) -> None:
    async with floor.connected("console") as console:
        await console.hello(feed="events")
        coup = floor.state.coups if verb in ("close", "card", "confirm") else None
        await Dealer(console, await floor.token("D1")).do(verb, coup, **fields)


# What is no frame, or too many of them


@pytest.mark.parametrize(
    ("frame", "words"),
    [
        ("{", "not JSON"),
        ("[]", "Expected `object`"),
        ('{"type":"hello","admin":true}', "unknown field"),
        ('{"type":"ask","epoch":1,"n":1,"command":{"do":"set_wager","bet":"player","cents":1.5}}', "Expected `int`"),
        ('{"type":"ask","epoch":1,"n":1,"command":{"do":"restart","last_sign_ms":0}}', "Invalid value 'restart'"),
        ('{"type":"ask","epoch":1,"n":1,"command":{"do":"buy_in","by":"D1","station":"A1","cents":1}}', "`by`"),
    ],
)
def test_a_frame_that_is_none_is_answered_with_what_is_wrong_and_the_device_goes_on(frame: str, words: str) -> None:
    async def play(floor: Served) -> None:
        async with floor.connected("A1") as wire:
            await wire.hello()
            await wire.socket.send(frame)
            trouble = await wire.frame("trouble")
            assert words in trouble["text"]
            assert (await wire.hello())["epoch"] == wire.epoch
            assert floor.state.purse("A1").balance == BROUGHT

    _on_a_floor(play)


def test_a_frame_of_more_than_four_kilobytes_ends_the_connection() -> None:
    async def play(floor: Served) -> None:
        async with floor.connected("A1") as wire:
            await wire.socket.send('{"type":"hello","feed":"' + "x" * 5_000 + '"}')
            with pytest.raises(ConnectionClosed) as closed:
                await wire.frame("nothing more")
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1009

    _on_a_floor(play)


def test_a_binary_frame_is_not_taken() -> None:
    async def play(floor: Served) -> None:
        async with floor.connected("A1") as wire:
            await wire.socket.send(b'{"type":"hello"}')
            assert "text" in (await wire.frame("trouble"))["text"]

    _on_a_floor(play)


def test_a_frame_that_comes_in_parts_is_one_frame() -> None:
    async def play(floor: Served) -> None:
        async with floor.connected("A1") as wire:
            await wire.socket.send(['{"type":', '"hel', 'lo"}'])
            assert (await wire.frame("welcome", "trouble"))["type"] == "welcome"

    _on_a_floor(play)


def test_what_a_device_says_while_somebody_else_is_asked_for_it_is_heard_afterwards_and_in_order() -> None:
    async def play(floor: Served) -> None:
        token = await floor.token("D1")
        async with floor.connected("console") as console:
            await console.hello(feed="events")
            frames = [await console.ask(token=token, do="incident", station="A1", text=f"{n}") for n in range(5)]
            assert [(await console.frame("answer"))["n"] for _ in frames] == frames

    _on_a_floor(play)


def test_a_device_that_vanishes_while_it_is_being_asked_for_leaves_nothing_behind() -> None:
    async def play(floor: Served) -> None:
        wrong: list[dict[str, Any]] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: wrong.append(context))
        token = await floor.token("D1")
        for turn in range(20):
            async with floor.connected("console") as console:
                await console.hello(feed="events")
                for n in range(5):
                    await console.ask(token=token, do="incident", station="A1", text=f"{n}")
                await asyncio.sleep(0.0005 * (turn % 7))
                console.socket.transport.abort()
        await until(lambda: not floor.floor.backing.counters.connections["console"])
        assert not wrong
        assert "console" not in floor.table.links

    _on_a_floor(play, SocketLimits(100_000, 100_000))


def test_whoever_sends_nothing_but_nonsense_is_sent_away() -> None:
    async def play(floor: Served) -> None:
        async with floor.connected("A1") as wire:
            for _ in range(MOST_TROUBLES):
                await wire.socket.send("nonsense")
            assert "too many" in (await wire.frame("bye"))["why"]

    _on_a_floor(play)


def test_a_device_that_speaks_too_fast_is_told_so_and_nothing_is_done() -> None:
    """It sends fewer frames than end the connection: a line that is cut takes the floor's words with it."""

    async def play(floor: Served) -> None:
        async with floor.connected("A1") as wire:
            for _ in range(10 + MOST_TROUBLES - 1):
                await wire.socket.send('{"type":"hello","feed":"events"}')
            assert (await wire.frame("trouble"))["code"] == "too_fast"

    _on_a_floor(play, SocketLimits(frames_a_second=0.1, frames_at_once=10))


# Who may come in


def test_a_device_without_the_key_is_turned_away() -> None:
    async def play(floor: Served) -> None:
        floor.enrolled["A1"] = Identity("A1", floor.enrolled["A2"].key)
        with pytest.raises(ConnectionClosed):
            async with floor.connected("A1"):
                pass

    _on_a_floor(play)


def test_a_proof_is_good_for_one_connection_only() -> None:
    async def play(floor: Served) -> None:
        async with connect(floor.socket) as first, connect(floor.socket) as second:
            nonces = [msgspec.json.decode(await one.recv()) for one in (first, second)]
            proof = floor.enrolled["A1"].key.prove(nonces[0]["floor"], nonces[0]["nonce"])
            frame = msgspec.json.encode({"type": "prove", "device": "A1", "signature": proof}).decode()
            await second.send(frame)
            assert msgspec.json.decode(await second.recv())["type"] == "bye"
            await first.send(frame)
            assert msgspec.json.decode(await first.recv())["type"] == "ready"

    _on_a_floor(play)


def test_whoever_asks_before_proving_is_turned_away() -> None:
    async def play(floor: Served) -> None:
        async with connect(floor.socket) as socket:
            await socket.recv()
            await socket.send('{"type":"hello"}')
            assert msgspec.json.decode(await socket.recv())["type"] == "bye"

    _on_a_floor(play)


def test_a_revoked_device_is_sent_away_and_does_not_come_in_again() -> None:
    async def play(floor: Served) -> None:
        async with floor.connected("A3") as wire:
            await wire.hello()
            await floor.revoke("A3")
            assert "revoked" in (await wire.frame("bye"))["why"]
        with pytest.raises(ConnectionClosed):
            async with floor.connected("A3"):
                pass

    _on_a_floor(play)


# What each may say


def test_a_stolen_token_is_good_for_nothing_anywhere_else() -> None:
    async def play(floor: Served) -> None:
        await floor.enrol("console-2", "console")
        token = await floor.token("D1")
        async with floor.connected("console-2") as thief:
            await thief.hello(feed="events")
            stolen = await thief.answer(token=token, do="buy_in", station="A1", cents=MINIMUM)
            assert stolen["refusal"]["code"] == "token_from_elsewhere"
        async with floor.connected("console") as console:
            await console.hello(feed="events")
            again = await console.answer(token=token, do="buy_in", station="A1", cents=MINIMUM)
            assert again["refusal"]["code"] == "session_over", "a token that was seen elsewhere has ended"
        assert floor.state.purse("A1").balance == BROUGHT

    _on_a_floor(play)


@pytest.mark.parametrize(
    ("device", "command", "code"),
    [
        ("console", {"do": "buy_in", "station": "A1", "cents": 2500}, "sign_on_first"),
        ("A1", {"do": "buy_in", "station": "A1", "cents": 2500}, "not_from_here"),
        ("A1", {"do": "set_wager", "station": "A2", "bet": "player", "cents": 2500}, "other_station"),
        ("A1", {"do": "note", "cents": 2500}, "not_from_here"),
        ("display", {"do": "card", "card": "9S"}, "not_from_here"),
    ],
)
def test_a_device_says_only_what_is_its_own_to_say(device: str, command: dict[str, Any], code: str) -> None:
    async def play(floor: Served) -> None:
        async with floor.connected(device) as wire:
            await wire.hello(feed="events")
            assert (await wire.answer(**command))["refusal"]["code"] == code

    _on_a_floor(play)


def test_a_console_is_told_what_an_act_would_do_as_the_act_itself_is_answered_and_no_other_device_is() -> None:
    async def play(floor: Served) -> None:
        again = {"do": "recalculate"}
        token = await floor.token("D1")
        async with floor.connected("console") as console:
            await console.hello(feed="events")
            for said in ({}, {"token": token}):
                await console.send(type="preview", n=7, command=again, **said)
                told = await console.frame("previewed")
                answer = await console.answer(None, **said, **again)
                assert (told["n"], told["preview"]["refusal"]) == (7, answer["refusal"])
            await console.send(type="preview", n=8, command={"do": "open"}, token=token)
            assert (await console.frame("trouble"))["code"] == "no_preview"
        async with floor.connected("A1") as station:
            await station.hello()
            await station.send(type="preview", n=1, command=again)
            assert (await station.frame("trouble"))["code"] == "no_preview"

    _on_a_floor(play)


def test_only_a_printer_says_what_was_printed() -> None:
    async def play(floor: Served) -> None:
        async with floor.connected("A1") as wire:
            await wire.hello()
            await wire.send(type="printed", ticket="123456789012345678")
            assert (await wire.frame("trouble"))["code"] == "not_from_here"

    _on_a_floor(play)


@pytest.mark.clause("CROWN 11.13")
def test_a_display_that_shows_something_else_raises_an_alarm_and_is_put_right() -> None:
    async def play(floor: Served) -> None:
        await _shoe(floor)
        async with floor.connected("display") as display:
            welcome = await display.hello()
            await display.send(type="showing", version=welcome["version"])
            await display.send(type="showing", version=0, coup=9, winner="tie")
            await display.hello()
            assert not floor.floor.alarms, "what is true, and what is only late, alarms nobody"
            await display.send(type="showing", version=welcome["version"], coup=1, winner="tie")
            shown = await display.frame("view")
            assert shown["changed"]["result"] is None
            assert {"table", "phase", "roads"} <= shown["changed"].keys()
            ((_, table, text),) = floor.floor.alarms
            assert table == "T1"
            assert text == "display shows tie in coup 1 where no result is on record (CROWN 11.13)"

    _on_a_floor(play)


@pytest.mark.parametrize("winner", ["\u202ereknab", "x" * 200])
def test_a_display_cannot_put_words_into_an_alarm(winner: str) -> None:
    async def play(floor: Served) -> None:
        await _shoe(floor)
        async with floor.connected("display") as display:
            welcome = await display.hello()
            await display.send(type="showing", version=welcome["version"], coup=1, winner=winner)
            await display.frame("view")
            ((_, _, text),) = floor.floor.alarms
            assert text == "display shows something else in coup 1 where no result is on record (CROWN 11.13)"

    _on_a_floor(play)


def test_no_device_buries_the_alarms_of_others() -> None:
    """A display that tells nonsense for ever, and one that claims records that nobody wrote, are a few alarms each."""

    async def play(floor: Served) -> None:
        await _shoe(floor)
        floor.floor.raise_alarm("T1", "a real one")
        async with floor.connected("display") as display:
            welcome = await display.hello()
            for coup in range(1, KEPT_ALARMS + 1):
                await display.send(type="showing", version=welcome["version"], coup=coup, winner="tie")
                await display.frame("view")
        assert len(floor.floor.alarms) == 1 + ALARMS_OF_A_DEVICE
        for _ in range(ALARMS_OF_A_DEVICE + 3):
            async with floor.connected("console") as console:
                await console.send(type="hello", epoch=welcome["epoch"], version=10**6)
                await console.frame("bye")
        assert len(floor.floor.alarms) == 1 + 2 * ALARMS_OF_A_DEVICE
        assert floor.floor.alarms[0][2] == "a real one"
        assert floor.floor.backing.counters.alarms["T1"] == 1 + KEPT_ALARMS + ALARMS_OF_A_DEVICE + 3

    _on_a_floor(play, SocketLimits(frames_a_second=10_000, frames_at_once=10_000))


# Coming, going and coming back


def test_the_second_tab_of_a_station_takes_the_place_of_the_first() -> None:
    async def play(floor: Served) -> None:
        async with floor.connected("A1") as first:
            await first.hello()
            async with floor.connected("A1") as second:
                await second.hello()
                assert "taken its place" in (await first.frame("bye"))["why"]
                assert (await second.hello())["epoch"] == second.epoch

    _on_a_floor(play)


def test_a_repeated_command_is_answered_again_and_an_older_one_is_left_alone() -> None:
    async def play(floor: Served) -> None:
        await _shoe(floor)
        await _dealt(floor, "open")
        async with floor.connected("A1") as wire:
            await wire.hello(feed="events")
            wager = {"do": "set_wager", "bet": "player", "cents": MINIMUM}
            first = await wire.answer(1, **wager)
            wire.n -= 1
            again = await wire.answer(1, do="clear")
            assert again == first, "the number decides, whatever the copy says"
            await wire.answer(1, do="set_wager", bet="player", cents=2 * MINIMUM)
            before = floor.state
            await wire.send(type="ask", epoch=wire.epoch, n=1, coup=1, command=wager)
            wire.n = 2
            last = await wire.answer(1, do="undo")
            assert last["version"] > first["version"]
            assert before.purse("A1").layout == {"player": 2 * MINIMUM}
            assert [frame["n"] for frame in wire.heard if frame["type"] == "answer"] == [1, 1, 2, 3]

    _on_a_floor(play)


def test_a_station_that_comes_back_in_any_phase_is_told_exactly_what_it_missed() -> None:
    async def play(floor: Served) -> None:
        await _shoe(floor)
        known = (0, 0)
        steps: list[tuple[str, dict[str, Any]]] = [("open", {}), ("close", {})]
        steps += [("card", {"card": card}) for card in ("9S", "2H", "9D", "KD")]
        steps += [("confirm", {})]
        for verb, fields in steps:
            async with floor.connected("A1") as wire:
                welcome = await wire.hello(feed="events", epoch=known[0], version=known[1])
                known = (welcome["epoch"], welcome["version"])
                if verb == "close":
                    assert not (await wire.answer(1, do="set_wager", bet="player", cents=MINIMUM)).get("refusal")
            await _dealt(floor, verb, **fields)
            async with floor.connected("A1") as wire:
                welcome = await wire.hello(feed="events", epoch=known[0], version=known[1])
                missed = welcome["missed"]
                assert missed[0]["after"] == known[1]
                assert missed[-1]["version"] <= welcome["version"]
                known = (welcome["epoch"], welcome["version"])
                assert "missed" not in await wire.hello(feed="events", epoch=known[0], version=known[1])
                whole = await wire.hello(feed="views")
                assert whole["whole"]
                assert whole["view"]["phase"]["phase"] == floor.state.phase.value
                assert whole["view"]["purse"]["balance_cents"] == floor.state.purse("A1").balance
        assert floor.state.purse("A1").balance == BROUGHT + MINIMUM

    _on_a_floor(play)


def test_a_command_whose_answer_was_lost_with_the_connection_is_answered_at_the_next_hello() -> None:
    async def play(floor: Served) -> None:
        await _shoe(floor)
        await _dealt(floor, "open")
        async with floor.connected("A1") as wire:
            await wire.hello(feed="events")
            n = await wire.ask(1, do="set_wager", bet="player", cents=MINIMUM)
            epoch = wire.epoch
        await until(lambda: floor.state.purse("A1").layout)
        async with floor.connected("A1") as wire:
            welcome = await wire.hello(feed="events", epoch=epoch, version=1, pending=(epoch, n))
            assert (welcome["pending"]["type"], welcome["pending"]["n"]) == ("answer", n)
            assert not welcome["pending"].get("refusal")

    _on_a_floor(play)


async def _talk_on(wire: Wire) -> None:
    while True:
        await wire.send(type="hello")
        await asyncio.sleep(0.1)


def test_whoever_does_not_read_is_disconnected_and_nobody_else_notices() -> None:
    async def play(floor: Served) -> None:
        await _shoe(floor)
        await _dealt(floor, "open")
        async with floor.connected("A2") as slow, floor.connected("A1") as quick:
            await slow.hello(feed="events")
            await quick.hello(feed="events")
            slow.socket.transport.pause_reading()
            link = floor.table.links["A2"]
            async with floor.connected("console") as console:
                await console.hello(feed="events")
                dealer = Dealer(console, await floor.token("D1"))
                text = "the patron at A2 says " + "so " * 300
                while floor.table.links.get("A2") is link:
                    await slow.socket.send('{"type":"hello","feed":"views"}')
                    await dealer.do("incident", station="A1", text=text)
            assert not (await quick.answer(1, do="set_wager", bet="player", cents=MINIMUM)).get("refusal")
            with pytest.raises(ConnectionClosed):  # It does not read the goodbye, either, and is cut off.
                await asyncio.wait_for(_talk_on(slow), 5 * FINISHED_WITHIN_S)

    _on_a_floor(play, SocketLimits(100_000, 100_000))


def test_two_thousand_strangers_at_once_keep_nobody_out_and_play_goes_on() -> None:
    """All have one address. The newest are there until they must prove themselves, and a device gets through."""

    async def play(floor: Served) -> None:
        await _shoe(floor)
        most = floor.premises.wanted.file.door.unproved_by_address
        async with floor.connected("A1") as wire:
            await wire.hello(feed="events")
            count = min(2_000, (raised_descriptors() - 500) // 2)
            strangers = [await attacks.connected(attacks.Target(floor.port)) for _ in range(count)]
            await until(lambda: floor.cut_off["made_room"] >= len(strangers) - most)
            assert floor.visitors.unproved == most
            await _dealt(floor, "open")  # Not before: connecting may take longer than a wagering period.
            assert not (await wire.answer(1, do="set_wager", bet="player", cents=MINIMUM)).get("refusal")
            async with floor.connected("A2") as late:
                await late.hello(feed="events")
                assert not (await late.answer(1, do="set_wager", bet="player", cents=MINIMUM)).get("refusal")
            for stranger in strangers:
                stranger.leave()
        await until(lambda: floor.visitors.unproved == 0)

    _on_a_floor(play)
