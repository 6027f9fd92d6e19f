"""HTTP within bounds: how long a head and a body may be, how soon they must be there, and to which host they go.

The bounds hold before anything is parsed. What came is handed to the parser in small pieces. A connection that is over
its budget is answered with one sentence and closed; nothing more of it is read.
"""

import asyncio
from http import HTTPStatus
from typing import Any, NamedTuple

import httptools
from starlette.responses import Response
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from sabot.web.door.hosts import Hosts
from sabot.web.door.turns import Turns
from sabot.web.door.visitors import Visitor
from sabot.web.http.operation import refused
from sabot.web.http.refusal import Refusal, WebCause, refusal
from sabot.web.socket.fast_websocket import DirectProtocol
from sabot.web.socket.outbox import Outbox

PIECE = 4_096
MOST_HEAD_BYTES = 16_384
MOST_FIELDS = 64
MOST_BODY_BYTES = 128 * 1_024
"""On the wire, chunk by chunk; what an operation takes is less."""
MOST_CHUNKS = 256
"""Of a body; each costs as much as many bytes."""
MOST_PIPELINED = 4
"""Requests of one connection that wait for the answer to an earlier one."""
IDLE_S = 10.0
"""How long a connection is kept for another request; uvicorn closes it in order before that."""


class HttpDoor(NamedTuple):
    """What all connections of a server share."""

    hosts: Hosts
    turns: Turns
    outbox: Outbox


