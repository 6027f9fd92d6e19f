"""The lane on which appends travel to PostgreSQL: one connection, one statement at a time, each carrying many.

Appends that arrive while a statement is under way wait together and share the next one, and so share one commit. A
statement is a transaction of its own, so a client that stops in the middle leaves nothing open on the server.
"""

import asyncio
import itertools
from collections import deque
from collections.abc import Sequence
from typing import Final

import asyncpg
import msgspec

from sabot.journal.journal import Appended, Conflict, Outcome, Unknown, Unusable
from sabot.journal.postgres_link import LOST, Link, connect, sentences
from sabot.journal.postgres_schema import check_schema
from sabot.journal.record import Record

MOST_RECORDS = 2_000
"""So many records share a statement at most; one append may be longer, and then travels alone."""

_INSERT: Final = """
INSERT INTO sabot.record (stream, version, key, body, previous, hash)
SELECT new.stream,
       CASE WHEN new.follows IS NULL THEN new.version
            ELSE (SELECT head.version + 1 FROM sabot.record AS head
                   WHERE head.stream = new.stream AND head.version = new.follows AND head.hash = new.previous) END,
       new.key, new.body, new.previous, new.hash
  FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::bytea[], $6::bytea[], $7::bytea[])
    AS new (stream, version, follows, key, body, previous, hash)
"""
# The first record of an append follows the record that its owner believes to be the head. Where that record is not
# there, or is another one than the owner knows, its version comes out as null and the table refuses it: no gap, and no
# fork behind a tail that was lost. Where the stream has grown already, the primary key refuses it.

_TRUTH: Final = """
SELECT coalesce((SELECT version FROM sabot.record WHERE stream = $1 ORDER BY version DESC LIMIT 1), 0) AS head,
       earlier.key, earlier.version
  FROM (SELECT 1) AS always
  LEFT JOIN (SELECT key, version FROM sabot.record WHERE stream = $1 AND key = ANY($2::text[])
              ORDER BY version LIMIT 1) AS earlier ON true
"""


class Waiting(msgspec.Struct, eq=False):
    """An append on its way, and where its answer is waited for."""

    stream: str
    expected: int
    records: Sequence[Record]
    answer: asyncio.Future[Outcome]

    def settle(self, outcome: Outcome) -> None:
        if not self.answer.done():
            self.answer.set_result(outcome)


