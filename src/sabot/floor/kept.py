"""A kept table: what it answers is in the journal before anybody hears it.

It does no input or output of its own; everything outside goes through the journal it is given. When the journal does
not say that the records are durable, the table forgets itself: nobody is answered, and whoever wants to go on brings it
back from the journal.
"""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from sabot.floor.pit import HOUSE_VERBS, Pit, PitTable
from sabot.floor.records.record_codec import HOUSE, Scribe, Started, started_entry, table_stream
from sabot.floor.records.recovery import (
    HOUSE_SNAPSHOT_EVERY,
    TABLE_SNAPSHOT_EVERY,
    house_mark,
    last_events,
    recall_house,
    recall_table,
    snapshot_at,
    table_mark,
)
from sabot.floor.table_owner.take_over import restart_key
from sabot.journal.checkpoint import sign
from sabot.journal.journal import Appended, Conflict, Journal, SignedCheckpoint
from sabot.journal.keys import SigningKey
from sabot.journal.ownership import NotTaken, Ownership, take
from sabot.journal.record import Entry, Head, head_after
from sabot.table.configuration import Configuration
from sabot.table.conversation import Answer
from sabot.table.events import Event, WagersSettled

LEASE_MS = 10_000
RENEW_MS = 2_000
MOST_AT_ONCE = 256


class NotKept(Exception):
    """The journal did not take the records, or belongs to somebody else: one sentence for a person."""


class Keeper(msgspec.Struct, frozen=True):
    """Who keeps a table, and with what."""

    owner: str
    build: str
    """The digest of the program; it is also the form of the snapshots."""
    now_ms: Callable[[], int]
    key: SigningKey | None = None
    anchor: Callable[[Sequence[Head], Sequence[SignedCheckpoint]], None] | None = None
    """Told of every checkpoint's heads, to keep them somewhere else."""


class KeptTable:
    """A table of a pit with its journal; made by `keep`."""

    def __init__(
        self, journal: Journal, keeper: Keeper, talk: PitTable, scribe: Scribe, owned: list[Ownership]
    ) -> None:
        self.talk = talk
        self._journal, self._keeper, self._scribe = journal, keeper, scribe
        self._leases = [one.lease for one in owned]
        self._heads = {one.head.stream: one.head for one in owned}
        self._unsaved = 0
        """Settled coups since the table's last snapshot."""
        self._house_saved = self._heads[HOUSE].version
        self._forgotten = False
        self.found: tuple[Event, ...] = ()
        """What became of the table as it was brought back."""

    async def answer(self, lines: Sequence[dict[str, Any]]) -> list[Answer]:
        """Answer lines in order. Those that came together are written together, and answered when they are durable."""
        answers: list[Answer] = []
        waiting: dict[str, list[Entry]] = {}
        for line in lines:
            to_house = line.get("do") in HOUSE_VERBS
            if to_house or len(answers) % MOST_AT_ONCE == 0:
                await self._write(waiting)
            answer = self.talk.answer(line)
            for stream, entries in self._scribe.entries(line):
                waiting.setdefault(stream, []).extend(entries)
            if to_house:
                await self._write(waiting)
            answers.append(answer)
        await self._write(waiting)
        settled = sum(isinstance(event, WagersSettled) for answer in answers for event in answer.events)
        if settled:
            await self._vouch()
            self._unsaved += settled
            if self._unsaved >= TABLE_SNAPSHOT_EVERY:
                await self._save_table()
        if self._heads[HOUSE].version - self._house_saved >= HOUSE_SNAPSHOT_EVERY:
            await self._save_house()
        return answers

    async def renew(self) -> None:
        """Say that the owner lives; who finds that somebody else has taken over must not answer any more."""
        renewed = await self._journal.renew_leases(self._leases, LEASE_MS)
        if len(renewed) < len(self._leases):
            self._forgotten = True
            raise NotKept(f"somebody else has taken table {self.talk.name} over")
        self._leases = renewed

    async def close(self) -> None:
        """Leave everything in order: snapshots, a checkpoint, and the lease free for the next owner.

        A table that has forgotten itself vouches for nothing; its lease runs out by itself.
        """
        if self._forgotten:
            return
        await self._save_table()
        await self._save_house()
        await self._vouch()
        for lease in self._leases:
            await self._journal.release_lease(lease)

    async def _write(self, waiting: dict[str, list[Entry]]) -> None:
        for stream, entries in waiting.items():
            head = self._heads[stream]
            records = head.then(head.epoch, entries)
            outcome = await self._journal.append(stream, head.version, records)
            if not isinstance(outcome, Appended):
                self._forgotten = True
                why = "somebody else has written to it" if isinstance(outcome, Conflict) else outcome.why
                raise NotKept(f"nothing was answered, for {stream} could not be written: {why}")
            self._heads[stream] = head_after(records[-1])
        waiting.clear()

    async def begin(self, *, is_new: bool) -> None:
        """Say in each stream what program runs here and which key signs, then what there is to say of the table.

        The house's snapshot is brought up to date, so that nobody reads again what was read now, however often an
        owner dies young.
        """
        keeper, now = self._keeper, self._keeper.now_ms()
        started = Started(keeper.build, tuple(one.line for one in keeper.key.ring) if keeper.key else ())
        for head in list(self._heads.values()):
            await self._write({head.stream: [started_entry(started, keeper.owner, head.epoch, now)]})
        self.found = () if is_new else tuple(event for record in self.talk.records for event in record.events)
        epoch = self._heads[table_stream(self.talk.name)].epoch
        await self._write(dict(self._scribe.entries(since="" if is_new else restart_key(epoch))))
        await self._save_house()

    async def _vouch(self) -> None:
        keeper, heads = self._keeper, list(self._heads.values())
        signed = [sign(head, keeper.now_ms(), keeper.key) for head in heads] if keeper.key else []
        for checkpoint in signed:
            await self._journal.save_checkpoint(checkpoint)
        if keeper.anchor is not None:
            keeper.anchor(heads, signed)

    async def _save_table(self) -> None:
        talk, head = self.talk, self._heads[table_stream(self.talk.name)]
        mark = table_mark(talk.state, talk.n, talk.now_ms)
        await self._journal.save_snapshot(snapshot_at(head, self._keeper.build, mark))
        self._unsaved = 0

    async def _save_house(self) -> None:
        head, scribe = self._heads[HOUSE], self._scribe
        mark = house_mark(self.talk.pit.house, scribe.house_n, scribe.house_ms)
        await self._journal.save_snapshot(snapshot_at(head, self._keeper.build, mark))
        self._house_saved = head.version


