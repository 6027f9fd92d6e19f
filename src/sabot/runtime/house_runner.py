"""The house's desk: commands to the house, decided and written one by one.

Several processes may have a desk. Each decides on what it has read and writes behind exactly that; whoever was
overtaken reads on and decides again. So there is one order, no lease, and nothing to take over.
"""

import asyncio
import secrets
from collections.abc import Callable

import msgspec
import structlog

from sabot.floor.records.record_codec import HOUSE, entry_of, read_answer, read_house_events, read_refusal
from sabot.floor.records.recovery import (
    HOUSE_SNAPSHOT_EVERY,
    house_after_record,
    house_mark,
    linked,
    recall_house,
    snapshot_at,
)
from sabot.house.commands import Command
from sabot.house.decide import decide
from sabot.house.events import HouseEvent
from sabot.house.refusal import Refused
from sabot.house.state import HouseState
from sabot.journal.journal import Appended, Journal
from sabot.journal.record import Record, start_of

log = structlog.get_logger(__name__)

PATIENCE_S = 0.05
"""Before a desk tries again whose outcome is unknown."""
Decision = tuple[HouseEvent, ...] | Refused


class Unreachable(Exception):
    """The journal did not take the record; nothing was answered, and nothing may be taken as done."""


class HouseDesk:
    def __init__(self, journal: Journal, build: str, wall_ms: Callable[[], int]) -> None:
        self.state = HouseState()
        self.head = start_of(HOUSE)
        self._journal, self._build, self._wall_ms = journal, build, wall_ms
        self._at_ms = 0
        self._lines = 0
        """How many lines of a conversation the house has answered; a desk adds none, and hands the count on."""
        self._saved = 0
        """The version of the newest snapshot."""
        self._turn = asyncio.Lock()
        self._listeners: list[Callable[[tuple[HouseEvent, ...]], None]] = []

    async def open(self) -> None:
        """Read what the house knows, and save it, so that nobody reads it again."""
        self.state, self.head, self._lines, self._at_ms = await recall_house(self._journal, self._build)
        await self._save()

    def listen(self, hear: Callable[[tuple[HouseEvent, ...]], None]) -> None:
        """Hear what happens in the house, whichever process wrote it."""
        self._listeners.append(hear)

    async def ask(self, command: Command, tries: int = 20) -> Decision:
        """Have the house decide. News that changes nothing is no news, and is not written."""
        key = f"desk/{secrets.token_hex(12)}"
        async with self._turn:
            if self.head.version - self._saved >= HOUSE_SNAPSHOT_EVERY:
                await self._save()
            for _ in range(tries):
                self._at_ms = max(self._at_ms, self._wall_ms())
                stamped = msgspec.structs.replace(command, at_ms=self._at_ms)
                decision = decide(self.state, stamped)
                happened = decision.leaves if isinstance(decision, Refused) else decision
                if not happened and stamped.by == "clock":
                    return decision
                records = self.head.then(self.head.epoch, [entry_of(key, stamped, decision)])
                outcome = await self._journal.append(HOUSE, self.head.version, records)
                if isinstance(outcome, Appended):
                    self._take_in(records[0])
                    return decision
                if (recorded := await self._read_on(key)) is not None:
                    return recorded
                await asyncio.sleep(PATIENCE_S)
        raise Unreachable("the house could not write it down; nothing was done")

    async def read_on(self) -> None:
        """Read what other processes have written."""
        async with self._turn:
            await self._read_on("")

    async def _read_on(self, key: str) -> Decision | None:
        """Read to the end; what is recorded under the key, if it is there."""
        decision: Decision | None = None
        async for record in self._journal.read(HOUSE, self.head.version):
            self._take_in(record)
            if record.entry.key == key:
                decision = _decision(record)
        return decision

    async def _save(self) -> None:
        if self.head.version:
            mark = house_mark(self.state, self._lines, self._at_ms)
            await self._journal.save_snapshot(snapshot_at(self.head, self._build, mark))
        self._saved = self.head.version

    def _take_in(self, record: Record) -> None:
        self.head = linked(self.head, record)
        self.state = house_after_record(self.state, record)
        self._at_ms = max(self._at_ms, record.entry.at_ms)
        events = read_house_events(read_answer(record.entry))
        if events:
            for hear in self._listeners:
                hear(events)


def _decision(record: Record) -> Decision:
    answer = read_answer(record.entry)
    if answer.refused is msgspec.UNSET:
        return read_house_events(answer)
    refused = read_refusal(answer.refused)
    return Refused(refused.code, refused.clause, refused.text, leaves=read_house_events(answer))
