"""A WebSocket whose frames come and go directly.

The server's own way leads each frame that comes in through a queue to a task, and each that goes out through four
layers. For the handshake that is right. A touch would spend more time on it than on being decided. So a socket that has
been accepted is taken over here: its keeper is called with each frame, and writes without waiting.

What comes is taken apart into whole frames here. A text of one frame, which is what devices send, goes straight to the
keeper. Any other frame, and one that is longer than any message may be, goes to the server's own protocol, one at a
time. Pings, pongs and the further parts of a message bring the floor nothing, so a socket has few of them. One that
sends more is cut off before the next frame is looked at.
"""

import asyncio
import time
import weakref
from collections.abc import Callable
from typing import Any, NamedTuple

from starlette.websockets import WebSocket
from uvicorn.config import Config
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.frames import Frame
from websockets.http11 import Request
from websockets.protocol import State
from websockets.server import ServerProtocol
from websockets.speedups import apply_mask

from sabot.web.door.visitors import Visitor
from sabot.web.socket.outbox import Outbox
from sabot.web.socket.rates import Rate, Rates

EXTENSION = "sabot.direct"
WHOLE_TEXT, MASKED = 0x81, 0x80
SHORT, SHORT_HEAD = 126, 6
"""A payload below this length says it in the second byte, so its head has two bytes and the four of the mask."""
SIDE_FRAMES = Rate(at_once=32, a_minute=120)
"""Pings, pongs, and parts of a message after its first. A browser answers the floor's ping every five seconds."""
SIDE_FRAMES_OF_STRANGER = Rate(at_once=4, a_minute=60)
"""Before the proof of the device's key, for which it has a few seconds."""
MOST_AFTER_CLOSE = 8
"""Frames that are read after the floor has said goodbye; the one that is waited for is the device's own goodbye."""
PROVED_WITHIN_S = 15.0
CLOSED_WITHIN_S, CUT_WITHIN_S = 2.0, 10.0


class SocketKeeper(NamedTuple):
    """The keeper of a socket, as the socket calls it."""

    hear: Callable[[bytes], None]
    """Takes a message, as it came."""
    go_on: Callable[[], None]
    """Told that there is room to write again."""
    lose: Callable[[], None]
    """Told that the connection is over."""


