"""Taking a table: becoming its owner, and reading what its records make of it.

The taking comes first and the reading second, so that nothing can be added in between. What is read also tells when
the owner before died, which decides what becomes of a coup that was open (CROWN 11.14 to 11.16).
"""

from collections.abc import Mapping

import msgspec

from sabot.floor.records.record_codec import is_line, line_of, read_answer, read_events
from sabot.floor.records.recovery import BrokenChain, last_events, linked, recover_snapshot
from sabot.floor.records.shelf import Falling
from sabot.floor.records.shelf_reading import KEPT_AT_ONCE, put_on_shelf
from sabot.journal.journal import Derived, Journal, Lease
from sabot.journal.ownership import Ownership, StreamNotTaken, take, taking_of
from sabot.journal.record import Record
from sabot.table.events import Event, WagersSettled
from sabot.table.state import AnyTable, TableState

TOLD_AGAIN = 512
"""How many of the newest records the house is told of again: more than one owner's batches can have left untold."""
_RESTART = "restart/"


class Taken(msgspec.Struct, frozen=True):
    """A table as its new owner finds it."""

    ownership: Ownership
    state: AnyTable
    at_ms: int
    """The time of the newest record, which nothing that follows may precede."""
    last_sign_ms: int
    """When the last owner that served the table was known to be alive."""
    lately: tuple[Event, ...]
    """What happened in the newest records."""
    lines: int
    """The number of the last line that was asked here."""
    fallen: Mapping[str, Derived] = {}
    """What fell out of the state in the records that were read, as far as it is not on the shelf."""
    coups_read: int = 0
    """Settled coups in the records that were read. An owner that dies early leaves them to be read again."""


class SignsOfLife:
    """Follows the records, and says when the last owner that served the table was known to be alive.

    A lease is evidence only for the owner whose epoch it has. A later owner may have held one and died before it did
    anything, and its sign of life must not count as the earlier owner's. Until a restart is on record the earliest sign
    counts, since no owner in between has served anybody.
    """

    def __init__(self, epoch: int, at_ms: int) -> None:
        self._epoch, self._at_ms = epoch, at_ms
        self._last_sign_ms: int | None = None

    @property
    def last_ms(self) -> int:
        return self._at_ms if self._last_sign_ms is None else self._last_sign_ms

    def see(self, record: Record, journal_ahead_ms: int = 0) -> None:
        """A sign of life is dated by the clock of the leases, which had been put forward by `journal_ahead_ms`."""
        taken = taking_of(record)
        if taken is not None:
            before = taken.before
            is_evidence = before is not None and before.epoch == self._epoch
            sign = before.renewed_ms - journal_ahead_ms if before is not None and is_evidence else self._at_ms
            self._last_sign_ms = sign if self._last_sign_ms is None else min(self._last_sign_ms, sign)
        elif record.entry.key.startswith(_RESTART):
            self._last_sign_ms = None
        self._epoch, self._at_ms = record.epoch, record.entry.at_ms


def restart_key(epoch: int) -> str:
    return f"{_RESTART}{epoch}"


async def take_table(
    journal: Journal, stream: str, owner: str, ttl_ms: int, held: Lease | None = None
) -> Taken | StreamNotTaken:
    """Try once to take a table; an owner that holds a lease lets go of it first."""
    if held is not None:
        await journal.release_lease(held)
    ownership = await take(journal, stream, owner, ttl_ms)
    return ownership if isinstance(ownership, StreamNotTaken) else await _read(journal, ownership)


async def _read(journal: Journal, ownership: Ownership) -> Taken:
    end = ownership.head
    state, head, lines, at_ms, _ = await recover_snapshot(journal, end.stream)
    falling = Falling(end.stream)
    lately = await last_events(journal, head, TOLD_AGAIN) if head.version else []
    signs, coups = SignsOfLife(head.epoch, at_ms), 0
    async for record in journal.read(end.stream, head.version, end.version):
        head = linked(head, record)
        signs.see(record, state.journal_ahead_ms if isinstance(state, TableState) else 0)
        accepted = read_answer(record).accepted
        events = () if accepted is msgspec.UNSET else read_events(accepted)
        state = falling.evolve(state, events, record.version)
        coups += sum(type(event) is WagersSettled for event in events)
        if len(falling.values) >= KEPT_AT_ONCE:
            await put_on_shelf(journal, falling.values)
            falling.values.clear()
        if end.version - record.version < TOLD_AGAIN:
            lately += events
        if is_line(record.entry.key):
            lines = line_of(record.entry.key)
        at_ms = max(at_ms, record.entry.at_ms)
    if head != end:
        raise BrokenChain(f"{end.stream} ends at {head.version}, and the record of its taking is {end.version}")
    return Taken(ownership, state, at_ms, signs.last_ms, tuple(lately), lines, falling.values, coups)
