"""The one writer of a SQLite journal: a thread that commits together whatever came in while it was committing.

A sync of the disk costs the same for one record as for a thousand, so the busier the tables are, the more of them share
each sync, and nobody waits for a batch to fill.
"""

import asyncio
import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Generic, TypeVar

import apsw

from sabot.journal import sqlite_rows as rows
from sabot.journal.anchor import AnchorKeeper
from sabot.journal.journal import Damaged, SignedCheckpoint, Unusable
from sabot.journal.record import Head
from sabot.journal.sqlite_file import close_as_it_is

Answer = TypeVar("Answer")
Job = Callable[[apsw.Connection], Answer]
"""What one caller wants done inside the transaction. It must not fail half done."""

LARGEST_BATCH = 1_000
CHECKPOINT_PAGES = 2_000
"""How long the write-ahead log may grow before it is copied into the file: eight megabytes, copied in milliseconds."""


class NotCommitted(Unusable):
    """A transaction that failed, or of which nobody can say how it ended, in one sentence."""


class Writer:
    def __init__(
        self, db: apsw.Connection, anchor: AnchorKeeper | None = None, checkpoint_pages: int = CHECKPOINT_PAGES
    ) -> None:
        self._db = db
        self._anchor = anchor
        self._checkpoint_pages = checkpoint_pages
        self._queue: queue.SimpleQueue[_Waiting[Any] | None] = queue.SimpleQueue()
        self._trouble: str | None = None
        self._closing = False
        self._wal = Path(db.filename_wal)
        self._wal_pages = 0
        db.set_wal_hook(self._note_wal_pages)
        self._thread = threading.Thread(target=self._run, name="journal writer", daemon=True)
        self._thread.start()

    async def do(self, job: Job[Answer]) -> Answer:
        """Do this in a transaction; the answer comes when it is durable. Raises `NotCommitted`, or what the job did."""
        return await self.begin(job)

    def begin(self, job: Job[Answer]) -> "asyncio.Future[Answer]":
        """The same, begun now, whenever it is waited for."""
        if self._trouble is not None or self._closing:
            raise self._refusal()
        waiting = _Waiting(job)
        self._queue.put(waiting)
        return waiting.future

    def anchors(self, what: Head | SignedCheckpoint) -> None:
        """Inside a job: have this anchored once it is committed."""
        if self._anchor is not None:
            self._anchor.note(what)

    @property
    def trouble(self) -> str | None:
        return self._trouble or (self._anchor.trouble if self._anchor is not None else None)

    async def close(self) -> None:
        """Finish what was asked for, then close the connection, which empties the write-ahead log into the file."""
        self._closing = True
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        while batch := self._next_batch():
            self._commit(batch)
            self._tend()
        if self._trouble is not None:
            close_as_it_is(self._db)
            return
        if self._anchor is not None:
            self._anchor.write()
        self._db.close()

    def _next_batch(self) -> "list[_Waiting[Any]]":
        """All that waits, or the next to come; nothing when the journal is being closed."""
        batch: list[_Waiting[Any]] = []
        while len(batch) < LARGEST_BATCH:
            try:
                waiting = self._queue.get(block=not batch)
            except queue.Empty:
                break
            if waiting is None:
                if batch:
                    self._queue.put(None)
                break
            batch.append(waiting)
        return batch

    def _commit(self, batch: "list[_Waiting[Any]]") -> None:
        if self._trouble is not None:
            _answer(batch, [self._refusal()] * len(batch))
            return
        try:
            self._db.execute("BEGIN IMMEDIATE")
        except apsw.BusyError:
            _answer(batch, [NotCommitted("another process is writing to the journal")] * len(batch))
            return
        except apsw.Error as error:
            self._fail(batch, error)
            return
        try:
            answers = [_done(waiting.job, self._db) for waiting in batch]
            commits = rows.count_commit(self._db) if self._anchor is not None else 0
            self._db.execute("COMMIT")
            self._wal.stat()  # SQLite would go on writing, and answering, to a log that somebody has deleted.
        except Exception as error:  # Whatever it was, nobody knows what is on the disk.
            self._fail(batch, error)
            return
        if self._anchor is not None:
            self._anchor.write_when_due(commits)
        _answer(batch, answers)

    def _fail(self, batch: "list[_Waiting[Any]]", error: Exception) -> None:
        """Give up for good: what a failed sync has left on the disk is only known to whoever opens the file anew."""
        self._trouble = "the disk is full" if isinstance(error, apsw.FullError) else f"writing failed ({error})"
        with suppress(apsw.Error):  # Otherwise a successor would wait for ever for the file to be let go.
            self._db.execute("ROLLBACK")
        _answer(batch, [NotCommitted(self._trouble)] * len(batch))

    def _refusal(self) -> Unusable:
        return Unusable(f"the journal writes nothing until it is opened again: {self._trouble or 'it is closed'}")

    def _tend(self) -> None:
        """Copy a long write-ahead log into the file; readers are not waited for, the next time will do."""
        if self._trouble is not None or self._wal_pages < self._checkpoint_pages:
            return
        try:
            self._db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
        except apsw.BusyError:
            return
        except apsw.Error as error:
            self._trouble = f"copying the write-ahead log failed ({error})"

    def _note_wal_pages(self, _db: apsw.Connection, _name: str, pages: int) -> int:
        self._wal_pages = pages
        return apsw.SQLITE_OK


class _Waiting(Generic[Answer]):
    def __init__(self, job: Job[Answer]) -> None:
        self.job = job
        self.loop = asyncio.get_running_loop()
        self.future: asyncio.Future[Answer] = self.loop.create_future()

    def resolve(self, answer: Answer | Exception) -> None:
        if self.future.done():
            return
        if isinstance(answer, Exception):
            self.future.set_exception(answer)
        else:
            self.future.set_result(answer)


def _done(job: Job[object], db: apsw.Connection) -> object:
    """The job's answer; a job that finds damage before it writes spoils nothing for the others."""
    try:
        return job(db)
    except Damaged as damage:
        return damage


def _answer(batch: list[_Waiting[Any]], answers: list[object]) -> None:
    """Wake the callers, all of one event loop with one call: waking a loop costs more than answering a caller."""
    for loop in {waiting.loop for waiting in batch}:
        resolved = [(waiting, answer) for waiting, answer in zip(batch, answers, strict=True) if waiting.loop is loop]
        if not loop.is_closed():
            loop.call_soon_threadsafe(_resolve_all, resolved)


def _resolve_all(resolved: list[tuple[_Waiting[Any], object]]) -> None:
    for waiting, answer in resolved:
        waiting.resolve(answer)