class DirectProtocol(WebSocketsSansIOProtocol):
    def __init__(
        self,
        visitor: Visitor,
        outbox: Outbox,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
    ) -> None:
        super().__init__(config, server_state, app_state)
        self.close_timeout = CLOSED_WITHIN_S
        self._visitor, self._outbox = visitor, outbox
        self._said: list[bytes] = []
        """Frames that go out together in the next pass of the event loop."""
        self._keeper: SocketKeeper | None = None
        self._rest = b""
        """The beginning of a frame that is not whole yet."""
        self._most_bytes: int = config.ws_max_size
        self._side_frames = Rates(SIDE_FRAMES_OF_STRANGER)
        self._is_deaf = False
        self._can_write = self._listens = False
        """Whether a text may go out, and whether a whole one may come: neither of the two says goodbye, nor is another
        message under way."""
        self.has_room = True
        """Whether the network takes what is written."""
        self._heard_s = self.loop.time()
        """When the last whole text came."""
        self._after_close = 0
        self._last_call: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._visitor.ends_by(self.transport.abort)
        self._visitor.hurry(PROVED_WITHIN_S)

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.close_sent:  # What is going to serve the socket does not run before this is over.
            self.scope["extensions"][EXTENSION] = weakref.ref(self)  # type: ignore[assignment]  # It is what its users make of it.

    def take_over(self, keeper: SocketKeeper) -> None:
        if self.disconnected:
            keeper.lose()
        else:
            self._keeper = keeper
            self._see_how_it_stands()

    def prove(self, device: str) -> None:
        """The device has proved its key, and is no stranger any more."""
        self._visitor.prove(device)
        self._side_frames = Rates(SIDE_FRAMES)

    def charge(self) -> None:
        """The address of this stranger answers for what it said."""
        self._visitor.charge()

    def may_be_logged(self) -> bool:
        """Whether a line about this stranger may go into the log; strangers must not be able to fill it."""
        return self._visitor.may_be_logged()

    # Coming in

    def data_received(self, data: bytes) -> None:
        if (
            self._listens
            and not self._rest
            and len(data) > SHORT_HEAD
            and data[0] == WHOLE_TEXT
            and MASKED <= data[1] < MASKED + SHORT
            and len(data) == data[1] - MASKED + SHORT_HEAD
            and not self.close_sent
        ):
            self._hear(apply_mask(data[SHORT_HEAD:], data[2:SHORT_HEAD]))
        elif self.handshake_initiated:
            self._take_apart(data)
        else:
            self._leave_to_server(data)

    def _take_apart(self, data: bytes) -> None:
        if self._rest:
            data, self._rest = self._rest + data, b""
        at, end = 0, len(data)
        while at < end and not self.transport.is_closing():
            start, length = _payload_of(data, at)
            if length > self._most_bytes:  # It is refused by its head.
                self._leave_to_server(data[at:])
                return
            after = start + length
            if after > end:
                self._rest = data[at:]
                return
            if data[at] == WHOLE_TEXT and data[at + 1] & MASKED and self._listens and not self.close_sent:
                self._hear(apply_mask(data[start:after], data[start - 4 : start]))
            else:
                self._leave_to_server(data[at:after])
            at = after

    def _leave_to_server(self, data: bytes) -> None:
        super().data_received(data)
        self._see_how_it_stands()

    def _see_how_it_stands(self) -> None:
        """The server's protocol changes by what comes, by its own goodbye (`close_sent`), and by what is below."""
        self._can_write = self._keeper is not None and not self.disconnected and _is_open(self.conn)
        self._listens = self._can_write and not self._is_deaf and self.conn.current_size is None

    def _hear(self, text: bytes) -> None:
        assert self._keeper is not None, "without one nothing is listened to"
        self.curr_msg_data_type, self._heard_s = "text", self.loop.time()
        self._keeper.hear(text)

    def handle_events(self) -> None:
        if self._is_deaf or self.close_sent:
            self._after_close += len(self.conn.events)
            if self._after_close > MOST_AFTER_CLOSE:
                self._visitor.expel("after_goodbye")
                return
        super().handle_events()

    def deafen(self) -> None:
        """Nothing that still comes is of interest; if the other side does not read the last words, it is cut off."""
        self.flush()  # The further frames of this read may end the connection at once.
        if not self._is_deaf and not self.disconnected:
            self._is_deaf, self._listens = True, False
            self._last_call = self.loop.call_later(CUT_WITHIN_S, self.transport.abort)

    def shutdown(self) -> None:
        self.flush()
        super().shutdown()
        self._see_how_it_stands()

    def send_keepalive_ping(self) -> None:
        """Whether a peer is still there is asked only after it has been silent for as long as pings are apart."""
        assert self.ping_interval is not None, "without one there are no pings"
        silent_s = self.loop.time() - self._heard_s
        if silent_s < self.ping_interval:
            self.ping_timer = self.loop.call_later(self.ping_interval - silent_s, self.send_keepalive_ping)
        else:
            super().send_keepalive_ping()

    def keepalive_timeout(self) -> None:
        """A peer that does not answer does not read, so nothing more is written to it."""
        self._visitor.cut("no_pong")

    def handle_ping(self) -> None:
        if self._has_side_frame():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        if self._has_side_frame():
            super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        if self._has_side_frame():
            super().handle_cont(event)

    def _has_side_frame(self) -> bool:
        if self.transport.is_closing():
            return False
        if self._side_frames.wait_ms("", time.monotonic_ns() // 1_000_000):
            self._visitor.expel("side_frames")
            return False
        return True

    def send_receive_event_to_app(self) -> None:
        frames, self.frames, keeper = self.frames, [], self._keeper
        if self.transport.is_closing():
            return
        if keeper is None:  # Nobody can have anything to say to a socket before it is served.
            self._visitor.expel("early_frame")
            return
        if not self.close_sent:
            keeper.hear(frames[0] if len(frames) == 1 else b"".join(frames))

    @property
    def is_text(self) -> bool:
        """Whether the message that is being heard is text."""
        return self.curr_msg_data_type == "text"

    def hold(self) -> None:
        """Let the network keep what comes, until `listen`."""
        if not self.transport.is_closing():
            self.transport.pause_reading()

    def listen(self) -> None:
        if not self.transport.is_closing():
            self.transport.resume_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._visitor.leave()
        if self._last_call is not None:
            self._last_call.cancel()
        keeper, self._keeper = self._keeper, None
        self._see_how_it_stands()
        if keeper is not None:
            keeper.lose()
        self._rest = b""
        self.conn.parser.close()  # The two refer to each other, and nobody looks for such pairs often.

    # Going out

    @property
    def is_over(self) -> bool:
        return self.disconnected

    def write(self, text: bytes) -> None:
        """Write a text; what the network does not take at once waits. After the end nothing is written any more."""
        if self._can_write and not self.close_sent:
            if not self._said:
                self._outbox.add(self.flush)
            length = len(text)
            self._said.append(b"\x81%c%b" % (length, text) if length < SHORT else _framed(text))

    def flush(self) -> None:
        """Hand what was written to the network now, as before a goodbye."""
        said, self._said = self._said, []
        if said and not self.close_sent and not self.transport.is_closing():
            self.transport.write(said[0] if len(said) == 1 else b"".join(said))

    def cut(self) -> None:
        """End the connection with whatever is still unread of it."""
        self.transport.abort()

    def pause_writing(self) -> None:
        super().pause_writing()
        self.has_room = False

    def resume_writing(self) -> None:
        super().resume_writing()
        self.has_room = True
        if self._keeper is not None:
            self._keeper.go_on()


def _is_open(conn: ServerProtocol, is_open: State = State.OPEN) -> bool:
    return conn.state is is_open


def _payload_of(data: bytes, at: int) -> tuple[int, int]:
    """Where the payload of a frame begins and how long it is (RFC 6455 5.2); as far behind the end as its head is."""
    head = data[at : at + 14]
    if len(head) < 2:
        return len(data) + 1, 0
    length, start = head[1] & 127, 2
    if length == 126:
        length, start = int.from_bytes(head[2:4], "big"), 4
    elif length == 127:
        length, start = int.from_bytes(head[2:10], "big"), 10
    if len(head) < start:
        return len(data) + 1, 0
    return at + start + (4 if head[1] & MASKED else 0), length


def _framed(text: bytes) -> bytes:
    """A longer text as it goes over the network: nothing is compressed here, and a server masks nothing (RFC 6455)."""
    length = len(text)
    if length < 65_536:
        return b"\x81\x7e%b%b" % (length.to_bytes(2, "big"), text)
    return b"\x81\x7f%b%b" % (length.to_bytes(8, "big"), text)


def directly(websocket: WebSocket) -> DirectProtocol:
    """The connection below a socket of this server."""
    extensions: dict[str, Any] = websocket.scope["extensions"]
    protocol: DirectProtocol | None = extensions[EXTENSION]()
    assert protocol is not None, "the server has it until the socket is served"
    return protocol
