"""The socket of one device: prove, say hello, ask, and be told.

Nothing here waits for a device but the device's own writer. Whoever does not read is disconnected when so much waits
for him that he would have to be shown everything anew in any case; nobody else notices.
"""

import asyncio
import secrets
import time
from collections import deque
from typing import assert_never

import msgspec
import structlog
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from sabot.floor.audience import Audience
from sabot.floor.messages import Ask, Hello, Name
from sabot.floor.recording import table_stream
from sabot.house.commands import ReportPrinted
from sabot.journal.journal import SignedCheckpoint
from sabot.journal.record import Head
from sabot.rules.role import Role
from sabot.running.floor import RunningFloor
from sabot.running.link import Feed, Telling
from sabot.running.table import RunningTable
from sabot.table.refusal import Refused
from sabot.views.recall import recall
from sabot.web.door import Door, Known, TurnedAway
from sabot.web.rates import Rate, Rates
from sabot.web.saying import frame_bytes, written
from sabot.wire import frames as f

log = structlog.get_logger(__name__)

PROOF_WITHIN_S = 10.0
MOST_WAITING_BYTES = 256 * 1024
MOST_WAITING = 1_000
MOST_TROUBLES = 20
"""How many frames that are none a device may send before it is sent away."""
UNREADABLE, TURNED_AWAY, TOO_SLOW, GOODBYE, TOO_LARGE = 4002, 4003, 4008, 4001, 1009
"""Codes with which a socket is closed; the frame before says the reason in words."""
UNPROVED = "unproved"
AUDIENCES = {"station": Audience.STATION, "console": Audience.CONSOLE, "display": Audience.DISPLAY}


class Limits(msgspec.Struct, frozen=True):
    """How fast a device may speak."""

    frames_a_second: float = 20.0
    frames_at_once: float = 40.0

    @property
    def rate(self) -> Rate:
        return Rate(at_once=round(self.frames_at_once), a_minute=round(self.frames_a_second * 60))


