"""A WebSocket whose frames come and go directly.

The server's own way leads each frame that comes in through a queue to a task, and each that goes out through four
layers. For the handshake that is right. A touch would spend more time on it than on being decided, so a socket that has
been accepted is taken over here: its keeper is called with each frame, and writes without waiting.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from starlette.websockets import WebSocket
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import State

EXTENSION = "sabot.direct"


class SocketKeeper(NamedTuple):
    """The keeper of a socket, as the socket calls it."""

    hear: Callable[[bytes], None]
    """Takes a message, as it came."""
    go_on: Callable[[], None]
    """Told that there is room to write again."""
    lose: Callable[[], None]
    """Told that the connection is over."""


class DirectProtocol(WebSocketsSansIOProtocol):
    _keeper: SocketKeeper | None = None

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.close_sent:  # What is going to serve the socket does not run before this is over.
            self.scope["extensions"][EXTENSION] = self  # type: ignore[assignment]  # An extension is what its users make of it.

    def take_over(self, keeper: SocketKeeper) -> None:
        self._keeper = keeper
        if self.disconnected:
            keeper.lose()

    # Coming in

    def send_receive_event_to_app(self) -> None:
        keeper = self._keeper
        if keeper is None:
            super().send_receive_event_to_app()
            return
        frames, self.frames = self.frames, []
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
        if self._keeper is not None:
            self._keeper.lose()

    # Going out

    @property
    def has_room(self) -> bool:
        """Whether the network takes what is written."""
        return self.writable.is_set()

    def write(self, text: bytes) -> None:
        """Write a text; what the network does not take at once waits. After the end nothing is written any more."""
        if not self.close_sent and not self.disconnected and self.conn.state is State.OPEN:
            self.transport.write(_framed(text))

    def cut(self) -> None:
        """End the connection with whatever is still unread of it."""
        self.transport.abort()

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._keeper is not None:
            self._keeper.go_on()


def _framed(text: bytes) -> bytes:
    """A whole text as it goes over the network: nothing is compressed here, and a server masks nothing (RFC 6455)."""
    length = len(text)
    if length < 126:
        return b"\x81%c%b" % (length, text)
    if length < 65_536:
        return b"\x81\x7e%b%b" % (length.to_bytes(2, "big"), text)
    return b"\x81\x7f%b%b" % (length.to_bytes(8, "big"), text)


def directly(websocket: WebSocket) -> DirectProtocol:
    """The connection below a socket of this server."""
    extensions: dict[str, Any] = websocket.scope["extensions"]
    protocol: DirectProtocol = extensions[EXTENSION]
    return protocol
