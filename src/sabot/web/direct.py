"""A WebSocket whose frames come and go directly.

The server's own way leads each frame that comes in through a queue to a task, and each that goes out through four
layers. For the handshake that is right. A touch would spend more time on it than on being decided, so a socket that has
been accepted is taken over here: whoever keeps it is called with each frame, and writes without waiting.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from starlette.websockets import WebSocket
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState
from websockets.http11 import Request

EXTENSION = "sabot.direct"


class Keeper(NamedTuple):
    """Whoever keeps a socket, as the socket sees him."""

    hear: Callable[[bytes], None]
    """Takes a message, as it came."""
    go_on: Callable[[], None]
    """Told that there is room to write again."""
    lose: Callable[[], None]
    """Told that the connection is over."""


class DirectProtocol(WebSocketsSansIOProtocol):
    _keeper: Keeper | None = None

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.close_sent:  # What is going to serve the socket does not run before this is over.
            self.scope["extensions"][EXTENSION] = self  # type: ignore[assignment]  # An extension is what its users make of it.

    def take_over(self, keeper: Keeper) -> None:
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
        if self.close_sent or self.disconnected:
            return
        try:
            self.conn.send_text(text)
        except InvalidState:  # The device has begun to close.
            return
        self.transport.write(b"".join(self.conn.data_to_send()))

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._keeper is not None:
            self._keeper.go_on()


def directly(websocket: WebSocket) -> DirectProtocol:
    """The connection below a socket of this server."""
    extensions: dict[str, Any] = websocket.scope["extensions"]
    protocol: DirectProtocol = extensions[EXTENSION]
    return protocol
