"""A process of its own that plays the stations of a floor, and tells how long each touch took.

    python _floor_load.py echo URL SECONDS STATIONS OUTCOME
    python _floor_load.py closed|open URL SECONDS FOLDER_OF_KEYS OUTCOME

Closed: every station touches again as soon as it is answered. Open: every station touches three times in each coup, at
moments that were drawn before, whether or not anything is answered; a touch that goes out late counts from its moment.

The stations share the machine with the server, and all of them are shown a coup's end at once. So what they do with a
frame is a callback of microseconds: while a library for clients took its time with the frames of others, an answer
would lie there unread, and its touch would seem slow.
"""

import asyncio
import base64
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal, cast
from urllib.parse import urlsplit

import msgspec
import uvloop

from sabot.client.key import DeviceKey

MINIMUM = 2_500
TOUCHES = 3
AT_ONCE = 200
"""How many stations connect at the same time."""
OPENED_WITHIN_S = 60.0
ECHOED = b'{"type":"ask","epoch":1,"n":1,"coup":3,"command":{"do":"set_wager","bet":"player","cents":2500}}'
NO_MASK = bytes(4)
"""A device masks what it says (RFC 6455 5.3); with this mask it is what it was, and costs the server the same."""
TEXT, PING, PONG = 0x81, 0x89, 0x8A


class PhaseShown(msgspec.Struct):
    phase: str
    coup: int


class ClockShown(msgspec.Struct):
    period_ms: int


class There(msgspec.Struct):
    """A settlement, or a refusal: nothing of it is looked at."""


class Sections(msgspec.Struct):
    """What a station must know of its view to play."""

    phase: PhaseShown | None = None
    clock: ClockShown | None = None
    settled: There | None = None


class Frame(msgspec.Struct):
    """Any frame from the floor, as far as a station here looks at it."""

    type: str
    epoch: int = 0
    n: int | None = None
    refusal: There | None = None
    view: Sections | None = None
    changed: Sections | None = None
    floor: str = ""
    nonce: str = ""


_decode = msgspec.json.Decoder(Frame).decode


class Taken:
    def __init__(self, until: float = 0.0) -> None:
        self.touches: list[float] = []
        self.settled: list[float] = []
        self.refused = 0
        self.until = until
        """The moment of the last touch."""
        self.wrong: list[str] = []
        """What no station should have met."""


