"""Shared by the commands on a journal: opening it, choosing a table and a period, and printing progress."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Annotated, TypeVar
from zoneinfo import ZoneInfo

from cyclopts import Parameter

from sabot.audit.excerpt import TableFacts
from sabot.audit.gaming_days import gaming_day
from sabot.audit.stretch import Finding
from sabot.basics.mistake import Mistake
from sabot.cli.sentences import in_one_sentence
from sabot.cli.terminal import console
from sabot.floor.records.record_codec import table_of, tournament_of
from sabot.journal.journal import ReadableJournal
from sabot.journal.opening import open_to_read

T = TypeVar("T")
FromMoment = Annotated[str | None, Parameter(name="--from")]

QUIET_SECONDS = 2.0
"""No progress is printed for work that ends sooner."""


def ask(place: str, query: Callable[[ReadableJournal], Awaitable[T]]) -> T:
    """Open a journal for reading, run a query on it, and close it; its errors become a `Mistake`."""

    async def asked() -> T:
        journal = await open_to_read(place)
        try:
            return await query(journal)
        finally:
            await journal.close()

    with in_one_sentence():
        return asyncio.run(asked())


async def chosen_table(journal: ReadableJournal, table: str | None) -> str:
    """The table named, or the only one in the journal."""
    tables = [name for stream in await journal.streams() if (name := table_of(stream))]
    if table is not None:
        if table not in tables:
            raise Mistake(f"there is no table {table!r} in this journal; its tables: {', '.join(tables) or 'none'}")
        return table
    if len(tables) != 1:
        known = f"its tables are {', '.join(tables)}: name one with --table" if tables else "it has no table yet"
        raise Mistake(f"which table? {known}")
    return tables[0]


async def check_tournament(journal: ReadableJournal, tournament: str) -> None:
    """Raise `Mistake` for a tournament that the journal does not have, naming those it has."""
    known = [name for stream in await journal.streams() if (name := tournament_of(stream))]
    if tournament not in known:
        raise Mistake(
            f"there is no tournament {tournament!r} in this journal; its tournaments: {', '.join(known) or 'none'}"
        )


async def any_table(journal: ReadableJournal, table: str | None) -> str:
    """The table named, or the first: whose zone the times of a shared stream are given in."""
    tables = [name for stream in await journal.streams() if (name := table_of(stream))]
    return await chosen_table(journal, table or (min(tables) if tables else None))


def period(facts: TableFacts, day: str | None, since: str | None, to: str | None) -> tuple[int | None, int | None]:
    """Start and end in milliseconds: of a gaming day, or two moments in the table's own time."""
    if day is not None:
        if since is not None or to is not None:
            raise Mistake("give a gaming day, or moments with --from and --to, but not both")
        return gaming_day(day, facts.time_zone, facts.day_starts)
    zone = ZoneInfo(facts.time_zone)
    return _moment(since, zone), _moment(to, zone)


def _moment(written: str | None, zone: ZoneInfo) -> int | None:
    if written is None or written.isdigit():
        return None if written is None else int(written)
    try:
        moment = datetime.fromisoformat(written)
    except ValueError:
        raise Mistake(f"{written!r} is no moment: write 2026-01-31T22:00, or milliseconds") from None
    return round((moment if moment.tzinfo else moment.replace(tzinfo=zone)).timestamp() * 1000)


class ProgressPrinter:
    """Prints the progress of long work on standard error, at most once a second: how much is done, and the time left.

    It keeps how far the work came, for a command that is stopped.
    """

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._next = self._started + QUIET_SECONDS
        self._out = console(to_error=True)
        self.done = self.of = 0
        self.findings: list[Finding] = []
        """The stretches of a proof that were checked to their ends."""

    def __call__(self, stream: str, done: int, of: int) -> None:
        self.done, self.of = done, of
        now = time.monotonic()
        if now >= self._next:
            self._next = now + 1
            self._out.print(f"sabot: {stream}: {said_of(done, of)}{self._left(now)}", style="dim")

    def proved(self, finding: Finding) -> None:
        self.findings.append(finding)

    def _left(self, now: float) -> str:
        if not 0 < self.done < self.of:
            return ""
        seconds = round((now - self._started) * (self.of - self.done) / self.done)
        minutes, seconds = divmod(seconds, 60)
        return f", about {minutes} min {seconds:02} s left" if minutes else f", about {seconds} s left"


def said_of(done: int, of: int) -> str:
    """How much of the work is done, in words."""
    return f"{done:,} of {of:,} records ({100 * done // of if of else 100} %)"
