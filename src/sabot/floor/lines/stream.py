"""A shared stream at the end of a conversation: every effect of its owner is carried out before the answer."""

from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from sabot.basics.act import Act
from sabot.basics.stamp import Stamp
from sabot.floor.records.house_shelf import look_for_paper
from sabot.floor.records.record_codec import LINES
from sabot.floor.shared_owner import messages as m
from sabot.floor.shared_owner.keeping import save_at_once
from sabot.floor.shared_owner.kinds import SharedKind
from sabot.floor.shared_owner.owner import SharedOwner
from sabot.floor.table_owner.errands import Backing, vouch_for

S = TypeVar("S")
E = TypeVar("E")
R = TypeVar("R")


class NotKept(Exception):
    """The journal did not take the records, or belongs to another owner: one sentence for a person."""


class LineStream(Generic[S, E, R]):
    def __init__(
        self,
        kind: SharedKind[S, E, R],
        backing: Backing,
        now_ms: Callable[[], int],
        heard: Callable[[tuple[E, ...]], Awaitable[None]],
    ) -> None:
        self._kind, self._backing, self._now_ms, self._heard = kind, backing, now_ms, heard
        self._owner = SharedOwner(kind)
        self._asked = 0
        self._answers: dict[str, tuple[E, ...] | R | None] = {}

    @property
    def state(self) -> S:
        return self._owner.state

    async def begin(self) -> int:
        """Read what is on record; gives the time of the last record."""
        recovered = await self._kind.recover(self._backing.journal)
        await self._receive(m.SharedOpened(recovered))
        return recovered.now_ms

    async def ask(self, act: Act, stamp: Stamp) -> tuple[E, ...] | R:
        self._asked += 1
        key = f"{LINES}/{self._backing.owner}/{self._owner.head.version}/{self._asked}"
        await self._receive(m.SharedAsked(key, act, stamp))
        decision = self._answers.pop(key)
        if decision is None:
            raise NotKept(f"nothing was answered, for the {self._kind.stream.replace('/', ' ')} could not be written")
        return decision

    async def look(self) -> None:
        """Read what other processes have written."""
        await self._receive(m.SharedLook())

    async def vouch(self) -> None:
        if self._owner.head.version:
            await vouch_for(self._owner.head, self._backing)

    async def _receive(self, message: m.SharedMessage[S]) -> None:
        for effect in self._owner.handle(self._now_ms(), message):
            await self._do(effect)

    async def _do(self, effect: m.SharedEffect[S, E, R]) -> None:
        journal, stream = self._backing.journal, self._kind.stream
        match effect:
            case m.AppendShared():
                outcome = await journal.append(stream, effect.expected_version, [effect.record])
                await self._receive(m.SharedWritten(outcome))
            case m.ReadOn():
                await self._receive(m.SharedRead([record async for record in journal.read(stream, effect.after)]))
            case m.Unsure():
                await self._receive(m.SharedLook())
            case m.SaveShared():
                await self._receive(await save_at_once(journal, self._kind, effect))
            case m.LookForPaper():
                recall = await look_for_paper(journal, effect.version, effect.sought, effect.unshelved)
                await self._receive(m.PaperFound(recall))
            case m.SharedAnswered():
                self._answers[effect.key] = effect.decision
            case m.SharedHappened():
                await self._heard(effect.events)