class Socket(asyncio.Protocol):
    """The client's end of a WebSocket."""

    def __init__(self, url: str, taken: Taken, hear: Callable[[bytes], None]) -> None:
        """`hear` is called with each text."""
        self._url, self._taken, self._hear = urlsplit(url), taken, hear
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._rest = b""

    async def open(self) -> None:
        host, _, port = self._url.netloc.rpartition(":")
        async with asyncio.timeout(OPENED_WITHIN_S):
            await asyncio.get_running_loop().create_connection(lambda: self, host, int(port))
            await self.opened

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # The event loop's is none by its class.
        key = base64.b64encode(os.urandom(16)).decode()
        self._transport.write(
            f"GET {self._url.path} HTTP/1.1\r\nHost: {self._url.netloc}\r\nConnection: Upgrade\r\n"
            f"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        if self._rest:
            data, self._rest = self._rest + data, b""
        if not self.opened.done() and b"\r\n\r\n" not in data:
            self._rest = data
            return
        at = 0 if self.opened.done() else self._open(data)
        while len(data) - at >= 2:
            kind, length, start = data[at], data[at + 1], at + 2
            if length > 125:
                start = at + (4 if length == 126 else 10)
                length = int.from_bytes(data[at + 2 : start], "big")
            if len(data) < start + length:
                break
            at = start + length
            if kind == TEXT:
                self._hear(data[start:at])
            elif kind == PING:
                self._send(PONG, data[start:at])
            else:
                self._taken.wrong.append(f"a frame of kind {kind:#x}")
        self._rest = data[at:]

    def _open(self, data: bytes) -> int:
        """Where the frames begin, behind the server's answer."""
        if not data.startswith(b"HTTP/1.1 101 "):
            self._taken.wrong.append(data.decode())
        self.opened.set_result(None)
        return data.index(b"\r\n\r\n") + 4

    def connection_lost(self, _: Exception | None) -> None:
        if time.perf_counter() < self._taken.until:
            self._taken.wrong.append("a connection was lost")

    def send(self, text: bytes) -> None:
        self._send(TEXT, text)

    def _send(self, kind: int, payload: bytes) -> None:
        length = len(payload)
        head = bytes((kind, 0x80 | length)) if length < 126 else bytes((kind, 0xFE)) + length.to_bytes(2, "big")
        self._transport.write(head + NO_MASK + payload)

    def close(self) -> None:
        self._transport.abort()


Mode = Literal["closed", "open"]


class Station:
    """A device that proves its key, says hello, and touches."""

    def __init__(self, device: str, key: DeviceKey, taken: Taken, number: int) -> None:
        self._device, self._key, self._taken, self._number = device, key, taken, number
        self._loop = asyncio.get_running_loop()
        self._plays: Callable[[], None] = lambda: None
        """Called after each frame."""
        self._is_ready, self._is_welcome = self._loop.create_future(), self._loop.create_future()
        self._epoch = self._n = self._coup = self._touched = 0
        self._sent: dict[int, float] = {}
        self._cents = MINIMUM
        self._closed, self._period = 0.0, 0.0
        self.phase = ""

    async def connect(self, url: str, room: asyncio.Semaphore) -> None:
        async with room:
            self._socket = Socket(url, self._taken, self._hear)
            await self._socket.open()
            async with asyncio.timeout(OPENED_WITHIN_S):
                await self._is_ready

    async def hello(self) -> None:
        self._socket.send(b'{"type":"hello"}')
        async with asyncio.timeout(OPENED_WITHIN_S):
            await self._is_welcome

    def leave(self) -> None:
        self._socket.close()

    def play(self, mode: Mode) -> None:
        self._plays = self._touch_when_answered if mode == "closed" else self._touch_in_each_coup
        self._plays()

    def touch_every(self, seconds: float) -> None:
        """Touch at fixed moments, whether or not anything is answered."""

        def touch(due: float) -> None:
            if self.phase == "wagering":
                self._touch(due)
            self._at(due + seconds, touch)

        self._at(time.perf_counter() + self._number * 0.618 % 1 * seconds, touch)

    def _touch_when_answered(self) -> None:
        if not self._sent and self.phase == "wagering":
            self._touch(time.perf_counter())

    def _touch_in_each_coup(self) -> None:
        """At moments that differ from station to station and from coup to coup, without drawing lots."""
        if self.phase != "wagering" or self._coup == self._touched:
            return
        self._touched, began, period = self._coup, time.perf_counter(), self._period * 0.9
        for touch in range(TOUCHES):
            share = (self._number * 0.618 + self._coup * 0.414 + touch) % TOUCHES / TOUCHES
            self._at(began + period * (touch + share) / TOUCHES, self._touch)

    def _at(self, due: float, do: Callable[[float], None]) -> None:
        self._loop.call_later(max(0.0, due - time.perf_counter()), do, due)

    def _touch(self, due: float) -> None:
        if time.perf_counter() >= self._taken.until:
            return
        self._n += 1
        self._cents = MINIMUM if self._cents > MINIMUM else 2 * MINIMUM
        self._sent[self._n] = due
        command = b'{"do":"set_wager","bet":"player","cents":%d}' % self._cents
        frame = b'{"type":"ask","epoch":%d,"n":%d,"coup":%d,"command":%b}'
        self._socket.send(frame % (self._epoch, self._n, self._coup, command))

    def _hear(self, text: bytes) -> None:
        frame = _decode(text)
        match frame.type:
            case "answer":
                self._take_answer(frame)
            case "view":
                self._show(frame.changed)
            case "challenge":
                proof = self._key.prove(frame.floor, frame.nonce)
                self._socket.send(msgspec.json.encode({"type": "prove", "device": self._device, "signature": proof}))
            case "ready":
                self._is_ready.set_result(None)
            case "welcome":
                self._epoch = frame.epoch
                self._show(frame.view)
                self._is_welcome.set_result(None)
            case "bye" | "trouble":
                self._taken.wrong.append(text.decode())
        self._plays()

    def _take_answer(self, answer: Frame) -> None:
        assert answer.n is not None, "every answer has the number of its touch"
        sent = self._sent.pop(answer.n)
        if answer.refusal is not None:
            self._taken.refused += 1
        else:
            self._taken.touches.append(time.perf_counter() - sent)

    def _show(self, shown: Sections | None) -> None:
        if shown is None:
            return
        if shown.phase is not None:
            if self.phase == "wagering" and shown.phase.phase != "wagering":
                self._closed = time.perf_counter()
            self.phase, self._coup = shown.phase.phase, shown.phase.coup
        if shown.settled is not None and self._closed:
            self._taken.settled.append(time.perf_counter() - self._closed)
            self._closed = 0.0
        if shown.clock is not None:
            self._period = shown.clock.period_ms / 1000


async def connected(url: str, keys: list[Path], taken: Taken) -> list[Station]:
    """Stations that were welcomed at their tables, one for each key."""
    room = asyncio.Semaphore(AT_ONCE)
    stations = [Station(path.stem, DeviceKey.read(path), taken, number) for number, path in enumerate(keys)]
    await asyncio.gather(*(station.connect(url, room) for station in stations))
    await asyncio.gather(*(station.hello() for station in stations))
    return stations


async def floor(mode: Mode, url: str, seconds: float, keys: Path) -> Taken:
    taken = Taken()
    stations = await connected(url, sorted(keys.glob("*.pem")), taken)
    sys.stdout.write("connected\n")
    sys.stdout.flush()
    await asyncio.to_thread(sys.stdin.readline)
    taken.until = time.perf_counter() + seconds
    for station in stations:
        station.play(mode)
    await asyncio.sleep(seconds)
    sys.stdout.write("played\n")  # What it cost the server is read now, before the stations leave.
    sys.stdout.flush()
    assert not taken.wrong, taken.wrong[0]
    return taken


async def echo(url: str, seconds: float, stations: int) -> Taken:
    taken = Taken()
    taken.until = time.perf_counter() + seconds

    async def station() -> None:
        sent = 0.0

        def hear(_: bytes) -> None:
            taken.touches.append(time.perf_counter() - sent)
            say()

        def say() -> None:
            nonlocal sent
            sent = time.perf_counter()
            if sent < taken.until:
                socket.send(ECHOED)

        socket = Socket(url, taken, hear)
        await socket.open()
        say()

    await asyncio.gather(*(station() for _ in range(stations)))
    await asyncio.sleep(seconds)
    return taken


def main() -> None:
    mode, url, seconds, last = sys.argv[1], sys.argv[2], float(sys.argv[3]), sys.argv[4]
    if mode == "echo":
        taken = uvloop.run(echo(url, seconds, int(last)))
    else:
        taken = uvloop.run(floor("closed" if mode == "closed" else "open", url, seconds, Path(last)))
    outcome = {"touches": taken.touches, "settled": taken.settled, "refused": taken.refused}
    Path(sys.argv[5]).write_bytes(msgspec.json.encode(outcome))


if __name__ == "__main__":
    main()
