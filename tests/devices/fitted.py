"""Devices fitted to a station of a floor over real sockets, and their machine, which may lose its power."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from sabot.client.connection import Connection, Identity, Settings
from sabot.client.memory import FileMemory
from tests.runtime.floors import PATIENCE_S


class Machine:
    """What runs a driver. Without power it is gone in the middle of whatever it did; its file stays."""

    def __init__(self, url: str, identity: Identity, folder: Path) -> None:
        self._url, self._identity, self._path = url, identity, folder / "last-command"
        self._task: asyncio.Task[None] | None = None

    def connection(self) -> Connection:
        settings = Settings(feed="events", memory=FileMemory(self._path), open_within_s=PATIENCE_S)
        return Connection(self._url, self._identity, settings)

    @property
    def asked(self) -> int:
        """The number of the last command, which is kept before it is sent; 0 where none is."""
        kept = FileMemory(self._path).recall()
        return 0 if kept is None else kept.n

    def start(self, run: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self._task = asyncio.create_task(run())

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
