"""Sends appends to PostgreSQL over one connection, one statement at a time, many appends to a statement.

Appends that arrive while a statement is under way share the next one, and so one commit. Each statement is its own
transaction, so a client that stops in the middle leaves nothing open on the server.
"""

import asyncio
import itertools
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

import asyncpg
import msgspec

from sabot.journal.journal import Appended, AppendOutcome, Conflict, Unknown, Unusable
from sabot.journal.pace import ALONE_PACE_S, SHARED_PACE_S
from sabot.journal.packing import pack
from sabot.journal.postgres_connection import LOST, connect, sentences
from sabot.journal.postgres_hosts import PostgresConnection, answered
from sabot.journal.postgres_schema import check_schema
from sabot.journal.record import Record

MOST_RECORDS = 2_000
"""The most records in one statement; a longer append has a statement of its own."""
MOST_TRIES = 3
"""How often an append is repeated that lost to another: a deadlock, or what distributed engines answer with a request
to try again. The server has rolled it back, so nothing is in doubt."""

_INSERT: Final = """
INSERT INTO sabot.record (stream, version, key, body, previous, hash)
SELECT new.stream,
       CASE WHEN new.follows IS NULL THEN new.version
            ELSE (SELECT head.version + 1 FROM sabot.record AS head
                   WHERE head.stream = new.stream AND head.version = new.follows AND head.hash = new.previous) END,
       new.key, new.body, ''::bytea, new.hash
  FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::bytea[], $6::bytea[], $7::bytea[])
    AS new (stream, version, follows, key, body, previous, hash)
"""
# The first record of an append names the owner's head by version and hash. Where that record is missing or another one,
# the new version becomes null and the NOT NULL constraint refuses it: no gap, and no fork behind a lost tail. Where the
# stream has grown already, the primary key refuses it. The hash before a record is not stored again, as it is the hash
# of the record before; the column holds it in records of earlier releases.

_TRUTH: Final = """
SELECT coalesce((SELECT version FROM sabot.record WHERE stream = $1 ORDER BY version DESC LIMIT 1), 0) AS head,
       earlier.key, earlier.version
  FROM (SELECT 1) AS always
  LEFT JOIN (SELECT key, version FROM sabot.record WHERE stream = $1 AND key = ANY($2::text[])
              ORDER BY version LIMIT 1) AS earlier ON true
"""


class QueuedAppend(msgspec.Struct, eq=False):
    """An append that has not been answered yet."""

    stream: str
    expected: int
    records: Sequence[Record]
    bodies: Sequence[bytes]
    answer: asyncio.Future[AppendOutcome]
    tries: int = 0
    """How often the server has rolled it back for another's sake."""

    def settle(self, outcome: AppendOutcome) -> None:
        if not self.answer.done():
            self.answer.set_result(outcome)


