"""Has reports made by a process of their own, so that no table waits for one.

One ask is answered at a time. Who finds too many waiting, or waits too long for the answer, is told so; a process that
takes too long is ended, and the next ask starts another.
"""

import asyncio
import contextlib
import sys
from typing import Any

import structlog

from sabot.integrity.light import Light
from sabot.web.http.refusal import WebCause, refusal
from sabot.web.reports.asks import (
    LENGTH_BYTES,
    MOST_BYTES,
    AddedUp,
    Failed,
    Made,
    Mistaken,
    OutboxTold,
    ReportAnswer,
    ReportAsk,
    ReportHello,
    framed,
    read_reply,
)

log = structlog.get_logger(__name__)

MOST_WAITING = 8
"""Asks that wait for their turn; one more is refused."""
ANSWER_WITHIN_S = 60.0
"""How long one ask may take."""
MOST_MEMORY = 2**30
"""How much memory the process may allocate, in bytes."""
_PROGRAM = "sabot.web.reports.report_process"


class ReportDesk:
    def __init__(self, address: str, *, within_s: float = ANSWER_WITHIN_S, most_memory: int = MOST_MEMORY) -> None:
        """`address` is the journal's."""
        self._address, self._within_s, self._most_memory = address, within_s, most_memory
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._process: asyncio.subprocess.Process | None = None
        self._is_closed = False
        self.damaged: set[str] = set()
        """Tables with a kept sum that cannot be read."""
        self.raised: dict[str, tuple[Light, ...]] = {}
        """The lights of integrity that are not quiet, by table that this process serves."""

    @property
    def pid(self) -> int | None:
        """The process that makes reports, while there is one."""
        return None if self._process is None else self._process.pid

    async def ask(self, ask: ReportAsk) -> bytes:
        """The answer as JSON; raises a `Refusal` where there is none."""
        answer = await self.answer(ask)
        if isinstance(answer, Made):
            self.damaged.update(answer.damaged)
            return answer.json
        assert not isinstance(answer, AddedUp | OutboxTold), "neither is an answer to a person"
        if isinstance(answer, Mistaken) and answer.missing:
            figures: dict[str, Any] = dict(answer.values)
            raise refusal(WebCause[answer.missing], **figures)
        if isinstance(answer, Mistaken):
            raise refusal(WebCause.MALFORMED, why=answer.why)
        log.warning("a report was not made", why=answer.why)
        raise refusal(WebCause.UNAVAILABLE)

    async def answer(self, ask: ReportAsk) -> ReportAnswer:
        if self._waiting >= MOST_WAITING:
            raise refusal(WebCause.REPORTS_BUSY, seconds=round(self._within_s))
        self._waiting += 1
        try:
            async with self._turn:
                return await self._answered(ask)
        finally:
            self._waiting -= 1

    async def close(self) -> None:
        self._is_closed = True
        await self._end()

    async def _answered(self, ask: ReportAsk) -> ReportAnswer:
        if self._is_closed:
            raise refusal(WebCause.UNAVAILABLE)
        try:
            return await asyncio.wait_for(self._exchange(ask), self._within_s)
        except TimeoutError:
            await self._end()
            log.warning("a report took too long", ask=type(ask).__name__, table=ask.table)
            raise refusal(WebCause.REPORT_TOO_LONG, most=round(self._within_s)) from None
        except (OSError, asyncio.IncompleteReadError):
            await self._end()
            return Failed("the process that makes reports has ended")
        except asyncio.CancelledError:  # The answer would be taken for that of the next ask.
            await self._end()
            raise

    async def _exchange(self, ask: ReportAsk) -> ReportAnswer:
        process = self._process
        if process is None or process.returncode is not None:
            process = self._process = await self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(framed(ask))
        await process.stdin.drain()
        length = int.from_bytes(await process.stdout.readexactly(LENGTH_BYTES), "big")
        if length > MOST_BYTES:
            await self._end()
            return Failed(f"an answer has {length:,} bytes, and {MOST_BYTES:,} at most")
        reply: ReportAnswer = read_reply(await process.stdout.readexactly(length))
        return reply

    async def _start(self) -> asyncio.subprocess.Process:
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(sys.executable, "-P", "-m", _PROGRAM, stdin=pipe, stdout=pipe)
        assert process.stdin is not None
        process.stdin.write(framed(ReportHello(self._address, self._most_memory)))
        return process

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
