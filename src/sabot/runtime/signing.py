"""Signs what a running floor writes, up to the head of every stream.

A table is signed with each settled coup by its owner. All the rest is looked at here: the house, the tournaments, the
ring of keys, and the records of a table between coups. A new key is taken up without a restart.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from typing import Protocol

import structlog

from sabot.floor.table_owner.errands import vouch_for
from sabot.journal.keys import BadKey
from sabot.journal.record import Head
from sabot.journal.signer import Signer
from sabot.runtime.key_file import KeyFile
from sabot.runtime.shared_runner import HouseRunner, TournamentRunner
from sabot.runtime.table_runner import RunningTable, TableBacking

log = structlog.get_logger(__name__)

LOOK_S = 1.0
SHARED_MS = 3_000
"""How long the records of a stream that processes share may be unsigned; a signature is one record for all of them."""
TABLE_MS = 30_000
"""The same for a table, which is signed with every settled coup; a table that was just taken is signed sooner."""


class SignedFloor(Protocol):
    """The floor whose streams are signed."""

    backing: TableBacking
    house: HouseRunner
    tables: Mapping[str, RunningTable]

    def tournament_runners(self) -> list[TournamentRunner]: ...

    def raise_alarm(self, table: str, text: str) -> None: ...


class FloorSigning:
    def __init__(self, floor: SignedFloor, signer: Signer, key_file: KeyFile | None = None) -> None:
        self.signer = signer
        self._floor, self._key_file = floor, key_file
        self._signed: dict[str, int] = {}
        """The version that was signed last, by stream."""
        self._since: dict[str, int] = {}
        """When the first record behind it was seen."""
        self._said: str | None = None
        self._key_trouble: str | None = None

    @property
    def trouble(self) -> str | None:
        """What is wrong with the key, in one sentence; with `signer.why_not` nothing is signed and no table taken."""
        return self.signer.why_not or self._key_trouble

    async def sign_for_ever(self) -> None:
        while True:
            await asyncio.sleep(LOOK_S)
            try:
                await self.look()
                await self._sign(self._due)
            except Exception:  # What was not signed is due at the next look.
                log.exception("what was written could not be signed")

    async def look(self) -> None:
        """Take up a key that was replaced, and see whether the ring knows ours by now."""
        try:
            key = None if self._key_file is None else self._key_file.replaced()
        except BadKey as bad:
            self._key_trouble = str(bad)
        else:
            if key is not None:
                self._key_trouble = await self.signer.take_up(key)
                if self._key_trouble is None:
                    log.info("signs with this key from now on", key=key.public.id)
        if self.signer.why_not is not None:
            await self.signer.look()
        self._say()

    async def sign_all(self) -> None:
        """Sign every stream that this process has written, at an orderly stop; without the journal it stays undone."""
        try:
            await self._sign(lambda head, _: head.version > 0)
        except Exception:
            log.exception("not everything could be signed at the stop")

    def _say(self) -> None:
        """Say once what is wrong, and once that it is no more."""
        why = self.trouble
        if why == self._said:
            return
        self._said = why
        if why is None:
            log.info("the ring on record knows the key of this process", key=self.signer.key.public.id)
        elif self.signer.why_not is not None:
            self._floor.raise_alarm("", f"this process takes no table: {why}")
        else:
            self._floor.raise_alarm("", f"this process signs with its old key: {why}")

    async def _sign(self, is_due: Callable[[Head, int], bool]) -> None:
        if self.signer.why_not is not None:
            return
        for head, patience_ms in self._shared_heads():
            if is_due(head, patience_ms):
                await vouch_for(head, self._floor.backing)
                self._signed[head.stream] = head.version
        for table in self._floor.tables.values():
            if table.term is not None and table.vouched != table.term.head.version:
                self._signed[table.term.head.stream] = table.vouched
                if is_due(table.term.head, TABLE_MS if table.vouched else SHARED_MS):
                    table.vouch()

    def _shared_heads(self) -> Iterator[tuple[Head, int]]:
        yield self._floor.house.head, SHARED_MS
        for runner in self._floor.tournament_runners():
            yield runner.head, SHARED_MS
        yield self.signer.ring.head, SHARED_MS

    def _due(self, head: Head, patience_ms: int) -> bool:
        now = self._floor.backing.now()
        if head.version <= self._signed.get(head.stream, 0):
            self._since.pop(head.stream, None)
            return False
        is_due = now - self._since.setdefault(head.stream, now) >= patience_ms
        if is_due:
            del self._since[head.stream]
        return is_due