class AppendQueue:
    def __init__(self, dsn: str) -> None:
        self._dsn = dsn
        self._link: PostgresConnection | None = None
        self._warning: str | None = None
        self._waiting: deque[QueuedAppend] = deque()
        self._loop: asyncio.AbstractEventLoop | None = None
        """Kept, since to ask for it is a system call, which a touch need not make."""
        self._carrying: asyncio.Task[None] | None = None
        self._began_s = 0.0
        """When the last statement was sent."""
        self._pace_s = ALONE_PACE_S
        """How long after that the next one is."""
        self.trouble: str | None = None
        """Why the last append was not written for certain."""
        self.when_in_doubt: Callable[[], Awaitable[None]] | None = None
        """Done before it is told that an outcome is not known."""

    async def open(self) -> None:
        self._link = await self._connected()

    def append(
        self, stream: str, expected: int, records: Sequence[Record], bodies: Sequence[bytes]
    ) -> "asyncio.Future[AppendOutcome]":
        """Cancelling the caller does not cancel the statement."""
        loop = self._loop = self._loop or asyncio.get_running_loop()
        answer: asyncio.Future[AppendOutcome] = loop.create_future()
        self._waiting.append(QueuedAppend(stream, expected, records, bodies, answer))
        if self._carrying is None or self._carrying.done():
            self._carrying = asyncio.create_task(self._carry())
        return answer

    async def close(self) -> None:
        """Write what is queued, then close."""
        if self._carrying is not None:
            await self._carrying
        if self._link is not None:
            await self._link.close()

    async def _carry(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            too_early = self._began_s + self._pace_s - loop.time()
            if too_early > 0:
                await asyncio.sleep(too_early)
            self._began_s = loop.time()
            group = self._next_group()
            self._pace_s = ALONE_PACE_S if len(group) == 1 else SHARED_PACE_S
            try:
                await self._write(group)
            except Exception as error:  # Every caller must get an answer.
                for waiting in group:
                    if not waiting.answer.done():
                        waiting.answer.set_exception(error)
            # Callers just answered may queue their next append, which then shares the next statement.
            await asyncio.sleep(0)

    def _next_group(self) -> list[QueuedAppend]:
        """Appends that may share a statement: at most one of each stream."""
        group: dict[str, QueuedAppend] = {}
        later: deque[QueuedAppend] = deque()
        room = MOST_RECORDS
        while self._waiting and (room > 0 or not group):
            waiting = self._waiting.popleft()
            if waiting.stream in group:
                later.append(waiting)
            else:
                group[waiting.stream] = waiting
                room -= len(waiting.records)
        self._waiting.extendleft(reversed(later))
        # One order in all processes avoids deadlocks.
        return [group[stream] for stream in sorted(group)]

    async def _write(self, group: Sequence[QueuedAppend]) -> None:
        try:
            link = await self._usable_link()
        except Unusable as error:
            await self._answer_unknown(group, str(error))
            return
        self._warning = None
        try:
            await answered(self._dsn, link, link.execute(_INSERT, *_columns(group)))
        except LOST as error:
            await self._answer_unknown(group, f"the connection was lost: {error}")
        except asyncpg.PostgresError as error:
            await self._after_refusal(group, error)
        else:
            await self._settle_written(group)

    async def _settle_written(self, group: Sequence[QueuedAppend]) -> None:
        if self._warning is not None:
            await self._answer_unknown(group, f"the server confirmed with a warning: {self._warning}")
            return
        self.trouble = None
        for waiting in group:
            waiting.settle(Appended(waiting.expected + len(waiting.records)))

    async def _after_refusal(self, group: Sequence[QueuedAppend], error: asyncpg.PostgresError) -> None:
        """Find the append that the server refused; the others of the group are written one by one."""
        if not _left_nothing(error):
            await self._answer_unknown(group, f"the server ended the statement: {error}")
        elif len(group) > 1:
            for waiting in group:
                await self._write([waiting])
        elif isinstance(error, asyncpg.UniqueViolationError | asyncpg.NotNullViolationError):
            group[0].settle(await self._conflict(group[0]))
        elif error.sqlstate.startswith("40") and group[0].tries < MOST_TRIES:
            group[0].tries += 1
            await self._write(group)
        else:
            await self._answer_unknown(group, f"the server refused the statement: {error}")

    async def _conflict(self, waiting: QueuedAppend) -> AppendOutcome:
        """The conflict, read after the refusal; the stream only grows, so what is read is at least as new."""
        try:
            link = await self._usable_link()
            truth = link.fetchrow(_TRUTH, waiting.stream, [record.entry.key for record in waiting.records])
            found = await answered(self._dsn, link, truth)
        except (*LOST, asyncpg.PostgresError, Unusable) as error:
            self._drop_link()
            return Unknown(f"the append was refused, and then the stream could not be read: {error}")
        assert found is not None
        if found["head"] == waiting.expected and found["key"] is not None:
            return Conflict(found["head"], (found["key"], found["version"]))
        return Conflict(found["head"])

    async def _answer_unknown(self, group: Sequence[QueuedAppend], why: str) -> None:
        """Answer that the outcome is unknown, and drop the connection."""
        self._drop_link()
        self.trouble = why
        if self.when_in_doubt is not None:
            await self.when_in_doubt()
        for waiting in group:
            waiting.settle(Unknown(why))

    def _drop_link(self) -> None:
        if self._link is not None:
            self._link.terminate()
            self._link = None

    async def _usable_link(self) -> PostgresConnection:
        if self._link is None or self._link.is_closed():
            self._link = await self._connected()
        return self._link

    async def _connected(self) -> PostgresConnection:
        """A new connection, checked again, since after a fail-over it may be to another server."""
        link = await connect(self._dsn)
        try:
            with sentences(self._dsn):
                await check_schema(link, self._dsn)
        except BaseException:
            link.terminate()
            raise
        link.add_log_listener(self._note_warning)
        return link

    def _note_warning(self, _link: object, message: asyncpg.PostgresLogMessage) -> None:
        """Note a warning of the server, such as a cancelled wait for the standby."""
        if message.sqlstate.startswith("01"):
            self._warning = message.message


def _left_nothing(error: asyncpg.PostgresError) -> bool:
    """Whether the server has certainly rolled back: wrong data, a violated constraint, or a deadlock.

    Statement completion unknown (40003) is of the third class, but means the opposite.
    """
    return error.sqlstate[:2] in ("22", "23", "40") and error.sqlstate != "40003"


def _columns(group: Sequence[QueuedAppend]) -> tuple[list[object], ...]:
    records = list(itertools.chain.from_iterable(waiting.records for waiting in group))
    follows = list[object]()
    for waiting in group:
        follows += [waiting.expected or None, *itertools.repeat(None, len(waiting.records) - 1)]
    return (
        [record.stream for record in records],
        [record.version for record in records],
        follows,
        [record.entry.key for record in records],
        [pack(body) for waiting in group for body in waiting.bodies],
        [record.previous for record in records],
        [record.hash for record in records],
    )