class Lane:
    def __init__(self, dsn: str) -> None:
        self._dsn = dsn
        self._link: Link | None = None
        self._warning: str | None = None
        self._waiting: deque[Waiting] = deque()
        self._carrying: asyncio.Task[None] | None = None

    async def open(self) -> None:
        self._link = await self._connected()

    async def append(self, stream: str, expected: int, records: Sequence[Record]) -> Outcome:
        """Whoever stops waiting for the answer stops nothing: the statement goes its way."""
        waiting = Waiting(stream, expected, records, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        if self._carrying is None or self._carrying.done():
            self._carrying = asyncio.create_task(self._carry())
        return await waiting.answer

    async def close(self) -> None:
        """Carry what is waiting, then close."""
        if self._carrying is not None:
            await self._carrying
        if self._link is not None:
            await self._link.close()

    async def _carry(self) -> None:
        while self._waiting:
            group = self._next_group()
            try:
                await self._write(group)
            except Exception as error:  # Whatever went wrong, nobody may be left waiting.
                for waiting in group:
                    if not waiting.answer.done():
                        waiting.answer.set_exception(error)
            # Those who have just been answered may have their next append ready: let them come along.
            await asyncio.sleep(0)

    def _next_group(self) -> list[Waiting]:
        """As many as may share a statement: of each stream only the first, the others come after it."""
        group: dict[str, Waiting] = {}
        later: deque[Waiting] = deque()
        room = MOST_RECORDS
        while self._waiting and (room > 0 or not group):
            waiting = self._waiting.popleft()
            if waiting.stream in group:
                later.append(waiting)
            else:
                group[waiting.stream] = waiting
                room -= len(waiting.records)
        self._waiting.extendleft(reversed(later))
        # In one order everywhere, so that two processes never wait for each other.
        return [group[stream] for stream in sorted(group)]

    async def _write(self, group: Sequence[Waiting]) -> None:
        try:
            link = await self._usable_link()
        except Unusable as error:
            self._lose_sight(group, str(error))
            return
        self._warning = None
        try:
            await link.execute(_INSERT, *_columns(group))
        except LOST as error:
            self._lose_sight(group, f"the connection was lost: {error}")
        except asyncpg.PostgresError as error:
            await self._after_refusal(group, error)
        else:
            self._settle_written(group)

    def _settle_written(self, group: Sequence[Waiting]) -> None:
        if self._warning is not None:
            self._lose_sight(group, f"the server confirmed with a warning: {self._warning}")
            return
        for waiting in group:
            waiting.settle(Appended(waiting.expected + len(waiting.records)))

    async def _after_refusal(self, group: Sequence[Waiting], error: asyncpg.PostgresError) -> None:
        """Find out whose append the server refused; the others of the group are not to suffer for it."""
        if not _left_nothing(error):
            self._lose_sight(group, f"the server ended the statement: {error}")
        elif len(group) > 1:
            for waiting in group:
                await self._write([waiting])
        elif isinstance(error, asyncpg.UniqueViolationError | asyncpg.NotNullViolationError):
            group[0].settle(await self._conflict(group[0]))
        else:
            self._lose_sight(group, f"the server refused the statement: {error}")

    async def _conflict(self, waiting: Waiting) -> Outcome:
        """What stands in the way. The stream only grows, so what is read now was so, or is newer, than what refused."""
        try:
            link = await self._usable_link()
            found = await link.fetchrow(_TRUTH, waiting.stream, [record.entry.key for record in waiting.records])
        except (*LOST, asyncpg.PostgresError, Unusable) as error:
            self._drop_link()
            return Unknown(f"the append was refused, and then the stream could not be read: {error}")
        assert found is not None
        if found["head"] == waiting.expected and found["key"] is not None:
            return Conflict(found["head"], (found["key"], found["version"]))
        return Conflict(found["head"])

    def _lose_sight(self, group: Sequence[Waiting], why: str) -> None:
        """Nobody can say what became of these; a connection that has seen this is not used again."""
        self._drop_link()
        for waiting in group:
            waiting.settle(Unknown(why))

    def _drop_link(self) -> None:
        if self._link is not None:
            self._link.terminate()
            self._link = None

    async def _usable_link(self) -> Link:
        if self._link is None or self._link.is_closed():
            self._link = await self._connected()
        return self._link

    async def _connected(self) -> Link:
        """A new connection, checked again: after a fail-over it may lead to another server."""
        link = await connect(self._dsn)
        try:
            with sentences(self._dsn):
                await check_schema(link, self._dsn)
        except BaseException:
            link.terminate()
            raise
        link.add_log_listener(self._hear)
        return link

    def _hear(self, _link: object, message: asyncpg.PostgresLogMessage) -> None:
        """A warning before the end of the statement: the wait for a standby was cut short, or worse."""
        if message.sqlstate.startswith("01"):
            self._warning = message.message


def _left_nothing(error: asyncpg.PostgresError) -> bool:
    """Whether the server has surely rolled back: wrong data, a broken constraint, or a deadlock.

    Statement completion unknown (40003) belongs to the third class and says the opposite.
    """
    return error.sqlstate[:2] in ("22", "23", "40") and error.sqlstate != "40003"


def _columns(group: Sequence[Waiting]) -> tuple[list[object], ...]:
    records = list(itertools.chain.from_iterable(waiting.records for waiting in group))
    follows = [
        waiting.expected if index == 0 and waiting.expected else None
        for waiting in group
        for index in range(len(waiting.records))
    ]
    return (
        [record.stream for record in records],
        [record.version for record in records],
        list(follows),
        [record.entry.key for record in records],
        [record.body for record in records],
        [record.previous for record in records],
        [record.hash for record in records],
    )
