"""Strangers over their budgets are refused or cut off, and a station that plays feels nothing."""

import asyncio
import logging
import ssl
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest
import uvloop
from structlog.testing import capture_logs
from structlog.typing import EventDict

from sabot.table import acts
from sabot.web.door.budgets import raised_descriptors
from sabot.web.door.slow_lane import MOST_WAITING
from sabot.web.door.visitors import LINES
from sabot.web.serving.certificate import trial_certificate
from sabot.web.serving.floor_file import DoorPart
from sabot.web.socket.fast_websocket import SIDE_FRAMES_OF_STRANGER
from sabot.web.socket.socket import MOST_TROUBLES
from tests.runtime.floors import PATIENCE_S, table_for, until
from tests.served import attacks
from tests.served.attacks import Attack, Became, Target
from tests.served.device import Wire, proved
from tests.served.floor_file import staffed_floor
from tests.served.open_table import OpenTable, open_table
from tests.served.process import Process, get, serving
from tests.served.server import listening, visitors_of
from tests.served.staff import Staff

TABLE = table_for(period_ms=PATIENCE_S * 1_000)
MINIMUM = 2_500
STRANGERS = 30
DESCRIPTORS = 1_024
TOUCH_EVERY_S = 0.05
"""A touch as often as a device may speak for long: what it says beyond that is not heard."""
SMALL = DoorPart(
    unproved=STRANGERS + 10,
    unproved_by_address=STRANGERS,
    request_within_s=0.5,
    requests_at_once=200,
    requests_a_second=0.01,
)
"""Budgets that are soon used up."""
FAILURES = 3
SLOWED = DoorPart(failures_at_once=FAILURES, failures_a_second=0.01, slowed_a_second=0.01)
"""After a few failures the connections of an address wait for longer than the test lasts."""


class Playing:
    """A table where wagers are taken, and a station that touches again and again."""

    def __init__(self, floor: OpenTable, wire: Wire) -> None:
        self.floor, self._wire = floor, wire
        self.target = Target(floor.port)
        self._cents = MINIMUM

    async def touch(self) -> None:
        self._cents = 3 * MINIMUM - self._cents
        answer = await self._wire.answer(1, do="set_wager", bet="player", cents=self._cents)
        assert answer["type"] == "answer", answer
        assert not answer.get("refusal"), answer

    async def beside(self, attack: Awaitable[Became]) -> Became:
        """What became of the attack, while the station touches."""
        under_way = asyncio.ensure_future(attack)
        while not under_way.done():
            await self.touch()
            await asyncio.wait((under_way,), timeout=0.02)
        await self.touch()
        return under_way.result()

    async def joined(self) -> None:
        """A device that connects now, proves its key and is welcomed."""
        async with self.floor.connected("A2") as wire:
            await wire.hello(feed="events")


def _played(play: Callable[[Playing], Awaitable[None]], door: DoorPart = SMALL) -> Sequence[EventDict]:
    """Gives the lines of the log."""

    async def run() -> None:
        async with open_table(None, TABLE, door=door) as floor:
            for station in ("A1", "A2"):
                await floor.enrol(station)
                await floor.console.ask(acts.BuyIn(station=station, cents=100 * MINIMUM))
            await floor.console.ask(acts.Open())
            async with asyncio.timeout(2 * PATIENCE_S), floor.connected("A1") as wire:
                await wire.hello(feed="events")
                await play(Playing(floor, wire))

    with capture_logs() as logged, _libraries_log() as lines:
        uvloop.run(run())
    assert not [line for line in logged if line.get("exc_info")], "no surprise is in the log"
    assert lines == []
    return logged


@contextmanager
def _libraries_log() -> Iterator[list[str]]:
    """Warnings of the libraries; a stranger causes none, which could fill the log."""
    lines: list[str] = []

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(record.getMessage())

    listener, root = Listener(logging.WARNING), logging.getLogger()
    root.addHandler(listener)
    try:
        yield lines
    finally:
        root.removeHandler(listener)


# One connection