class Socket:
    """A link over a WebSocket."""

    def __init__(self, websocket: WebSocket, floor: RunningFloor, door: Door, rates: Rates) -> None:
        self._websocket, self._floor, self._door = websocket, floor, door
        self._tally, self._kind = floor.backing.tally, UNPROVED
        self._rates = rates
        self.feed: Feed = "views"
        self._known: Known | None = None
        self._table: RunningTable | None = None
        self._waiting: deque[bytes] = deque()
        self._waiting_bytes = 0
        self._something = asyncio.Event()
        self._closing: int | None = None
        self._troubles = 0

    # As a table sees it

    def tell(self, telling: Telling) -> None:
        self._put(written(telling))

    def end(self, why: str, owner: str = "") -> None:
        self._table = None
        self._close(GOODBYE, why, owner)

    # The connection

    async def serve(self) -> None:
        await self._websocket.accept()
        self._tally.connections[self._kind] += 1
        writer = asyncio.create_task(self._write())
        try:
            if await self._prove():
                await self._listen()
        except WebSocketDisconnect:
            pass
        finally:
            self._tally.connections[self._kind] -= 1
            if self._table is not None and self._known is not None:
                self._table.gone(self._known.device, self)
            if self._closing is None:
                self._closing = 1000
            self._something.set()
            try:
                await asyncio.wait_for(writer, 5)
            except (TimeoutError, WebSocketDisconnect):
                writer.cancel()

    async def _prove(self) -> bool:
        nonce = secrets.token_urlsafe(32)
        self._say(f.Challenge(nonce=nonce, floor=self._door.floor))
        try:
            frame = await asyncio.wait_for(self._read(), PROOF_WITHIN_S)
        except TimeoutError:
            self._close(TURNED_AWAY, "no proof came")
            return False
        if not isinstance(frame, f.Prove):
            self._close(TURNED_AWAY, "the first frame must be a proof")
            return False
        try:
            self._known = known = await self._door.admit(frame.device, nonce, frame.signature)
        except TurnedAway as turned_away:
            self._tally.turned_away += 1
            log.warning("a device was turned away", device=frame.device, why=str(turned_away))
            self._close(TURNED_AWAY, str(turned_away))
            return False
        self._tally.connections[self._kind] -= 1
        self._kind = known.kind
        self._tally.connections[self._kind] += 1
        structlog.contextvars.bind_contextvars(device=known.device, table=known.table)
        self._say(f.Ready(device=known.device, kind=known.kind, table=known.table, station=known.station))
        return True

    async def _listen(self) -> None:
        while self._closing is None:
            frame = await self._read()
            match frame:
                case None:
                    pass
                case f.Hello():
                    self._hello(frame)
                case f.Ask():
                    await self._ask(frame)
                case f.AskRecall():
                    self._recall(frame)
                case f.Printed():
                    self._printed(frame)
                case f.Showing():
                    self._showing(frame)
                case f.Prove():
                    self._trouble("proved_already", "the device has proved itself already")
                case _:
                    assert_never(frame)

    async def _read(self) -> f.Heard | None:
        """The next frame; nothing for one that was not taken."""
        message = await self._websocket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1006))
        self._tally.frames_in += 1
        text = message.get("text")
        if text is None:
            self._trouble("unreadable", "frames are text")
        elif len(text) > f.MOST_BYTES // 4 and len(text.encode()) > f.MOST_BYTES:
            self._tally.frames_refused["too_large"] += 1
            self._close(TOO_LARGE, f"a frame holds {f.MOST_BYTES} bytes at most")
        elif self._is_too_fast():
            self._trouble("too_fast", "the device speaks too fast; nothing was done")
        else:
            try:
                return f.read_heard(text)
            except f.Unreadable as unreadable:
                self._trouble("unreadable", str(unreadable))
        return None

    def _is_too_fast(self) -> bool:
        """A device is held to one rate, however often it connects."""
        name = self._known.device if self._known else self
        return self._rates.wait_ms(name, time.monotonic_ns() // 1_000_000) > 0

    def _hello(self, frame: f.Hello) -> None:
        known = self._known
        assert known is not None
        audience = AUDIENCES.get(known.kind, Audience.STATION)
        table = self._floor.tables.get(known.table)
        if table is None:
            self._close(GOODBYE, f"there is no table {known.table} on this floor")
            return
        self.feed, self._table = frame.feed, table
        table.hello(
            Hello(
                device=known.device,
                audience=audience,
                station=known.station,
                epoch=frame.epoch,
                version=frame.version,
                pending=None if frame.pending is None else Name(*frame.pending),
                checkpoint=_checkpoint(frame.checkpoint, table.name),
            ),
            self,
        )

    async def _ask(self, frame: f.Ask) -> None:
        table, known = self._table, self._known
        if table is None or known is None:
            self._trouble("no_hello", "say hello before you ask", frame.n)
            return
        stamped = await self._door.stamp(known, frame, table)
        if isinstance(stamped, Refused):
            self._say(f.Answer(epoch=frame.epoch, n=frame.n, version=0, refusal=stamped))
        elif self._table is not None:
            table.ask(Ask(known.device, Name(frame.epoch, frame.n), frame.coup, stamped))

    def _recall(self, frame: f.AskRecall) -> None:
        """A station is told its own patron's coups; a console those of the station that it names, whoever sat there."""
        table, known = self._table, self._known
        if table is None or known is None or table.tenure is None:
            self._trouble("no_hello", "say hello before you ask")
            return
        of_all = known.kind == "console"
        station = frame.station if of_all else known.station
        if station not in table.tenure.state.stations:
            self._trouble("no_station", "there is no such station at this table")
            return
        self._say(f.Recalled(recall=recall(table.viewing.card, station, whole=of_all)))

    def _showing(self, frame: f.Showing) -> None:
        table, known = self._table, self._known
        if table is None or known is None:
            self._trouble("no_hello", "say hello before you tell what you show")
            return
        wrong = table.viewing.put_right(known.device, frame.version, (frame.coup, frame.winner))
        if wrong is not None:
            self._floor.raise_alarm(table.name, wrong)

    def _printed(self, frame: f.Printed) -> None:
        known = self._known
        assert known is not None
        if known.kind != "printer":
            self._trouble("not_from_here", "only a printer says what was printed")
            return
        printed = ReportPrinted(by=known.station, role=Role.STATION, at_ms=0, ticket=frame.ticket, table=known.table)
        self._floor.tell_house(printed)

    # Saying

    def _say(self, frame: f.Said) -> None:
        self._put(frame_bytes(frame))

    def _trouble(self, code: str, text: str, n: int | None = None) -> None:
        self._troubles += 1
        self._tally.frames_refused[code] += 1
        if self._troubles >= MOST_TROUBLES:
            self._close(UNREADABLE, f"too many frames were not taken; the last one: {text}")
        else:
            self._say(f.Trouble(code=code, text=text, n=n))

    def _close(self, code: int, why: str, owner: str = "") -> None:
        if self._closing is None:
            self._say(f.Bye(why=why, owner=owner))
            self._closing = code
            self._something.set()

    def _put(self, frame: bytes) -> None:
        if self._closing is not None:
            return
        self._waiting.append(frame)
        self._waiting_bytes += len(frame)
        self._something.set()
        if self._waiting_bytes > MOST_WAITING_BYTES or len(self._waiting) > MOST_WAITING:
            self._tally.slow_readers += 1
            log.warning("a slow reader is disconnected", device=self._known.device if self._known else "")
            self._waiting.clear()
            self._closing = TOO_SLOW

    async def _write(self) -> None:
        websocket = self._websocket
        while True:
            while self._waiting:
                frame = self._waiting.popleft()
                self._waiting_bytes -= len(frame)
                self._tally.frames_out += 1
                await websocket.send({"type": "websocket.send", "text": frame.decode()})
            if self._closing is not None:
                break
            self._something.clear()
            await self._something.wait()
        if websocket.application_state is not WebSocketState.DISCONNECTED:
            await websocket.close(self._closing)


def _checkpoint(one: f.Checkpoint | None, table: str) -> SignedCheckpoint | None:
    """What a device holds as proof; what cannot be one proves nothing."""
    if one is None:
        return None
    try:
        head = Head(table_stream(table), one.version, bytes.fromhex(one.hash), one.epoch)
        return SignedCheckpoint(head, one.at_ms, one.key_id, bytes.fromhex(one.signature))
    except ValueError:
        return None
