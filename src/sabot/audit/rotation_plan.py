"""What the next part of a journal opens with, when it is rotated.

Each stream opens with its newest snapshot. One of a table or of the house counts only if all that fell out of its state
before is on the shelf, as for an owner. The papers of the house go along, since any number may be asked for at any
time. The ring of keys goes along whole, since it is read before anything else.
"""

from collections.abc import Iterator

from sabot.audit.kept_sums import SumReader
from sabot.audit.part_cutter import DAYS, MONTHS, PARTS, name_at
from sabot.floor.records.house_shelf import PAPERS, PAPERS_TO, keep_papers
from sabot.floor.records.openings import opening_of
from sabot.floor.records.record_codec import HOUSE, table_of, tournament_of
from sabot.floor.records.recovery import (
    house_mark,
    kept_house,
    kept_table,
    kept_tournament,
    recover_house,
    recover_snapshot,
    recover_table,
    recover_tournament,
    snapshot_at,
    table_mark,
    tournament_mark,
)
from sabot.floor.records.shelf import SHELF, SHELVED_TO
from sabot.floor.records.shelf_reading import derive_again
from sabot.floor.records.state_form import SNAPSHOT_FORM
from sabot.floor.shared_owner.keeping import mark_at_once
from sabot.house.state import PapersAway
from sabot.journal.journal import Journal, ReadableJournal, Snapshot, record_at
from sabot.journal.keys import SigningKey
from sabot.journal.parts import NameRange, RotationPlan
from sabot.table.state import Unconfigured

KEPT_BACK_MS = 72 * 3_600_000
"""How far back the sums of parts of gaming days go along, and all of the open day; those of days and months all do."""


async def rotation_plan(journal: ReadableJournal, key: SigningKey, at_ms: int) -> RotationPlan:
    openings, carried = [], list[NameRange]()
    for stream in await journal.streams():
        snapshot = await usable_snapshot(journal, stream)
        if snapshot is not None:
            openings.append(opening_of(snapshot))
        if stream == HOUSE:
            carried.append(NameRange(HOUSE, PAPERS, f"{PAPERS}~"))
        if table_of(stream):
            sums = SumReader(journal, stream)
            carried += _carried(stream, min(await sums.head_ms() - KEPT_BACK_MS, await sums.open_since_ms()))
    return RotationPlan(openings, carried, key.public.id, key.sign, at_ms)


async def usable_snapshot(journal: ReadableJournal, stream: str) -> Snapshot | None:
    """The newest snapshot of a stream from which this program would start."""
    snapshot = await journal.newest_snapshot(stream, SNAPSHOT_FORM)
    if snapshot is None:
        return None
    if table_of(stream):
        shelved = await journal.derived(stream, SHELVED_TO)
        kept: object = kept_table(snapshot) if shelved is not None and shelved.version >= snapshot.version else None
    elif stream == HOUSE:
        shelved, house = await journal.derived(HOUSE, PAPERS_TO), kept_house(snapshot)
        is_shelved = shelved is not None and shelved.version >= snapshot.version
        kept = house if is_shelved or house is None or house.away == PapersAway() else None
    else:
        kept = kept_tournament(snapshot)
    record = await record_at(journal, stream, snapshot.version)
    return snapshot if kept is not None and record is not None and record.hash == snapshot.hash else None


async def make_snapshots(journal: Journal) -> None:
    """Keep a snapshot of every stream that has none at its end, of a journal that no owner writes to."""
    for stream in await journal.streams():
        kept, head = await usable_snapshot(journal, stream), await journal.head(stream)
        if kept is None or kept.version < head.version:
            if table_of(stream):
                await _make_of_table(journal, stream)
            elif stream == HOUSE:
                house = await recover_house(journal)
                await keep_papers(journal, house.head.version, house.away)
                mark = mark_at_once(house_mark(house.state, house.now_ms))
                await journal.save_snapshot(snapshot_at(house.head, mark))
            elif (name := tournament_of(stream)) is not None:
                found = await recover_tournament(journal, name)
                mark = mark_at_once(tournament_mark(found.state, found.now_ms))
                await journal.save_snapshot(snapshot_at(found.head, mark))


async def _make_of_table(journal: Journal, stream: str) -> None:
    """As an owner does: first all that fell out of the state goes on the shelf."""
    table = await recover_table(journal, stream)
    if isinstance(table.state, Unconfigured):
        return
    state, begun, *_ = await recover_snapshot(journal, stream)
    await derive_again(journal, stream, table.head.version, begun.version, state)
    mark = table_mark(table.state, table.n, table.now_ms)
    await journal.save_snapshot(snapshot_at(table.head, mark))


def _carried(stream: str, since_ms: int) -> Iterator[NameRange]:
    """Derived values that are looked for at any time, or whose absence says something: slips that were never used."""
    yield NameRange(stream, SHELVED_TO, SHELVED_TO)
    yield NameRange(stream, f"{SHELF}slip/", f"{SHELF}slip/~")
    for kind in (MONTHS, DAYS):
        yield NameRange(stream, f"{kind}/", f"{kind}/~")
    yield NameRange(stream, name_at(PARTS, since_ms), f"{PARTS}/~")
