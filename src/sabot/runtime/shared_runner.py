"""A shared stream of a running floor, the house's or a tournament's: asyncio around its owner."""

import asyncio
import secrets
from collections.abc import Callable
from typing import Generic, TypeVar

import structlog

from sabot.basics.act import Act
from sabot.basics.stamp import Stamp
from sabot.floor.records.recovery import snapshot_at
from sabot.floor.shared_owner import messages as m
from sabot.floor.shared_owner.kinds import SharedKind
from sabot.floor.shared_owner.owner import MOST_TRIES, SharedOwner
from sabot.house.events import HouseEvent
from sabot.house.refusal import HouseRefused
from sabot.house.state import HouseState
from sabot.journal.journal import AppendOutcome, Journal, Unknown
from sabot.journal.record import Head
from sabot.tournament.events import TournamentEvent
from sabot.tournament.refusal import TournamentRefused
from sabot.tournament.state import TournamentState

S = TypeVar("S")
E = TypeVar("E")
R = TypeVar("R")
log = structlog.get_logger(__name__)

PATIENCE_S = 0.05
"""How long the owner waits before it tries again an act whose outcome is unknown."""


class Unreachable(Exception):
    """The journal did not take the record; nothing was answered, and nothing may be taken as done."""


class SharedRunner(Generic[S, E, R]):
    def __init__(self, kind: SharedKind[S, E, R], journal: Journal, build: str, wall_ms: Callable[[], int]) -> None:
        self._kind = kind
        self._owner = SharedOwner(kind)
        self.state: S = self._owner.state
        self._journal, self._build, self._wall_ms = journal, build, wall_ms
        self._answers: dict[str, asyncio.Future[tuple[E, ...] | R | None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._listeners: list[Callable[[tuple[E, ...]], None]] = []

    @property
    def head(self) -> Head:
        return self._owner.head

    @property
    def _named(self) -> str:
        """`the house`, `the tournament SPRING`."""
        return f"the {self._kind.stream.replace('/', ' ')}"

    async def open(self) -> None:
        """Read what is on record."""
        self._receive(m.SharedOpened(await self._kind.recover(self._journal, self._build)))

    def listen(self, hear: Callable[[tuple[E, ...]], None]) -> None:
        """Hear what happens in the stream, whichever process wrote it."""
        self._listeners.append(hear)

    async def ask(self, act: Act, stamp: Stamp) -> tuple[E, ...] | R:
        """Have an act decided; what is answered is durable."""
        key = f"desk/{secrets.token_hex(12)}"
        answer: asyncio.Future[tuple[E, ...] | R | None] = asyncio.get_running_loop().create_future()
        self._answers[key] = answer
        self._receive(m.SharedAsked(key, act, stamp))
        decision = await answer
        if decision is None:
            raise Unreachable(f"{self._named} could not write it down; nothing was done")
        return decision

    def look(self) -> None:
        """Read what other processes have written."""
        self._receive(m.SharedLook())

    async def catch_up(self) -> None:
        """Read everything that was on record when it was asked, however much is written meanwhile."""
        try:
            end = (await self._journal.head(self._kind.stream)).version
        except Exception as error:
            raise Unreachable(f"{self._named} could not be read: {error}") from error
        tries = MOST_TRIES
        while self.head.version < end:
            before = self.head.version
            self.look()
            if self._tasks:
                await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
            if self.head.version == before:
                tries -= 1
                if not tries:
                    raise Unreachable(f"{self._named} could not be read")
                await asyncio.sleep(PATIENCE_S)

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

    async def _carry_out(self, effect: m.SharedEffect[E, R]) -> None:
        match effect:
            case m.AppendShared():
                self._receive(m.SharedWritten(await self._append(effect)))
            case m.ReadOn():
                try:
                    records = [record async for record in self._journal.read(self._kind.stream, effect.after)]
                except Exception:
                    log.exception("a stream could not be read", stream=self._kind.stream)
                    records = []
                self._receive(m.SharedRead(records))
            case m.Unsure():
                await asyncio.sleep(PATIENCE_S)
                self._receive(m.SharedLook())
            case m.SaveShared():
                try:
                    await self._journal.save_snapshot(snapshot_at(effect.head, self._build, effect.mark))
                except Exception:
                    log.exception("a snapshot could not be saved", stream=self._kind.stream)

    async def _append(self, effect: m.AppendShared) -> AppendOutcome:
        try:
            return await self._journal.append(self._kind.stream, effect.expected_version, [effect.record])
        except Exception as error:
            log.exception("an append failed", stream=self._kind.stream)
            return Unknown(str(error))


HouseRunner = SharedRunner[HouseState, HouseEvent, HouseRefused]
TournamentRunner = SharedRunner[TournamentState, TournamentEvent, TournamentRefused]