async def keep(journal: Journal, configuration: Configuration, keeper: Keeper) -> KeptTable:
    """Take a table and its house in hand: nobody else may hold them, and what they recorded is where they go on.

    All that can be wrong with the journal, the key or the configuration is found before anything is written.
    """
    house = await recall_house(journal, keeper.build)
    table = await recall_table(journal, table_stream(configuration.table), keeper.build)
    await _check_key(journal, table.head.stream, keeper.key)
    pit = Pit(house.state, house.now_ms)
    pit.tournaments = None
    is_new = table.state.configuration is None
    if is_new:
        talk = pit.enter(configuration)
    else:
        lately = await last_events(journal, table.head, 2 * MOST_AT_ONCE)
        talk = pit.bring_back(configuration.table, table.state, table.n, table.now_ms, lately)
    talk.build = keeper.build
    owned = await _take_all(journal, keeper.owner, [table.head, house.head])
    kept = KeptTable(journal, keeper, talk, Scribe(talk, house.n, house.now_ms), owned)
    await kept.begin(is_new=is_new)
    return kept


async def _take_all(journal: Journal, owner: str, heads: Sequence[Head]) -> list[Ownership]:
    """All of these streams or none, and each as it was when it was read."""
    owned: list[Ownership] = []
    for head in heads:
        taken = await take(journal, head.stream, owner, LEASE_MS)
        if isinstance(taken, Ownership) and taken.head.version == head.version + 1:
            owned.append(taken)
            continue
        holder = taken.holder.owner if isinstance(taken, NotTaken) and taken.holder else "somebody else"
        for one in [*owned, *([taken] if isinstance(taken, Ownership) else [])]:
            await journal.release_lease(one.lease)
        raise NotKept(
            f"{head.stream} in this journal is held by {holder}; stop that one first, or wait until it lets go"
        )
    return owned


async def _check_key(journal: Journal, stream: str, key: SigningKey | None) -> None:
    """A journal that was signed is signed on by the same key, or by one that it has vouched for."""
    signed = await journal.checkpoints(stream)
    if key is not None and signed and signed[-1].key_id not in {one.key.id for one in key.ring}:
        raise NotKept(
            f"{stream} is signed with key {signed[-1].key_id}, which never vouched for key {key.public.id}: "
            "give its own key, or one that `sabot keys rotate` made from it"
        )
