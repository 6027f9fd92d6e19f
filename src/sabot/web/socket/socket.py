"""The socket of one device: prove, say hello, ask, and be told.

Nothing here waits for a device. A device that does not read is disconnected when so much waits for it that it would
have to be shown everything anew in any case.
"""

import asyncio
import secrets
import time
from collections import deque
from collections.abc import Coroutine
from contextvars import Context, copy_context
from typing import Any, assert_never

import msgspec
import structlog
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from sabot.basics.stamp import Stamp
from sabot.floor.records.record_codec import table_stream
from sabot.floor.stamper import Place, stamp_printed, stamp_touch
from sabot.floor.table_owner.messages import Asked, Connected
from sabot.house.acts import Printed
from sabot.house.state import DeviceBook, DeviceKind
from sabot.rules.coup import Winner
from sabot.runtime.floor import HOUSE_UNKNOWN, REVOKED, RunningFloor
from sabot.runtime.link import LinkFeed, Published
from sabot.runtime.table_runner import RunningTable
from sabot.table import acts
from sabot.table.preview import PREVIEWED, Preview
from sabot.table.refusal import Refused
from sabot.views.audience import Audience
from sabot.web.socket.entrance import Entrance, Known, NoPlace, NotNow, TurnedAway
from sabot.web.socket.fast_websocket import SocketKeeper, directly
from sabot.web.socket.marks import Marks
from sabot.web.socket.rates import Rate, Rates
from sabot.wire import frames as f
from sabot.wire.checkpoint_frame import read_checkpoint

log = structlog.get_logger(__name__)

PROOF_WITHIN_S, FINISHED_WITHIN_S = 10.0, 5.0
PROOF_FIRST = "the first frame must be a proof"
MOST_WAITING_BYTES = 256 * 1024
MOST_WAITING = 1_000
MOST_TROUBLES = 20
"""How many frames that are none a device may send before it is sent away."""
UNREADABLE, TOO_SLOW, GOODBYE, PAUSED, TOO_LARGE, FAILED, TRY_LATER = 4002, 4008, 4001, 4005, 1009, 1011, 1013
"""Codes with which a socket is closed, beside `frames.TURNED_AWAY`; the frame before says the reason in words. A device
comes back by itself after every one of these."""
UNPROVED = "unproved"
MOST_UNPROVED = 8
"""Frames that are read before a device has proved its key; it needs one, and may say hello at once."""
DEAR = 5
"""How many frames a recall or a preview costs."""
TOO_FAST = "the device speaks too fast; nothing was done"
BLIND = acts.TOUCHES - {acts.Clear}
"""What lays chips, and so is not done on a picture that is not current (G-196). Chips can be lifted, and patrons can
leave."""
STALE = Refused("picture_stale", "G-196", "the picture is not current, and no chips are laid until it is")
WINNERS = frozenset({"", *Winner})
"""What a display can show as a result."""
AUDIENCES = {DeviceKind.CONSOLE: Audience.CONSOLE, DeviceKind.DISPLAY: Audience.DISPLAY}
"""Who sees what; every other device is a station, or serves one."""


class SocketLimits(msgspec.Struct, frozen=True):
    """How fast a device may speak."""

    frames_a_second: float = 20.0
    frames_at_once: float = 40.0

    @property
    def rate(self) -> Rate:
        return Rate(at_once=round(self.frames_at_once), a_minute=round(self.frames_a_second * 60))


