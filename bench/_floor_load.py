"""A process of its own that plays the stations of a floor, and tells how long each touch took.

    python _floor_load.py echo URL SECONDS STATIONS OUTCOME
    python _floor_load.py closed|open URL SECONDS FOLDER_OF_KEYS OUTCOME

Closed: every station touches again as soon as it is answered. Open: every station touches three times in each coup, at
moments that were drawn before, whether or not anything is answered; a touch that goes out late counts from its moment.
"""

import asyncio
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import uvloop
from websockets.asyncio.client import ClientConnection, connect

from sabot.client.key import DeviceKey

MINIMUM = 2_500
TOUCHES = 3
AT_ONCE = 200
"""How many stations connect at the same time."""
ECHOED = '{"type":"ask","epoch":1,"n":1,"coup":3,"command":{"do":"set_wager","bet":"player","cents":2500}}'
_decode = msgspec.json.Decoder().decode


class Taken:
    def __init__(self) -> None:
        self.touches: list[float] = []
        self.settled: list[float] = []
        self.refused = 0
        self.until = 0.0


class Station:
    def __init__(self, socket: ClientConnection, taken: Taken, number: int) -> None:
        self._socket, self._taken, self._number = socket, taken, number
        self._epoch = self._n = self._coup = 0
        self._sent: dict[int, float] = {}
        self._cents = MINIMUM
        self._closed = 0.0
        self.phase = ""

    async def hello(self) -> None:
        await self._socket.send('{"type":"hello"}')
        while self._see(_decode(await self._socket.recv())) != "welcome":
            pass

    async def closed(self) -> None:
        while time.perf_counter() < self._taken.until:
            if not self._sent and self.phase == "wagering":
                await self._touch(time.perf_counter())
            self._see(_decode(await self._socket.recv()))

    async def open(self) -> None:
        touched = 0
        plans: set[asyncio.Task[None]] = set()
        while time.perf_counter() < self._taken.until:
            if self.phase == "wagering" and self._coup != touched:
                touched = self._coup
                plans.add(asyncio.create_task(self._touches(self._period * 0.9)))
            self._see(_decode(await self._socket.recv()))

    async def listen(self) -> None:
        while True:
            self._see(_decode(await self._socket.recv()))

    async def touch_every(self, seconds: float) -> None:
        """Touch at fixed moments, whether or not anything is answered."""
        due = time.perf_counter() + self._number * 0.618 % 1 * seconds
        while True:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            if self.phase == "wagering":
                await self._touch(due)
            due += seconds

    async def _touches(self, period: float) -> None:
        """At moments that differ from station to station and from coup to coup, without drawing lots."""
        began, coup = time.perf_counter(), self._coup
        for touch in range(TOUCHES):
            share = (self._number * 0.618 + coup * 0.414 + touch) % TOUCHES / TOUCHES
            due = began + period * (touch + share) / TOUCHES
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            await self._touch(due)

    async def _touch(self, due: float) -> None:
        self._n += 1
        self._cents = MINIMUM if self._cents > MINIMUM else 2 * MINIMUM
        self._sent[self._n] = due
        command = f'{{"do":"set_wager","bet":"player","cents":{self._cents}}}'
        frame = f'{{"type":"ask","epoch":{self._epoch},"n":{self._n},"coup":{self._coup},"command":{command}}}'
        await self._socket.send(frame)

    def _see(self, frame: dict[str, Any]) -> str:
        kind: str = frame["type"]
        if kind == "answer":
            sent = self._sent.pop(frame["n"])
            if frame.get("refusal"):
                self._taken.refused += 1
            else:
                self._taken.touches.append(time.perf_counter() - sent)
        elif kind == "view":
            self._show(frame["changed"])
        elif kind == "welcome":
            self._epoch = frame["epoch"]
            self._show(frame["view"])
        elif kind in ("bye", "trouble"):
            raise AssertionError(frame)
        return kind

    def _show(self, sections: dict[str, Any]) -> None:
        if "phase" in sections:
            if self.phase == "wagering" and sections["phase"]["phase"] != "wagering":
                self._closed = time.perf_counter()
            self.phase, self._coup = sections["phase"]["phase"], sections["phase"]["coup"]
        if sections.get("settled") and self._closed:
            self._taken.settled.append(time.perf_counter() - self._closed)
            self._closed = 0.0
        if "clock" in sections:
            self._period = sections["clock"]["period_ms"] / 1000


async def connected(url: str, device: str, key: DeviceKey, room: asyncio.Semaphore) -> ClientConnection:
    async with room:
        socket = await connect(url, compression=None, max_size=None, open_timeout=120, ping_interval=None)
        challenge = _decode(await socket.recv())
        proof = key.prove(challenge["floor"], challenge["nonce"])
        await socket.send(msgspec.json.encode({"type": "prove", "device": device, "signature": proof}).decode())
        assert _decode(await socket.recv())["type"] == "ready"
        return socket


async def floor(mode: str, url: str, seconds: float, keys: Path) -> Taken:
    taken, room = Taken(), asyncio.Semaphore(AT_ONCE)
    private = {path.stem: DeviceKey.read(path) for path in sorted(keys.glob("*.pem"))}
    sockets = await asyncio.gather(*(connected(url, device, key, room) for device, key in private.items()))
    stations = [Station(socket, taken, number) for number, socket in enumerate(sockets)]
    await asyncio.gather(*(station.hello() for station in stations))
    sys.stdout.write("connected\n")
    sys.stdout.flush()
    await asyncio.to_thread(sys.stdin.readline)
    taken.until = time.perf_counter() + seconds
    await asyncio.gather(*(station.closed() if mode == "closed" else station.open() for station in stations))
    sys.stdout.write("played\n")  # What it cost the server is read now, before the stations leave.
    sys.stdout.flush()
    return taken


async def echo(url: str, seconds: float, stations: int) -> Taken:
    taken = Taken()
    taken.until = time.perf_counter() + seconds

    async def station() -> None:
        async with connect(url, compression=None) as socket:
            while time.perf_counter() < taken.until:
                sent = time.perf_counter()
                await socket.send(ECHOED)
                await socket.recv()
                taken.touches.append(time.perf_counter() - sent)

    await asyncio.gather(*(station() for _ in range(stations)))
    return taken


def main() -> None:
    mode, url, seconds, last = sys.argv[1], sys.argv[2], float(sys.argv[3]), sys.argv[4]
    if mode == "echo":
        taken = uvloop.run(echo(url, seconds, int(last)))
    else:
        taken = uvloop.run(floor(mode, url, seconds, Path(last)))
    outcome = {"touches": taken.touches, "settled": taken.settled, "refused": taken.refused}
    Path(sys.argv[5]).write_bytes(msgspec.json.encode(outcome))


if __name__ == "__main__":
    main()
