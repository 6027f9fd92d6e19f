"""The writer of a SQLite journal: a thread that commits in one transaction all jobs that arrived during the last one.

A sync costs the same for one record as for a thousand. The busier the tables are, the more of them share each sync, and
no job waits for a batch to fill.
"""

import asyncio
import os
import queue
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any, Generic, TypeVar

import apsw

from sabot.journal import sqlite_rows as rows
from sabot.journal.anchor import AnchorKeeper
from sabot.journal.journal import Damaged, SignedCheckpoint, Unusable
from sabot.journal.pace import ALONE_PACE_S, SHARED_PACE_S
from sabot.journal.record import Head
from sabot.journal.sqlite_file import close_as_it_is

_Answer = TypeVar("_Answer")
Job = Callable[[apsw.Connection], _Answer]
"""Work for one caller inside the transaction. It must not raise after it has written something. It may be done twice:
where a record of the batch is refused, the whole batch is taken back and done again, carefully."""

Swap = Callable[[apsw.Connection], tuple[_Answer, apsw.Connection]]
"""Closes the writer's connection, and gives an answer and another connection."""

RecordRow = tuple[str, int, str, bytes, bytes]
"""A record as it is written: stream, version, key, body and hash."""
LARGEST_BATCH = 1_000
AT_ONCE = 64
"""Rows of one statement: the interpreter is given up and taken back for each statement, whatever it writes."""
MEND_EVERY_S = 1.0
"""How long the writer waits between two attempts to open a file anew that it could not write to."""
CHECKPOINT_PAGES = 2_000
"""The length of the write-ahead log at which it is copied into the file: 8 MB, copied in milliseconds."""


Reopen = Callable[[Mapping[str, Head]], apsw.Connection]
"""Opens the file anew, given the heads that were acknowledged; raises `Damaged` where one of them is not there."""


class NotCommitted(Unusable):
    """A transaction failed, or its outcome is not known; carries one sentence."""


