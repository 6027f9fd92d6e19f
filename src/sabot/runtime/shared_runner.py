"""A shared stream of a running floor, the house's or a tournament's: asyncio around its owner."""

import asyncio
import secrets
import time
from collections.abc import Callable
from typing import Generic, TypeVar

import structlog

from sabot.basics.act import Act
from sabot.basics.stamp import Stamp
from sabot.floor.records.house_shelf import look_for_paper
from sabot.floor.shared_owner import messages as m
from sabot.floor.shared_owner.keeping import keep_shared, slice_of
from sabot.floor.shared_owner.kinds import SharedKind
from sabot.floor.shared_owner.owner import SharedOwner
from sabot.house.events import HouseEvent
from sabot.house.refusal import HouseRefused
from sabot.house.state import HouseState
from sabot.journal.journal import Appended, AppendOutcome, Journal, NewerProgram, Unknown
from sabot.journal.record import Head
from sabot.tournament.events import TournamentEvent
from sabot.tournament.refusal import TournamentRefused
from sabot.tournament.state import TournamentState

S = TypeVar("S")
E = TypeVar("E")
R = TypeVar("R")
log = structlog.get_logger(__name__)

READ_WITHIN_S = 3.0
"""How long a request waits for what was written before."""
PATIENCE_S = 0.05
"""How long the owner waits before it tries again an act whose outcome is unknown."""


class Unreachable(Exception):
    """The journal did not take the record in time; nothing may be taken as done, and nothing as not done."""


