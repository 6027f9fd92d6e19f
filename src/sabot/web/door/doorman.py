"""Accepts connections: a few at a time, within the budgets, and whatever becomes of the descriptors.

The event loop's own server accepts whatever comes and knows nobody before TLS is agreed on. Here a connection counts
from the moment that it is accepted, and is cut off if it does not get on.
"""

import asyncio
import contextlib
import errno
import os
import socket
import ssl
from collections import Counter
from collections.abc import Callable

import structlog

from sabot.web.door.slow_lane import SlowLane
from sabot.web.door.visitors import Visitor, Visitors

log = structlog.get_logger(__name__)

BACKLOG = 4_096
"""Connections that may wait to be accepted, as after the restart of a process."""
AT_ONCE = 8
PAUSE_S, TLS_PAUSE_S = 0.003, 0.04
"""So many connections are accepted in such a time; a handshake of TLS is dear."""
SWEEP_S = 0.25
TELL_S = 10.0
"""How often the log says how many were refused or cut off, if any were."""
SCARCE = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
SCARCE_S = 0.1
TLS_WITHIN_S = 60.0
"""More than any budget, since a visitor that does not get on is cut off in any case."""


class Doorman:
    """Has the part of a server of asyncio that uvicorn uses."""

    def __init__(
        self,
        listener: socket.socket,
        visitors: Visitors,
        made: Callable[[Visitor], asyncio.Protocol],
        tls: ssl.SSLContext | None,
    ) -> None:
        self._listener, self._visitors, self._made, self._tls = listener, visitors, made, tls
        self._slow_lane = SlowLane(self._admit, visitors.budgets.slowed_a_second)
        self._spare = _spare()
        self._arriving: set[asyncio.Task[None]] = set()
        self._work: list[asyncio.Task[None]] = []

    def open(self) -> None:
        self._listener.listen(BACKLOG)
        self._listener.setblocking(False)  # noqa: FBT003  As the library has it.
        self._work = [asyncio.create_task(part()) for part in (self._accept, self._sweep, self._tell)]

    def close(self) -> None:
        asyncio.get_running_loop().remove_reader(self._listener)
        for task in (*self._work, *self._arriving):
            task.cancel()
        self._slow_lane.close()
        if self._spare is not None:
            os.close(self._spare)
            self._spare = None

    async def wait_closed(self) -> None:
        await asyncio.gather(*self._work, *self._arriving, return_exceptions=True)

    async def _accept(self) -> None:
        loop = asyncio.get_running_loop()
        pause = PAUSE_S if self._tls is None else TLS_PAUSE_S
        while True:
            await self._somebody_knocks()
            began = loop.time()
            for _ in range(AT_ONCE):
                if not self._accept_one():
                    break
                await asyncio.sleep(0)
            scarce = SCARCE_S if self._spare is None else 0.0
            await asyncio.sleep(max(scarce, began + pause - loop.time()))

    async def _somebody_knocks(self) -> None:
        loop, knocked = asyncio.get_running_loop(), asyncio.Event()
        loop.add_reader(self._listener, knocked.set)
        await knocked.wait()
        loop.remove_reader(self._listener)

    def _accept_one(self) -> bool:
        """Whether a connection was accepted; where not, none waits any more, or none can be accepted."""
        try:
            connection, address = self._listener.accept()
        except OSError as error:
            if error.errno in SCARCE:
                self._refuse_one()
            return False
        connection.setblocking(False)  # noqa: FBT003  As the library has it.
        if not self._visitors.is_slowed(address[0]):
            self._admit(connection, address[0])
        elif not self._slow_lane.take(connection, address[0]):
            self._visitors.cut_off["slowed"] += 1
            connection.close()
        return True

    def _admit(self, connection: socket.socket, address: str) -> None:
        visitor = self._visitors.admit(address, lambda: _shut(connection))
        if visitor is None:
            connection.close()
            return

        def arrived(task: asyncio.Task[None]) -> None:
            self._arriving.discard(task)
            if task.cancelled():
                visitor.leave()
                connection.close()

        task = asyncio.create_task(self._connect(connection, visitor))
        self._arriving.add(task)
        task.add_done_callback(arrived)

    async def _connect(self, connection: socket.socket, visitor: Visitor) -> None:
        """Hand the connection over to its protocol, once TLS is agreed on."""
        loop, protocol = asyncio.get_running_loop(), self._made(visitor)
        within = None if self._tls is None else TLS_WITHIN_S
        try:
            await loop.connect_accepted_socket(
                lambda: protocol, connection, ssl=self._tls, ssl_handshake_timeout=within
            )
        except OSError:
            visitor.leave()
            connection.close()

    def _refuse_one(self) -> None:
        """Without descriptors nobody can be accepted, and so nobody refused: give up a spare one for that."""
        self._visitors.cut_off["no_descriptor"] += 1
        self._visitors.make_room()
        if self._spare is not None:
            os.close(self._spare)
            self._spare = None
            with contextlib.suppress(OSError):
                self._listener.accept()[0].close()
        self._spare = _spare()

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_S)
            self._visitors.sweep()

    async def _tell(self) -> None:
        """One line for many, since strangers must not be able to fill the log."""
        told: Counter[str] = Counter()
        while True:
            await asyncio.sleep(TELL_S)
            counted = Counter(self._visitors.cut_off)
            if counted != told:
                log.warning("connections were refused or cut off", **(counted - told))
                told = counted


def _spare() -> int | None:
    try:
        return os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None


def _shut(connection: socket.socket) -> None:
    """Cut off a connection that has no transport yet: the handshake under way then fails."""
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        connection.close()
