"""The house of a running floor: asyncio around its owner."""

import asyncio
import secrets
from collections.abc import Callable

import structlog

from sabot.basics.stamp import Stamp
from sabot.floor.house_owner import messages as h
from sabot.floor.house_owner.owner import HouseOwner
from sabot.floor.records.record_codec import HOUSE
from sabot.floor.records.recovery import recover_house, snapshot_at
from sabot.house.acts import HouseAct
from sabot.house.events import HouseEvent
from sabot.house.state import HouseState
from sabot.journal.journal import AppendOutcome, Journal, Unknown
from sabot.journal.record import Head

log = structlog.get_logger(__name__)

PATIENCE_S = 0.05
"""How long the owner waits before it tries again an act whose outcome is unknown."""


class Unreachable(Exception):
    """The journal did not take the record; nothing was answered, and nothing may be taken as done."""


class HouseRunner:
    def __init__(self, journal: Journal, build: str, wall_ms: Callable[[], int]) -> None:
        self._owner = HouseOwner()
        self.state: HouseState = self._owner.state
        self._journal, self._build, self._wall_ms = journal, build, wall_ms
        self._answers: dict[str, asyncio.Future[h.HouseDecision | None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._listeners: list[Callable[[tuple[HouseEvent, ...]], None]] = []

    @property
    def head(self) -> Head:
        return self._owner.head

    async def open(self) -> None:
        """Read what the house knows."""
        self._receive(h.HouseOpened(await recover_house(self._journal, self._build)))

    def listen(self, hear: Callable[[tuple[HouseEvent, ...]], None]) -> None:
        """Hear what happens in the house, whichever process wrote it."""
        self._listeners.append(hear)

    async def ask(self, act: HouseAct, stamp: Stamp) -> h.HouseDecision:
        """Have the house decide; what is answered is durable."""
        key = f"desk/{secrets.token_hex(12)}"
        answer: asyncio.Future[h.HouseDecision | None] = asyncio.get_running_loop().create_future()
        self._answers[key] = answer
        self._receive(h.HouseAsked(key, act, stamp))
        decision = await answer
        if decision is None:
            raise Unreachable("the house could not write it down; nothing was done")
        return decision

    def look(self) -> None:
        """Read what other processes have written."""
        self._receive(h.HouseLook())

    async def stop(self) -> None:
        while self._tasks:
            await asyncio.wait(self._tasks)

    def _receive(self, message: h.HouseMessage) -> None:
        effects = self._owner.handle(self._wall_ms(), message)
        self.state = self._owner.state
        for effect in effects:
            match effect:
                case h.HouseAnswered():
                    answer = self._answers.pop(effect.key)
                    if not answer.done():
                        answer.set_result(effect.decision)
                case h.HouseHappened():
                    for hear in self._listeners:
                        hear(effect.events)
                case _:
                    task = asyncio.create_task(self._carry_out(effect))
                    self._tasks.add(task)
                    task.add_done_callback(self._tasks.discard)

    async def _carry_out(self, effect: h.HouseEffect) -> None:
        match effect:
            case h.AppendHouse():
                self._receive(h.HouseWritten(await self._append(effect)))
            case h.ReadOn():
                try:
                    records = [record async for record in self._journal.read(HOUSE, effect.after)]
                except Exception:
                    log.exception("the house could not be read")
                    records = []
                self._receive(h.HouseRead(records))
            case h.Unsure():
                await asyncio.sleep(PATIENCE_S)
                self._receive(h.HouseLook())
            case h.SaveHouse():
                try:
                    await self._journal.save_snapshot(snapshot_at(effect.head, self._build, effect.mark))
                except Exception:
                    log.exception("the house's snapshot could not be saved")

    async def _append(self, effect: h.AppendHouse) -> AppendOutcome:
        try:
            return await self._journal.append(HOUSE, effect.expected_version, [effect.record])
        except Exception as error:
            log.exception("an append to the house failed")
            return Unknown(str(error))
