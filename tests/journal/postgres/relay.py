"""A wire between a journal and its server that is cut at a chosen moment."""

import asyncio
import contextlib
import enum
from pathlib import Path
from types import TracebackType
from typing import Self


class Cut(enum.Enum):
    BEFORE_SENDING = "the server never hears of it"
    BEFORE_THE_REPLY = "the server does it, and its reply is lost"


class Relay:
    """Passes the connections of a TCP port on to the server's socket, and looks at what passes.

    `watch` names bytes to wait for on their way to the server; when they come by, that connection is cut.
    """

    def __init__(self, folder: Path) -> None:
        self._socket = str(folder / ".s.PGSQL.5432")
        self._bytes = b""
        self._cut: Cut | None = None
        self._passing: set[asyncio.StreamWriter] = set()
        self.port = 0

    def watch(self, for_bytes: bytes, cut: Cut) -> None:
        self._bytes, self._cut = for_bytes, cut

    async def cut_all(self) -> None:
        """Cut every connection, and let nobody in until it is mended."""
        self._server.close()
        for writer in self._passing:
            writer.transport.abort()

    async def mend(self) -> None:
        self._server = await asyncio.start_server(self._pass_on, "127.0.0.1", self.port)

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._pass_on, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.close()
        await self._server.wait_closed()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        from_server, to_server = await asyncio.open_unix_connection(self._socket)
        replies = asyncio.create_task(_pump(from_server, writer))
        self._passing.add(writer)
        try:
            while data := await reader.read(65_536):
                cut = self._cut if self._cut is not None and self._bytes in data else None
                if cut is Cut.BEFORE_SENDING:
                    break
                if cut is Cut.BEFORE_THE_REPLY:
                    replies.cancel()
                    await asyncio.gather(replies, return_exceptions=True)
                to_server.write(data)
                await to_server.drain()
                if cut is Cut.BEFORE_THE_REPLY:
                    await from_server.read(1)  # The server has answered, so it has done it.
                    break
        finally:
            self._cut = None
            self._passing.discard(writer)
            replies.cancel()
            for stream in (writer, to_server):
                stream.close()
                with contextlib.suppress(OSError):
                    await stream.wait_closed()


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(65_536):
        writer.write(data)
        await writer.drain()
    writer.close()