class Socket:
    """A link over a WebSocket."""

    def __init__(self, websocket: WebSocket, floor: RunningFloor, entrance: Entrance, rates: Rates) -> None:
        self._websocket, self._floor, self._entrance = websocket, floor, entrance
        self._direct = directly(websocket)
        self._counters, self._kind = floor.backing.counters, UNPROVED
        self._rates = rates
        self.feed: LinkFeed = "views"
        self._nonce = secrets.token_urlsafe(32)
        self._known: Known | None = None
        self._enrolled_in: DeviceBook | None = None
        """The devices of the house when this one was last looked up among them."""
        self._marks: Marks | None = None
        self._context: Context | None = None
        """What is said in the log beside every line about this device."""
        self._table: RunningTable | None = None
        self._errand: asyncio.Task[None] | None = None
        """A task that asks the house or the vault; until it ends, the device's other frames wait."""
        self._unheard: deque[f.DeviceFrame] = deque()
        self._waiting: deque[bytes] = deque()
        self._waiting_bytes = 0
        self._over = asyncio.Event()
        self._closing: int | None = None
        self._troubles = self._before_proof = 0

    # As a table sees it

    def tell(self, frame: f.FloorFrame | Published) -> None:
        if isinstance(frame, Published):  # Only links inside the process are told of appends.
            return
        if self.check_enrolment():
            self._put(f.write(frame) if self._marks is None else self._marks.told(frame))

    def end(self, why: str, owner: str = "") -> None:
        self._table = None
        self._close(PAUSED if why == f.STANDS_STILL else GOODBYE, why, owner)

    # As the entrance sees it

    def check_enrolment(self) -> bool:
        """Whether what was proved here is still what the house has enrolled, as far as the house is known now.

        It is asked at every frame from and to the device. While the book of devices is the same value, so is what it
        says of this one.
        """
        floor, known = self._floor, self._known
        devices = floor.house.state.devices
        if known is None or (devices is not self._enrolled_in and devices.get(known.device) != known.enrolled):
            self.send_away(REVOKED)
            return False
        self._enrolled_in = devices
        if time.monotonic() - floor.house.known_at > floor.house_trusted_s:
            self.send_away(HOUSE_UNKNOWN)
        else:
            return True
        return False

    def check_valid_days(self, days: int) -> None:
        known = self._known
        if known is not None and known.enrolled.kind is DeviceKind.PRINTER and known.valid_days != days:
            self.send_away("tickets are good for another time now; connect again")

    def send_away(self, why: str) -> None:
        """Nothing more is heard or told."""
        self._close(GOODBYE, why)

    # The connection

    async def serve(self) -> None:
        await self._websocket.accept()
        self._counters.connections[self._kind] += 1
        self._direct.take_over(SocketKeeper(self._hear, self._write_on, self._over.set))
        self._say(f.Challenge(nonce=self._nonce, floor=self._entrance.floor))
        too_late = asyncio.get_running_loop().call_later(PROOF_WITHIN_S, self._miss_the_proof)
        try:
            await self._over.wait()
        finally:
            too_late.cancel()
            while self._errand is not None:
                await asyncio.wait((self._errand,))
            self._counters.connections[self._kind] -= 1
            self._entrance.let_out(self)
            if self._table is not None and self._known is not None:
                self._table.gone(self._known.enrolment, self)
            await self._finish()

    async def _finish(self) -> None:
        """Let the device have the last word that waits for it, if it reads."""
        while self._waiting:
            self._direct.write(self._waiting.popleft())
        self._direct.flush()
        if self._direct.is_over or self._websocket.application_state is WebSocketState.DISCONNECTED:
            return
        try:
            async with asyncio.timeout(FINISHED_WITHIN_S):
                await self._websocket.close(self._closing or 1000)
        except TimeoutError:
            self._direct.cut()
        except WebSocketDisconnect:
            pass

    def _miss_the_proof(self) -> None:
        if self._known is None and self._errand is None:
            self._close(TRY_LATER, "no proof came")

    # Hearing

    def _hear(self, message: bytes) -> None:
        if self._closing is not None:
            return
        frame = self._read(message)
        if frame is None:
            if self._known is None and self._errand is None:
                self._turn_away(PROOF_FIRST)
        elif self._errand is not None:
            self._unheard.append(frame)
        else:
            self._take(frame)

    def _take(self, frame: f.DeviceFrame) -> None:
        if self._known is None:
            self._begin(self._prove(frame))
            return
        if not self.check_enrolment():
            return
        match frame:
            case f.Ask():
                self._ask(frame, self._known)
            case f.Hello():
                self._hello(frame)
            case f.AskRecall():
                self._recall(frame)
            case f.AskPreview():
                self._preview(frame, self._known)
            case f.PrintedFrame():
                self._printed(frame)
            case f.Showing():
                self._showing(frame)
            case f.Prove():
                self._trouble("proved_already", "the device has proved itself already")
            case _:
                assert_never(frame)

    def _begin(self, errand: Coroutine[Any, Any, None]) -> None:
        """See to something that takes time; meanwhile the network keeps what the device says."""
        self._direct.hold()
        self._errand = asyncio.create_task(self._see_to(errand), context=self._context)

    async def _see_to(self, errand: Coroutine[Any, Any, None]) -> None:
        try:
            await errand
        except Exception:
            log.exception("what a device asked for failed", device=self._known.device if self._known else "")
            self._close(FAILED, "something went wrong here")
        self._errand = None
        self._hear_the_rest()

    def _hear_the_rest(self) -> None:
        while self._unheard and self._errand is None and self._closing is None:
            self._take(self._unheard.popleft())
        if self._errand is None:
            self._direct.listen()

    async def _prove(self, frame: f.DeviceFrame) -> None:
        if not isinstance(frame, f.Prove):
            self._turn_away(PROOF_FIRST)
            return
        try:
            self._known = known = await self._entrance.admit(frame.device, self._nonce, frame.signature, frame.table)
        except TurnedAway as turned_away:
            self._counters.turned_away += 1
            if self._direct.may_be_logged():
                log.warning("a device was turned away", device=frame.device, why=str(turned_away))
            self._turn_away(str(turned_away))
            return
        except NoPlace as no_place:
            if self._direct.may_be_logged():
                log.warning("a device has no place at a table", device=frame.device, why=str(no_place))
            self._close(GOODBYE, str(no_place))
            return
        except NotNow as not_now:
            log.warning("a device must try again", device=frame.device, why=str(not_now.__cause__))
            self._close(TRY_LATER, str(not_now))
            return
        self._entrance.let_in(self)
        self._direct.prove(f"{known.device} {known.table}")
        self._marks = self._entrance.marks_of(known)
        self._counters.connections[self._kind] -= 1
        self._kind = known.enrolled.kind
        self._counters.connections[self._kind] += 1
        structlog.contextvars.bind_contextvars(device=known.device, table=known.table)
        self._context = copy_context()
        self._say(known.ready())

    def _turn_away(self, why: str) -> None:
        self._direct.charge()
        self._close(f.TURNED_AWAY, why)

    def _read(self, message: bytes) -> f.DeviceFrame | None:
        """A frame; nothing for one that was not taken."""
        self._counters.frames_in += 1
        if not self._direct.is_text:
            self._trouble("unreadable", "frames are text")
        elif len(message) > f.MOST_BYTES:
            self._counters.frames_refused["too_large"] += 1
            self._close(TOO_LARGE, f"a frame holds {f.MOST_BYTES} bytes at most")
        elif self._is_too_fast():
            self._trouble("too_fast", TOO_FAST)
        else:
            try:
                frame = f.read_device_frame(message)
            except f.UnreadableFrame as unreadable:
                self._trouble("unreadable", str(unreadable))
            else:
                if not isinstance(frame, f.AskRecall | f.AskPreview) or not self._is_too_fast(DEAR - 1):
                    return frame
                self._trouble("too_fast", TOO_FAST)
        return None

    def _is_too_fast(self, frames: int = 1) -> bool:
        """A device is held to one rate at a table, however often it connects; a stranger to a few frames."""
        if self._known is None:
            self._before_proof += 1
            return self._before_proof > MOST_UNPROVED
        place = self._known.device, self._known.table
        return self._rates.wait_ms(place, time.monotonic_ns() // 1_000_000, frames) > 0

    def _hello(self, frame: f.Hello) -> None:
        known = self._known
        assert known is not None
        audience = AUDIENCES.get(known.enrolled.kind, Audience.STATION)
        if frame.feed == "views" and audience is Audience.STATION and not known.station:
            self._trouble("no_view", f"a {known.enrolled.kind.value} has no view: it follows events")
            return
        table = self._floor.tables.get(known.table)
        if table is None:
            self._close(GOODBYE, f"there is no table {known.table} on this floor")
            return
        self.feed, self._table = frame.feed, table
        proof = read_checkpoint(frame.checkpoint, table_stream(table.name))
        hello = frame if self._marks is None else self._marks.known(frame)
        table.hello(Connected(known.enrolment, audience, hello, known.station, proof), self)

    def _ask(self, frame: f.Ask, known: Known) -> None:
        table = self._table
        if table is None:
            self._trouble("no_hello", "say hello before you ask", frame.n)
            return
        term = table.term
        if type(frame.act) in BLIND and known.enrolment in table.views.stale:
            self._say(f.Answer(epoch=frame.epoch, n=frame.n, version=0, refusal=STALE))
            return
        if (
            known.enrolled.kind is DeviceKind.STATION and type(frame.act) in acts.TOUCHES and term is not None
        ):  # A touch waits for nobody.
            stamped = stamp_touch(frame.act, known.enrolled, Place(table.name, term.state, self._floor.house.state, 0))
            if isinstance(stamped, Refused):
                self._say(f.Answer(epoch=frame.epoch, n=frame.n, version=0, refusal=stamped))
            else:
                table.receive(Asked(known.enrolment, frame, stamped))
        else:
            self._begin(self._stamp(frame, known, table))

    async def _stamp(self, frame: f.Ask, known: Known, table: RunningTable) -> None:
        self._carry(frame, known, table, await self._entrance.stamp(known, frame, table))

    def _carry(self, frame: f.Ask, known: Known, table: RunningTable, stamped: Stamp | Refused) -> None:
        if isinstance(stamped, Refused):
            self._say(f.Answer(epoch=frame.epoch, n=frame.n, version=0, refusal=stamped))
        elif self.check_enrolment() and self._table is not None:  # Stamping may have taken its time.
            table.receive(Asked(known.enrolment, frame, stamped))

    def _recall(self, frame: f.AskRecall) -> None:
        """A station is told its own patron's coups; a console those of all patrons of the station that it names."""
        table, known = self._table, self._known
        if table is None or known is None or table.term is None:
            self._trouble("no_hello", "say hello before you ask")
            return
        of_all = known.enrolled.kind is DeviceKind.CONSOLE
        station = frame.station if of_all else known.station
        if station not in table.term.state.stations:
            self._trouble("no_station", "there is no such station at this table")
            return
        recalled = table.views.recalled(station, whole=of_all)
        if recalled is None:
            self._trouble("no_recall", "the last coups cannot be shown now")
        else:
            self._say(f.Recalled(recall=recalled))

    def _preview(self, frame: f.AskPreview, known: Known) -> None:
        if self._table is None:
            self._trouble("no_hello", "say hello before you ask")
        elif known.enrolled.kind is not DeviceKind.CONSOLE or type(frame.act) not in PREVIEWED:
            self._trouble("no_preview", f"there is no preview of {frame.act.verb} here")
        else:
            self._begin(self._foresee(frame, known, self._table))

    async def _foresee(self, frame: f.AskPreview, known: Known, table: RunningTable) -> None:
        """With the stamp that the act itself would get, so that both are answered alike."""
        stamped = await self._entrance.stamp(known, f.Ask(epoch=0, n=1, act=frame.act, token=frame.token), table)
        if isinstance(stamped, Refused):
            self._say(f.Previewed(n=frame.n, preview=Preview(stamped)))
        elif table.term is not None and self.check_enrolment():
            told = await table.foresee(frame.act, stamped)
            if told is not None:
                self._say(f.Previewed(n=frame.n, preview=told))

    def _showing(self, frame: f.Showing) -> None:
        table, known = self._table, self._known
        if table is None or known is None:
            self._trouble("no_hello", "say hello before you tell what you show")
            return
        version = frame.version if self._marks is None else self._marks.version(frame.version)
        winner = frame.winner if frame.winner in WINNERS else "something else"  # A display writes no alarm.
        wrong = table.views.put_right(known.enrolment, version, (frame.coup, winner))
        if wrong is not None:
            self._floor.raise_alarm(table.name, wrong, known.device)

    def _printed(self, frame: f.PrintedFrame) -> None:
        known = self._known
        assert known is not None
        stamped = stamp_printed(known.device, self._floor.house.state)
        if isinstance(stamped, Refused):
            self._trouble(stamped.code, stamped.text)
            return
        table, stamp = stamped
        self._floor.tell_house(Printed(ticket=frame.ticket, table=table), stamp)

    # Saying

    def _say(self, frame: f.FloorFrame) -> None:
        self._put(f.write(frame))

    def _trouble(self, code: str, text: str, n: int | None = None) -> None:
        self._troubles += 1
        self._counters.frames_refused[code] += 1
        if self._troubles >= MOST_TROUBLES:
            self._close(UNREADABLE, f"too many frames were not taken; the last one: {text}")
        else:
            self._say(f.Trouble(code=code, text=text, n=n))

    def _close(self, code: int, why: str, owner: str = "") -> None:
        if self._closing is None:
            self._say(f.Bye(why=why, owner=owner))
            self._closing = code
            self._direct.deafen()
            self._over.set()

    def _put(self, frame: bytes) -> None:
        if self._closing is not None:
            return
        if self._direct.has_room and not self._waiting:
            self._counters.frames_out += 1
            self._direct.write(frame)
            return
        self._waiting.append(frame)
        self._waiting_bytes += len(frame)
        if self._waiting_bytes > MOST_WAITING_BYTES or len(self._waiting) > MOST_WAITING:
            self._counters.slow_readers += 1
            log.warning("a slow reader is disconnected", device=self._known.device if self._known else "")
            self._waiting.clear()
            self._closing = TOO_SLOW
            self._direct.deafen()
            self._over.set()

    def _write_on(self) -> None:
        while self._waiting and self._direct.has_room:
            frame = self._waiting.popleft()
            self._waiting_bytes -= len(frame)
            self._counters.frames_out += 1
            self._direct.write(frame)
