"""Where the connections of slowed addresses wait: they come in one after the other, at a steady pace.

A stranger that is cut off comes back at once, and each handshake costs the floor a millisecond or more. Waiting costs
nothing, since nothing of a waiting connection is read. An address is slowed and not shut out, so that a device behind
the same address still gets in.
"""

import asyncio
import socket
from collections import deque
from collections.abc import Callable

MOST_WAITING = 48
"""Of all slowed addresses together; they need descriptors of the reserve."""


class SlowLane:
    def __init__(self, admit: Callable[[socket.socket, str], None], a_second: float) -> None:
        self._admit, self._every_s = admit, 1 / a_second
        self._waiting: deque[tuple[socket.socket, str]] = deque()
        self._work: asyncio.Task[None] | None = None

    def take(self, connection: socket.socket, address: str) -> bool:
        """Whether there is room to wait."""
        if len(self._waiting) >= MOST_WAITING:
            return False
        self._waiting.append((connection, address))
        if self._work is None:
            self._work = asyncio.create_task(self._let_in())
        return True

    def close(self) -> None:
        if self._work is not None:
            self._work.cancel()
            self._work = None
        while self._waiting:
            self._waiting.popleft()[0].close()

    async def _let_in(self) -> None:
        while self._waiting:
            await asyncio.sleep(self._every_s)
            self._let_one_in()
        self._work = None

    def _let_one_in(self) -> None:
        while self._waiting:
            connection, address = self._waiting.popleft()
            if not _is_left(connection):
                self._admit(connection, address)
                return
            connection.close()


def _is_left(connection: socket.socket) -> bool:
    """Whether the other side has gone and left nothing to read."""
    try:
        return not connection.recv(1, socket.MSG_PEEK)
    except BlockingIOError:
        return False
    except OSError:
        return True