@pytest.mark.parametrize(
    ("attack", "why"),
    [
        (attacks.endless_header, "long_head"),
        (attacks.many_headers, "long_head"),
        (attacks.endless_target, "long_head"),
        (attacks.endless_body, "too_large"),
        (attacks.endless_chunks, "too_large"),
        (attacks.endless_trailers, "long_head"),
        (attacks.many_requests, "too_fast"),
        (attacks.pipelined_requests, "too_fast"),
        (attacks.slow_header, "too_slow"),
        (attacks.slow_body, "too_slow"),
        (attacks.pings, "side_frames"),
        (attacks.pongs, "side_frames"),
        (attacks.empty_fragments, "side_frames"),
        (attacks.empty_objects, "after_goodbye"),
        (attacks.pings_after_goodbye, "side_frames"),
        (attacks.objects_after_goodbye, "after_goodbye"),
    ],
)
def test_one_connection_over_its_budget_is_cut_off_while_a_station_plays(attack: Attack, why: str) -> None:
    async def play(playing: Playing) -> None:
        became = await playing.beside(attack(playing.target))
        assert became.is_cut_off
        assert became.sent < attacks.MOST, "it was cut off before it had sent everything"
        assert playing.floor.cut_off[why] == 1, playing.floor.cut_off
        await until(lambda: playing.floor.visitors.unproved == 0)

    _played(play)


def test_no_more_pings_are_answered_than_a_socket_has() -> None:
    async def play(playing: Playing) -> None:
        became = await playing.beside(attacks.pings(playing.target))
        assert became.heard.count(b"\x8a\x00") <= SIDE_FRAMES_OF_STRANGER.at_once
        after = await playing.beside(attacks.pings_after_goodbye(playing.target))
        assert after.heard.count(b"\x8a\x00") <= SIDE_FRAMES_OF_STRANGER.at_once

    _played(play)


def test_before_its_proof_a_socket_is_heard_a_few_times_only() -> None:
    """A proof is under way, so that the frames behind it would be kept for later."""

    async def play(playing: Playing) -> None:
        stranger = await attacks.socket_of(playing.target)
        proof = attacks.frame(attacks.TEXT, b'{"type":"prove","device":"A1","signature":"x"}')
        stranger.send(proof + attacks.frame(attacks.TEXT, b'{"type":"hello"}') * 40)
        became = await stranger.became()
        assert became.is_cut_off
        assert b"speaks too fast" in became.heard
        assert became.heard.count(b"speaks too fast") <= MOST_TROUBLES

    _played(play)


def test_proofs_that_fail_are_a_few_lines_of_the_log() -> None:
    async def play(playing: Playing) -> None:
        proof = attacks.frame(attacks.TEXT, b'{"type":"prove","device":"A1","signature":"x"}')
        for _ in range(LINES.at_once + 10):
            stranger = await attacks.socket_of(playing.target)
            stranger.send(proof)
            await stranger.hears(b'"bye"')
            stranger.leave()

    said = [line for line in _played(play) if line["event"] == "a device was turned away"]
    assert LINES.at_once <= len(said) <= LINES.at_once + 1


def test_requests_over_the_rate_are_told_when_to_come_again_before_the_connection_is_closed() -> None:
    async def play(playing: Playing) -> None:
        became = await attacks.many_requests(playing.target)
        assert became.heard.startswith(b"HTTP/1.1 429 ")
        assert b"retry-after: " in became.heard
        assert b'"code":"too_fast"' in became.heard

    _played(play)


# Many connections


def test_half_open_connections_make_room_for_each_other_and_for_whoever_comes() -> None:
    async def play(playing: Playing) -> None:
        visitors = playing.floor.visitors
        hold = asyncio.ensure_future(attacks.half_open(playing.target, 10 * STRANGERS, PATIENCE_S))
        await until(lambda: playing.floor.cut_off["made_room"] >= 9 * STRANGERS)
        assert visitors.unproved <= STRANGERS
        await playing.touch()
        await playing.joined()
        await until(lambda: visitors.unproved == 0)
        assert playing.floor.cut_off["too_slow"] >= STRANGERS - 2, "what was left did not get on"
        hold.cancel()
        await asyncio.wait((hold,))

    _played(play)


def test_of_many_addresses_the_greediest_loses_first() -> None:
    async def play(playing: Playing) -> None:
        modest = await attacks.connected(playing.target._replace(comes_from="127.0.0.3"))
        modest.send(b"G")
        for address in ("127.0.0.4", "127.0.0.5"):
            await attacks.half_open(playing.target._replace(comes_from=address), 10 * STRANGERS)
        assert not modest.over.is_set()
        modest.leave()

    _played(play, DoorPart(unproved=STRANGERS + 10, unproved_by_address=STRANGERS, request_within_s=PATIENCE_S))


