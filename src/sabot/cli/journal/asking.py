"""What the commands on a journal share: opening it, picking a table and a period, and telling how far they are."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from datetime import datetime
from pathlib import Path
from typing import Annotated, TypeVar
from zoneinfo import ZoneInfo

from cyclopts import Parameter

from sabot.audit.excerpt import gaming_day
from sabot.basics.mistake import Mistake
from sabot.cli.sentences import in_one_sentence
from sabot.cli.terminal import console
from sabot.floor.records.record_codec import table_of
from sabot.journal.journal import ReadableJournal
from sabot.journal.opening import is_server, open_to_read
from sabot.table.configuration import Configuration

T = TypeVar("T")
From = Annotated[str | None, Parameter(name="--from")]

QUIET_SECONDS = 2.0
"""Nobody needs to be told of the progress of what is done sooner."""


def ask(place: str, question: Callable[[ReadableJournal], Awaitable[T]]) -> T:
    """Open a journal for looking, ask, and close it; what it has to say against that is one sentence."""

    async def asked() -> T:
        journal = await open_to_read(place)
        try:
            return await question(journal)
        finally:
            await journal.close()

    if not is_server(place) and not Path(place).exists():
        raise Mistake(f"there is no journal at {place}")
    with in_one_sentence():
        return asyncio.run(asked())


async def chosen_table(journal: ReadableJournal, table: str | None) -> str:
    """The table that was named, or the only one there is."""
    tables = [name for stream in await journal.streams() if (name := table_of(stream))]
    if table is not None:
        if table not in tables:
            raise Mistake(f"there is no table {table!r} in this journal; its tables: {', '.join(tables) or 'none'}")
        return table
    if len(tables) != 1:
        known = f"its tables are {', '.join(tables)}: name one with --table" if tables else "it has no table yet"
        raise Mistake(f"which table? {known}")
    return tables[0]


def period(
    configuration: Configuration, day: str | None, since: str | None, to: str | None
) -> tuple[int | None, int | None]:
    """From when to when, in milliseconds: a gaming day, or two moments in the table's own time."""
    if day is not None:
        if since is not None or to is not None:
            raise Mistake("give a gaming day, or moments with --from and --to, but not both")
        return gaming_day(day, configuration)
    zone = ZoneInfo(configuration.time_zone)
    return _moment(since, zone), _moment(to, zone)


def _moment(written: str | None, zone: ZoneInfo) -> int | None:
    if written is None or written.isdigit():
        return None if written is None else int(written)
    try:
        moment = datetime.fromisoformat(written)
    except ValueError:
        raise Mistake(f"{written!r} is no moment: write 2026-01-31T22:00, or milliseconds") from None
    return round((moment if moment.tzinfo else moment.replace(tzinfo=zone)).timestamp() * 1000)


class Progress:
    """Tells on standard error, at most once a second, how far long work is."""

    def __init__(self) -> None:
        self._next = time.monotonic() + QUIET_SECONDS
        self._out = console(to_error=True)

    def __call__(self, stream: str, done: int, of: int) -> None:
        now = time.monotonic()
        if now >= self._next:
            self._next = now + 1
            self._out.print(f"sabot: {stream}: {done:,} of {of:,} records", style="dim")
