"""Opening a journal by its address: the path of a SQLite file, or the URL of a PostgreSQL database.

This is the only module that lists the adapters; all others use the journal's interface and the functions here.
"""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from sabot.journal.adapter import JournalAdapter, OpenedJournal, Safeguards
from sabot.journal.journal import Journal, ReadableJournal
from sabot.journal.keys import PublicKey
from sabot.journal.postgres_adapter import PostgresAdapter
from sabot.journal.sqlite_adapter import SqliteAdapter
from sabot.journal.steady_clock import wall_ms
from sabot.journal.volume import JournalVolume

ADAPTERS: list[JournalAdapter] = [PostgresAdapter(), SqliteAdapter()]
"""In the order in which they are asked whether an address is theirs; SQLite takes any path."""


def register(adapter: JournalAdapter) -> None:
    """Have an adapter of your own asked before those that come with this program."""
    ADAPTERS.insert(0, adapter)


def adapter_of(address: str) -> JournalAdapter:
    return next(adapter for adapter in ADAPTERS if adapter.opens(address))


def path_of(address: str) -> Path | None:
    """The file on this machine that holds the journal; nothing for a journal on a server."""
    return adapter_of(address).path_of(address)


async def open_to_write(
    address: str,
    *,
    anchor: Path | None = None,
    keys: tuple[PublicKey, ...] = (),
    read_ms: Callable[[], int] = wall_ms,
) -> OpenedJournal:
    """Open a journal for writing, after it was compared with its anchor and its signed checkpoints.

    `read_ms` is the time of day, for a journal that has no clock of its own. A journal that a newer program has written
    to is refused, before anything is written (`NewerProgram`): forms never fall in a stream, so the last record of each
    tells.
    """
    opened = await adapter_of(address).open(address, Safeguards(anchor, keys, read_ms))
    try:
        for stream in await opened.journal.streams():
            await opened.journal.head(stream)
    except BaseException:
        await opened.journal.close()
        raise
    return opened


async def open_journal(address: str, *, anchor: Path | None = None, keys: tuple[PublicKey, ...] = ()) -> Journal:
    """The same, for a caller that neither raises an anchor nor logs what was checked."""
    return (await open_to_write(address, anchor=anchor, keys=keys)).journal


async def check_to_write(address: str, anchor: Path | None) -> None:
    """Refuse what opening for writing would refuse: the place, and a journal that has lost what its anchor knows of."""
    await adapter_of(address).check_to_write(address, anchor)


async def open_to_read(address: str) -> ReadableJournal:
    """Open an existing journal for reading. Not a byte of it is changed."""
    return await adapter_of(address).open_to_read(address)


def create(address: str, like: str = "") -> AbstractAsyncContextManager[Journal]:
    """A new, empty journal for a copy of the one at `like`, part by part where both have parts.

    A file takes its name only when the context ends without an exception.
    """
    return adapter_of(address).create(address, like)


def volume(address: str) -> JournalVolume:
    """Where the bytes of a journal go; raises `Unusable` for a journal on a server."""
    return adapter_of(address).volume(address)


async def prepare(address: str) -> list[str]:
    """Make or update the tables of a journal on a server; returns the steps taken."""
    return await adapter_of(address).prepare(address)