def test_handshakes_of_tls_that_do_not_get_on_are_cut_off(tmp_path: Path) -> None:
    files = trial_certificate(tmp_path, ("127.0.0.1",))
    trust = ssl.create_default_context(cafile=str(files.certificate))

    async def play(playing: Playing) -> None:
        visitors = visitors_of(playing.floor.premises)
        async with listening(playing.floor.premises, tls=files, visitors=visitors) as url:
            target = Target(int(url.rpartition(":")[2]), tls=trust)
            slow = asyncio.ensure_future(attacks.slow_handshakes(target, STRANGERS, PATIENCE_S))
            await until(lambda: visitors.unproved == STRANGERS)
            (await attacks.socket_of(target)).leave()
            await until(lambda: visitors.unproved == 0)
            assert playing.floor.cut_off["too_slow"] >= STRANGERS - 1
            slow.cancel()
            await asyncio.wait((slow,))

    _played(play)


def test_a_device_has_so_many_sockets_and_the_oldest_goes_first() -> None:
    async def play(playing: Playing) -> None:
        floor = playing.floor
        async with floor.connected("A2") as first, floor.connected("A2"), floor.connected("A2") as third:
            await until(lambda: floor.cut_off["sockets_of_device"] == 1)
            await first.socket.wait_closed()
            await third.hello(feed="events")
        await until(lambda: floor.visitors.proved == 2)

    _played(play, DoorPart(sockets_by_device=2))


def test_a_device_that_floods_is_cut_off_like_a_stranger() -> None:
    async def play(playing: Playing) -> None:
        floor = playing.floor
        async with floor.connected("A2") as wire:
            while not wire.socket.transport.is_closing():
                wire.socket.transport.write(attacks.frame(attacks.PING) * 100)
                await playing.touch()
        assert floor.cut_off["side_frames"] == 1

    _played(play)


@pytest.mark.parametrize(
    "attack",
    [attacks.endless_header, attacks.endless_chunks, attacks.pipelined_requests, attacks.pings, attacks.empty_objects],
)
def test_an_address_that_fails_again_and_again_is_slowed_and_no_other(attack: Attack) -> None:
    async def play(playing: Playing) -> None:
        for _ in range(FAILURES):
            assert (await playing.beside(attack(playing.target))).is_cut_off
        waiting = await attacks.connected(playing.target)
        waiting.send(playing.target.head() + b"\r\n")
        (await attacks.socket_of(playing.target._replace(comes_from="127.0.0.3"))).leave()
        await playing.touch()
        assert not waiting.heard
        assert not waiting.over.is_set()
        crowd = [await attacks.connected(playing.target) for _ in range(MOST_WAITING)]
        await crowd[-1].became()
        await until(lambda: playing.floor.cut_off["slowed"] == 1)
        assert not waiting.over.is_set()
        for one in (waiting, *crowd):
            one.leave()

    _played(play, SLOWED)


def test_a_device_of_a_slowed_address_gets_in_at_its_turn() -> None:
    async def play(playing: Playing) -> None:
        for _ in range(FAILURES):
            await playing.beside(attacks.pings(playing.target))
        left = [await attacks.connected(playing.target) for _ in range(FAILURES)]
        for one in left:
            one.leave()
        await playing.joined()
        assert playing.floor.cut_off["slowed"] == 0

    _played(play, msgspec.structs.replace(SLOWED, slowed_a_second=5.0))


# A process of its own


def test_five_thousand_half_open_sockets_under_a_thousand_descriptors_keep_nobody_out(tmp_path: Path) -> None:
    count = min(5_000, raised_descriptors() - 500)

    async def test(process: Process) -> None:
        staff = Staff(process.url)
        first, second = [await staff.enrol(name, "station") for name in ("A1", "A2")]
        address = process.url.replace("http", "ws") + "/ws"
        async with proved(address, first) as wire:
            await wire.hello()
            attack = asyncio.ensure_future(attacks.half_open(Target(_port(process)), count))
            most = 0
            while not attack.done():
                assert (await wire.answer(1, do="set_wager", bet="player", cents=MINIMUM))["type"] == "answer"
                most = max(most, process.descriptors)
                await asyncio.sleep(TOUCH_EVERY_S)
            assert most < DESCRIPTORS
            async with proved(address, second) as late:
                await late.hello()
            assert attack.result().is_cut_off, "the oldest made room"
        assert get(process.url, "/healthz").status_code == 200

    with serving(staffed_floor(tmp_path, TABLE, dealer="live"), most_descriptors=DESCRIPTORS) as process:
        asyncio.run(test(process))
    assert "Traceback" not in process.log


def _port(process: Process) -> int:
    return int(process.url.rpartition(":")[2])