class BoundedHttp(HttpToolsProtocol):
    def __init__(
        self, door: HttpDoor, visitor: Visitor, config: Config, server_state: ServerState, app_state: dict[str, Any]
    ) -> None:
        super().__init__(config, server_state, app_state)
        self._door, self.visitor = door, visitor
        self._bytes = 0
        """Of the request that is being read."""
        self._fields = self._chunks = 0
        self._is_head = True
        self._is_deaf = False
        """Whether nothing is read any more."""
        self._refusal: Refusal | None = None
        self._answered: RequestResponseCycle | None = None
        """The request whose answer is under way, or was the last."""
        self._head_within_s = visitor.budgets.request_within_s
        self._within_s = 2 * self._head_within_s
        """For the body, and for reading what is answered."""

    # The connection

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # As in uvicorn.
        super().connection_made(transport)
        self.visitor.ends_by(self._abort)

    def _abort(self) -> None:
        self._let_go()
        self.transport.abort()

    def _let_go(self) -> None:
        """Whatever is being answered has nobody to go to; uvicorn tells that to the newest request alone."""
        if self._answered is not None:
            self._answered.disconnected = True
            self._answered.message_event.set()
            self._answered = None

    def connection_lost(self, exc: Exception | None) -> None:
        self._let_go()
        super().connection_lost(exc)
        self._unset_keepalive_if_required()
        self.visitor.leave()
        self.pipeline.clear()

    def pause_writing(self) -> None:
        super().pause_writing()
        self.visitor.hurry(self._within_s)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._settle()

    # Reading

    def data_received(self, data: bytes) -> None:
        for start in range(0, len(data), PIECE):
            if self._is_deaf or self.transport.is_closing():
                return
            self._unset_keepalive_if_required()
            self._take(data if len(data) <= PIECE else data[start : start + PIECE])
        if not self._is_deaf:
            self._settle()

    def _take(self, piece: bytes) -> None:
        if not self._bytes:
            self.visitor.hurry(self._head_within_s)
        self._bytes += len(piece)
        if self._is_head and self._bytes > MOST_HEAD_BYTES:
            self._turn_away(_LONG_HEAD)
            return
        if self._bytes > MOST_HEAD_BYTES + MOST_BODY_BYTES:
            self._turn_away(refusal(WebCause.TOO_LARGE, most=MOST_BODY_BYTES))
            return
        try:
            self.parser.feed_data(piece)
        except httptools.HttpParserUpgrade:
            self._upgrade()
        except httptools.HttpParserError:
            self._turn_away(self._refusal or refusal(WebCause.MALFORMED, why="the request is not HTTP"))

    def _upgrade(self) -> None:
        self._is_deaf = True
        if not self._should_upgrade():
            self.cycle.keep_alive = False  # It is answered as if it had not asked.
            self.visitor.spare()
            return
        self.handle_websocket_upgrade()
        self.parser = None  # type: ignore[assignment]  # As uvicorn does at the end; the two refer to each other.

    def handle_websocket_upgrade(self) -> None:
        visitor, outbox = self.visitor, self._door.outbox

        def taken_over(**given: Any) -> DirectProtocol:
            return DirectProtocol(visitor, outbox, **given)

        self.ws_protocol_class = taken_over  # type: ignore[assignment]  # It is only called.
        super().handle_websocket_upgrade()

    def on_header(self, name: bytes, value: bytes) -> None:
        self._fields += 1
        if self._fields > MOST_FIELDS:
            raise self._over(_LONG_HEAD)
        super().on_header(name, value)

    def on_message_begin(self) -> None:
        if len(self.pipeline) >= MOST_PIPELINED:
            self.visitor.charge()  # No browser sends so many at once.
            raise self._over(refusal(WebCause.TOO_FAST, seconds=1))
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        wait_ms = self.visitor.wait_ms()
        if wait_ms:
            raise self._over(refusal(WebCause.TOO_FAST, seconds=-(-wait_ms // 1_000)))
        foreign = self._door.hosts.refusal_of(self.headers, self.url, self.client[0] if self.client else "")
        if foreign is not None:
            raise self._over(foreign)
        super().on_headers_complete()
        self._is_head = False
        self.visitor.hurry(self._within_s)

    def on_chunk_header(self) -> None:
        self._chunks += 1
        if self._chunks > MOST_CHUNKS:
            raise self._over(refusal(WebCause.TOO_LARGE, most=MOST_BODY_BYTES))

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._bytes = self._fields = self._chunks = 0
        self._is_head = True

    # Answering

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        start = super()._start_asgi_task

        def begin() -> None:
            if not self.transport.is_closing():
                self._answered = cycle
                start(cycle, app)

        self._door.turns.take(begin)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.transport.is_closing():
            self.visitor.hurry(self._within_s)
        else:
            self._settle()

    def _settle(self) -> None:
        """Whose turn it is: the visitor's, whose request is not whole, or the floor's."""
        if self._bytes or self.flow.write_paused or self.transport.is_closing():
            return
        if self._is_answering:
            self.visitor.spare()
        else:
            self.visitor.hurry(IDLE_S)

    @property
    def _is_answering(self) -> bool:
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is not None and not cycle.response_complete

    def _over(self, no: Refusal) -> Exception:
        """Stops the parser where it stands."""
        self._refusal = no
        return OverBudget(no.text)

    def _turn_away(self, no: Refusal) -> None:
        """Say why, unless another answer is under way or was given already, and close."""
        self._is_deaf = True
        self.visitor.count(no.code)
        if not no.seconds:  # One that is told when to come again is slowed already.
            self.visitor.charge()
        if self._is_answering or not self._is_head:
            self._abort()
            return
        self.transport.write(_written(refused(no)))
        self.transport.close()
        self.visitor.hurry(self._within_s)


class OverBudget(Exception):
    """A request that is not read to its end."""


_LONG_HEAD = refusal(WebCause.LONG_HEAD, most=MOST_HEAD_BYTES, fields=MOST_FIELDS)


def _written(answer: Response) -> bytes:
    """A whole answer as it goes over the network, after which the connection is closed."""
    lines = [f"HTTP/1.1 {answer.status_code} {HTTPStatus(answer.status_code).phrase}".encode()]
    lines += [name + b": " + value for name, value in answer.raw_headers]
    return b"\r\n".join([*lines, b"connection: close", b"", bytes(answer.body)])