class Writer:
    def __init__(
        self,
        db: apsw.Connection,
        anchor: AnchorKeeper | None = None,
        checkpoint_pages: int = CHECKPOINT_PAGES,
        reopen: Reopen | None = None,
    ) -> None:
        """Without `reopen` a writer that failed once writes nothing more."""
        self._db = db
        self._anchor = anchor
        self._checkpoint_pages = checkpoint_pages
        self._reopen = reopen
        self._reopen_at = 0.0
        self.is_lost = False
        """Whether records that were acknowledged are gone, so that only a person can help."""
        self.opened = 1
        """How often the file was opened."""
        self.undone = 0
        """How many transactions were taken back to be done again."""
        self._is_uncounted = False
        """Whether something was committed since commits were counted last, for the anchor."""
        self.is_careful = False
        """Whether each job of the transaction under way must be able to take back alone what it has written."""
        self._began_s, self._pace_s = 0.0, ALONE_PACE_S
        """When the last transaction began, and how soon after it the next may."""
        self._fresh: list[Head | SignedCheckpoint] = []
        """What the transaction under way writes."""
        self._rows: list[RecordRow] = []
        """Records of the transaction under way that are written after its last job, all at once."""
        self._acknowledged: dict[str, Head] = {}
        self._caller: tuple[int, asyncio.AbstractEventLoop] | None = None
        """The thread that asked last, and its event loop."""
        self._queue: queue.SimpleQueue[_Waiting[Any] | None] = queue.SimpleQueue()
        self._trouble: str | None = None
        self._cause = ""
        """What stopped the writing last."""
        self._closing = False
        self._wal = db.filename_wal
        self._copied = 0
        """How many pages this connection had written when its write-ahead log was last copied whole."""
        self._thread = threading.Thread(target=self._run, name="journal writer", daemon=True)
        self._thread.start()

    async def do(self, job: Job[_Answer]) -> _Answer:
        """Run a job in a transaction; returns its result once it is durable. Raises `NotCommitted` or `Damaged`."""
        return await self.begin(job)

    def begin(
        self,
        job: Job[_Answer],
        unsure: "Callable[[NotCommitted], _Answer] | None" = None,
        *,
        appends: bool = False,
    ) -> "asyncio.Future[_Answer]":
        """The same, queued at once, before the result is awaited; with `unsure` it has an answer for `NotCommitted`.

        A job that `appends` writes nothing but by `puts`, as long as it need not be careful.
        """
        if self._closing or (self._trouble is not None and self._reopen is None):
            raise self._refusal()
        waiting = _Waiting(self._loop_of_caller(), job, unsure, appends=appends)
        self._queue.put(waiting)
        return waiting.future

    async def exchange(self, swap: "Swap[_Answer]") -> _Answer:
        """Have the connection exchanged for another, between two transactions; raises what `swap` raises.

        Where `swap` has closed the connection and raises, the file is opened anew as after a failure.
        """
        if self._closing:
            raise self._refusal()
        waiting = _Exchange(self._loop_of_caller(), swap)
        self._queue.put(waiting)
        return await waiting.future

    def _loop_of_caller(self) -> asyncio.AbstractEventLoop:
        """To ask asyncio is a system call, which a touch need not make: nearly always it is the loop of last time."""
        thread, known = threading.get_ident(), self._caller
        if known is None or known[0] != thread or not known[1].is_running():
            known = self._caller = (thread, asyncio.get_running_loop())
        return known[1]

    def puts(self, records: "Sequence[RecordRow]") -> None:
        """Called by a job: write these records. Where one of them is refused, the whole batch is done carefully."""
        self._rows += records

    def anchors(self, what: Head | SignedCheckpoint) -> None:
        """Called by a job: anchor this once it is committed."""
        self._fresh.append(what)

    @property
    def trouble(self) -> str | None:
        return self._trouble or (self._anchor.trouble if self._anchor is not None else None)

    async def close(self) -> None:
        """Finish the queued jobs, then close the connection, which copies the write-ahead log into the file."""
        self._closing = True
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        while batch := self._next_batch():
            try:
                if isinstance(batch[0], _Exchange):
                    self._exchange(batch[0])
                    continue
                self._commit(batch)
                self._tend()
            except Exception as error:  # Such as too little memory: the thread must not end, or nobody is answered.
                self._fail(batch, error)
        if self._trouble is not None:
            with suppress(apsw.Error):  # It may be closed already, and not opened again.
                close_as_it_is(self._db)
            return
        if self._anchor is not None:
            if self._is_uncounted:
                with suppress(apsw.Error):
                    rows.count_commit(self._db)
            self._anchor.write(self._commits)
        self._db.close()

    def _next_batch(self) -> "list[_Waiting[Any]]":
        """All queued jobs, or the next one to arrive; none when the journal is being closed."""
        first = self._queue.get()
        if first is None:
            return []
        batch = [first]
        if isinstance(first, _Exchange):
            return batch
        too_early = self._began_s + self._pace_s - time.monotonic()
        if too_early > 0:
            time.sleep(too_early)
        self._began_s = time.monotonic()
        while len(batch) < LARGEST_BATCH:
            try:
                waiting = self._queue.get_nowait()
            except queue.Empty:
                break
            if waiting is None or isinstance(waiting, _Exchange):
                self._queue.put(waiting)
                break
            batch.append(waiting)
        self._pace_s = ALONE_PACE_S if len(batch) == 1 else SHARED_PACE_S
        return batch

    def _exchange(self, waiting: "_Exchange[Any]") -> None:
        self._mend_when_due()
        if self._trouble is not None:
            _answer([waiting], [self._refusal()])
            return
        try:
            answer, db = waiting.swap(self._db)
        except Exception as error:
            if not _is_open(self._db):
                self._stop(f"the next part could not be opened ({error})")
                self._reopen_at = 0.0
            _answer([waiting], [error])
            return
        self._take_up(db)
        _answer([waiting], [answer])

    def _take_up(self, db: apsw.Connection) -> None:
        """Write with a connection that was opened just now."""
        self._db = db
        self._copied = 0
        self.opened += 1

    def _commit(self, batch: "list[_Waiting[Any]]") -> None:
        self._mend_when_due()
        if self._trouble is not None:
            _answer(batch, [self._refusal()] * len(batch))
            return
        is_counted = self._anchor is not None and self._anchor.is_due
        try:
            answers = self._written(batch, is_counted=is_counted)
            os.stat(self._wal)  # noqa: PTH116  SQLite would go on committing to a log that was deleted.
        except Exception as error:  # After any other error it is not known what is on the disk.
            if isinstance(error, apsw.BusyError) and not self._db.in_transaction:
                self._forget()
                _answer(batch, [NotCommitted("another process is writing to the journal")] * len(batch))
            else:
                self._fail(batch, error)
            return
        self._is_uncounted = not is_counted
        self._take_note()
        if self._anchor is not None and is_counted and self._anchor.comes_first:
            self._anchor.write(self._commits)
        _answer(batch, answers)
        if self._anchor is not None and is_counted and not self._anchor.comes_first:
            self._anchor.write(self._commits)

    def _commits(self) -> int:
        return rows.commits(self._db)

    def _written(self, batch: "list[_Waiting[Any]]", *, is_counted: bool) -> list[object]:
        """What became of each job, once all are durable. Nearly always they can be written without a look back.

        Most batches are appends alone: one statement, which is a transaction by itself. The interpreter's lock is
        released and taken back for every statement, and another thread may have it meanwhile.
        """
        has_begun = is_counted or not all(waiting.appends for waiting in batch)
        if has_begun:
            self._begin()
        try:
            answers = [_done(waiting.job, self._db) for waiting in batch]
            put, self._rows = self._rows, []
            if len(put) > AT_ONCE and not has_begun:
                has_begun = True
                self._begin()
            insert_records(self._db, put, "ROLLBACK")
        except apsw.ConstraintError:
            self._forget()
            answers = self._done_carefully(batch)
        else:
            if not has_begun:
                return answers
        if is_counted:
            rows.count_commit(self._db)
        self._db.execute("COMMIT")
        return answers

    def _done_carefully(self, batch: "list[_Waiting[Any]]") -> list[object]:
        self._begin()
        self.is_careful = True
        try:
            return [_done(waiting.job, self._db) for waiting in batch]
        finally:
            self.is_careful = False

    def _begin(self) -> None:
        self._db.execute("BEGIN IMMEDIATE")

    def _forget(self) -> None:
        """Take back what the batch has written and noted."""
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")
        self._fresh.clear()
        self._rows.clear()
        self.undone += 1

    def _take_note(self) -> None:
        """What the transaction wrote is durable."""
        fresh, self._fresh = self._fresh, []
        for what in fresh:
            if isinstance(what, Head):
                self._acknowledged[what.stream] = what
            if self._anchor is not None:
                self._anchor.note(what)

    def _fail(self, batch: "list[_Waiting[Any]]", error: Exception) -> None:
        """Stop writing: what a failed sync has left on the disk is found out only by opening the file anew."""
        self._stop("the disk is full" if isinstance(error, apsw.FullError) else f"writing failed ({error})")
        self._fresh.clear()
        self._rows.clear()
        with suppress(apsw.Error):  # Releases the lock, so that a successor can write.
            self._db.execute("ROLLBACK")
        _answer(batch, [NotCommitted(self._cause)] * len(batch))

    def _stop(self, cause: str) -> None:
        self._trouble = self._cause = cause

    def _mend_when_due(self) -> None:
        """Open the file anew after a failure, and go on where it holds everything that was acknowledged.

        A connection whose sync has failed cannot be trusted again: the system reports a failed sync once, and takes the
        pages for written. Opening copies the write-ahead log into the file and syncs that, before anything is read.
        """
        if self._trouble is None or self._reopen is None or self.is_lost or time.monotonic() < self._reopen_at:
            return
        self._reopen_at = time.monotonic() + MEND_EVERY_S
        with suppress(apsw.Error):
            close_as_it_is(self._db)
        try:
            db = self._reopen(self._acknowledged)
        except Damaged as damage:
            self._trouble, self.is_lost = str(damage), True
        except Exception as error:  # Whatever it is, it is tried again.
            self._trouble = f"{self._cause}, and it cannot be opened again yet ({error})"
        else:
            self._take_up(db)
            self._trouble = None

    def _refusal(self) -> Unusable:
        return Unusable(f"the journal writes nothing until it is opened again: {self._trouble or 'it is closed'}")

    def _tend(self) -> None:
        """Copy a long write-ahead log into the file, without waiting for readers; the rest is copied next time.

        How long it is follows from what was written. SQLite would tell it at every commit, but by a call in its midst,
        for which this thread would have to wait for the interpreter once more.
        """
        if self._trouble is not None:
            return
        written = self._db.status(apsw.SQLITE_DBSTATUS_CACHE_WRITE)[0]
        if written - self._copied < self._checkpoint_pages:
            return
        try:
            logged, copied = self._db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
        except apsw.BusyError:
            return
        except apsw.Error as error:
            self._stop(f"copying the write-ahead log failed ({error})")
            return
        if logged == copied:
            self._copied = written