class SharedRunner(Generic[S, E, R]):
    def __init__(
        self,
        kind: SharedKind[S, E, R],
        journal: Journal,
        wall_ms: Callable[[], int],
        why_not: Callable[[], str | None] = lambda: None,
    ) -> None:
        """`why_not` says why nothing may be written from here, in one sentence, or nothing."""
        self._kind, self._why_not = kind, why_not
        self._owner = SharedOwner(kind)
        self.state: S = self._owner.state
        self.outdated = ""
        """Why this program can read the stream no further: a newer one has written to it."""
        self._journal, self._wall_ms = journal, wall_ms
        self._answers: dict[str, asyncio.Future[tuple[E, ...] | R | None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._listeners: list[Callable[[tuple[E, ...]], None]] = []
        self.known_at = 0.0
        """When the newest reading began that was answered, or the newest append that was taken, on the steady clock."""
        self._reading: list[asyncio.Future[None]] = []
        """Who waits for the reading or the append under way."""
        self._failed = False
        """Whether the newest reading or append failed."""

    @property
    def head(self) -> Head:
        return self._owner.head

    @property
    def _named(self) -> str:
        """`the house`, `the tournament SPRING`."""
        return f"the {self._kind.stream.replace('/', ' ')}"

    async def open(self) -> None:
        """Read what is on record."""
        began = time.monotonic()
        self._receive(m.SharedOpened(await self._kind.recover(self._journal)))
        self.known_at = began

    def listen(self, hear: Callable[[tuple[E, ...]], None]) -> None:
        """Hear what happens in the stream, whichever process wrote it."""
        self._listeners.append(hear)

    async def ask(self, act: Act, stamp: Stamp) -> tuple[E, ...] | R:
        """Have an act decided; what is answered is durable."""
        why = self._why_not()
        if why is not None:
            raise Unreachable(f"{self._named} is not written to from here: {why}")
        key = f"desk/{secrets.token_hex(12)}"
        answer: asyncio.Future[tuple[E, ...] | R | None] = asyncio.get_running_loop().create_future()
        self._answers[key] = answer
        self._receive(m.SharedAsked(key, act, stamp))
        decision = await answer
        if decision is None:
            raise Unreachable(f"{self._named} cannot be written to now; whether it was done is not known yet")
        return decision

    def look(self) -> None:
        """Read what other processes have written."""
        self._receive(m.SharedLook())

    async def catch_up(self) -> None:
        """Read what was written before this call, by whichever process; one reading serves all who wait.

        Raises `Unreachable` where the journal does not answer.
        """
        asked, loop = time.monotonic(), asyncio.get_running_loop()
        try:
            async with asyncio.timeout(READ_WITHIN_S):
                while True:
                    self.look()
                    waiter: asyncio.Future[None] = loop.create_future()
                    self._reading.append(waiter)
                    await waiter
                    if self.known_at >= asked:
                        return
                    await asyncio.sleep(PATIENCE_S if self._failed else 0)
        except TimeoutError:
            raise Unreachable(f"{self._named} could not be read") from None

    async def stop(self) -> None:
        while self._tasks:
            await asyncio.wait(self._tasks)

    def _receive(self, message: m.SharedMessage[S]) -> None:
        effects = self._owner.handle(self._wall_ms(), message)
        self.state = self._owner.state
        for effect in effects:
            match effect:
                case m.SharedAnswered():
                    answer = self._answers.pop(effect.key)
                    if not answer.done():
                        answer.set_result(effect.decision)
                case m.SharedHappened():
                    for hear in self._listeners:
                        hear(effect.events)
                case _:
                    task = asyncio.create_task(self._carry_out(effect))
                    self._tasks.add(task)
                    task.add_done_callback(self._tasks.discard)

    async def _carry_out(self, effect: m.SharedEffect[S, E, R]) -> None:
        began = time.monotonic()
        match effect:
            case m.AppendShared():
                outcome = await self._append(effect)
                self._know(began if isinstance(outcome, Appended) else self.known_at, m.SharedWritten(outcome))
            case m.ReadOn():
                try:
                    records = [record async for record in self._journal.read(self._kind.stream, effect.after)]
                except NewerProgram as newer:
                    self.outdated, began, records = str(newer), self.known_at, []
                except Exception:
                    log.exception("a stream could not be read", stream=self._kind.stream)
                    began, records = self.known_at, []
                self._know(began, m.SharedRead(records))
            case m.Unsure():
                await asyncio.sleep(PATIENCE_S)
                self._receive(m.SharedLook())
            case m.LookForPaper():
                await self._look_for_paper(effect)
            case m.SaveShared():
                try:
                    self._receive(await self._save(effect))
                except Exception:
                    log.exception("a snapshot could not be saved", stream=self._kind.stream)

    async def _save(self, effect: m.SaveShared[S]) -> m.SharedSaved:
        """In slices, so that a large state holds up no table; it is a value and does not change meanwhile."""
        writing = self._kind.mark(effect.state, effect.at_ms)
        while (mark := slice_of(writing)) is None:
            await asyncio.sleep(0)
        return await keep_shared(self._journal, self._kind, effect, mark)

    async def _look_for_paper(self, effect: m.LookForPaper) -> None:
        """An act that names a paper is not decided without it."""
        try:
            found = m.PaperFound(await look_for_paper(self._journal, effect.version, effect.sought, effect.unshelved))
        except Exception:
            log.exception("the shelf could not be read", stream=self._kind.stream)
            found = m.PaperFound(None, is_unknown=True)
        self._receive(found)

    def _know(self, began: float, message: m.SharedMessage[S]) -> None:
        self._receive(message)
        self._failed = began <= self.known_at
        self.known_at = max(self.known_at, began)
        waiting, self._reading = self._reading, []
        for waiter in waiting:
            if not waiter.done():
                waiter.set_result(None)

    async def _append(self, effect: m.AppendShared) -> AppendOutcome:
        try:
            return await self._journal.append(self._kind.stream, effect.expected_version, [effect.record])
        except Exception as error:
            log.exception("an append failed", stream=self._kind.stream)
            return Unknown(str(error))


HouseRunner = SharedRunner[HouseState, HouseEvent, HouseRefused]
TournamentRunner = SharedRunner[TournamentState, TournamentEvent, TournamentRefused]