class _Waiting(Generic[_Answer]):
    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        job: Job[_Answer],
        unsure: Callable[[NotCommitted], _Answer] | None,
        *,
        appends: bool,
    ) -> None:
        self.loop, self.job, self._unsure, self.appends = loop, job, unsure, appends
        self.future: asyncio.Future[_Answer] = loop.create_future()

    def resolve(self, answer: _Answer | Exception) -> None:
        if self.future.done():
            return
        if isinstance(answer, NotCommitted) and self._unsure is not None:
            self.future.set_result(self._unsure(answer))
        elif isinstance(answer, Exception):
            self.future.set_exception(answer)
        else:
            self.future.set_result(answer)


class _Exchange(_Waiting[_Answer]):
    def __init__(self, loop: asyncio.AbstractEventLoop, swap: Swap[_Answer]) -> None:
        super().__init__(loop, _nothing, None, appends=False)
        self.swap = swap


def _nothing(_: apsw.Connection) -> Any:
    raise AssertionError("an exchange is no job of a transaction")


def _is_open(db: apsw.Connection) -> bool:
    try:
        db.pragma("user_version")
    except apsw.ConnectionClosedError:
        return False
    return True


def _done(job: Job[object], db: apsw.Connection) -> object:
    """The job's result, or the damage it found; the other jobs of the batch are not affected."""
    try:
        return job(db)
    except Damaged as damage:
        return damage


def _answer(batch: list[_Waiting[Any]], answers: list[object]) -> None:
    """Resolve the callers' futures, with one call for each event loop: waking a loop is the expensive part."""
    for loop in {waiting.loop for waiting in batch}:
        resolved = [(waiting, answer) for waiting, answer in zip(batch, answers, strict=True) if waiting.loop is loop]
        if not loop.is_closed():
            loop.call_soon_threadsafe(_resolve_all, resolved)


def _resolve_all(resolved: list[tuple[_Waiting[Any], object]]) -> None:
    for waiting, answer in resolved:
        waiting.resolve(answer)


def insert_records(db: apsw.Connection, records: Sequence[RecordRow], otherwise: str = "ABORT") -> None:
    """Write records; raises `apsw.ConstraintError` where one of them stands already.

    `otherwise` says what SQLite takes back then: what the statement wrote, or with `ROLLBACK` the whole transaction.
    With that it need not keep a copy of every page that it touches.
    """
    for start in range(0, len(records), AT_ONCE):
        part = records[start : start + AT_ONCE]
        values = ", ".join(["(?, ?, ?, ?, ?)"] * len(part))
        db.execute(f"INSERT OR {otherwise} INTO record VALUES {values}", [*chain.from_iterable(part)])  # noqa: S608
