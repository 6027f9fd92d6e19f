"""A stretch of a stream, proved by itself, so that several processes can work on one stream at a time.

A walk along the chain needs no more than the hash of the record before its first one. Deciding again needs the table as
it stood there. Whoever proves a stretch gets it by believing what the records before it say, which costs much less than
deciding them again. So each stretch is proved under one condition: that all before it is true. Whoever proves the
stretch before it proves just that, down to the first, which believes nothing. `joining` draws the conclusion.
"""

from collections.abc import Mapping
from itertools import pairwise

import msgspec
from msgspec.structs import replace

from sabot.audit.chain import Progress, Walk
from sabot.audit.fast_forward import Believer
from sabot.audit.problem import Problem
from sabot.audit.replay import HouseReplay, HouseTicket, Recount, TableReplay
from sabot.floor.records.record_codec import HOUSE, Started, table_of
from sabot.journal.checkpoint import is_signed_by
from sabot.journal.journal import Damaged, ReadableJournal, SignedCheckpoint, Snapshot
from sabot.journal.keys import PublicKey
from sabot.journal.record import Head, Stored, UnknownForm, read_body, start_of
from sabot.table.state import Ticket


class Stretch(msgspec.Struct, frozen=True):
    stream: str
    after: int
    until: int
    """Versions: the records above the one, up to the other."""
    wanted: tuple[int, ...] = ()
    """Versions whose hashes are to be told."""
    build: str | None = None
    """The digest of the program that decides again; without it only the chain is looked at."""
    as_recorded: bool = False
    """Whether decisions are taken as they were recorded, and only what follows from them is looked at."""
    checkpoints: tuple[SignedCheckpoint, ...] = ()
    """Those of its records."""
    keys: tuple[PublicKey, ...] = ()
    """Keys that may have signed them. Whether they can be trusted is asked elsewhere."""
    snapshot: Snapshot | None = None
    """The state that was kept at one of its records, from which a table of this program would start."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a stretch."""

    before: Head | None
    """The record before it, as it was found; nothing where it could not be read, and the stretch not be begun."""
    head: Head
    """Its last record whose chain is good."""
    hashes: dict[int, bytes] = {}
    owners: int = 0
    started: list[Started] = []
    keys: list[str] = []
    signed: list[SignedCheckpoint] = []
    """The checkpoints that one of the keys has signed."""
    broken: Problem | None = None
    """What is wrong with the chain."""
    believed: bool = False
    """Whether the records before it could be believed, so that its own could be decided again."""
    replayed: int = 0
    """The last record that was decided again, if any was."""
    wrong: Problem | None = None
    """What is wrong with what the records say."""
    unbalanced: Problem | None = None
    """What does not add up at the end."""
    issued: Mapping[str, Ticket] = {}
    """A table's tickets at the end."""
    registered: Mapping[str, HouseTicket] = {}
    """Those of the house."""


def split(whole: Stretch, pieces: int) -> list[Stretch]:
    """Stretches that take the same time, each shorter than the one before it by what it costs to believe that.

    What a house knows cannot be believed coup by coup, and need not be: it has few records.
    """
    cost = BELIEVING_RECORDED if whole.as_recorded else BELIEVING
    later = 1.0 if whole.build is None else 1 - cost
    weights = [later**place for place in range(pieces if table_of(whole.stream) else 1)]
    shares = [sum(weights[:place]) / sum(weights) for place in range(len(weights) + 1)]
    marks = dict.fromkeys(round(whole.until * share) for share in shares)
    return [_part(whole, after, until) for after, until in pairwise(marks)] or [whole]


def _part(whole: Stretch, after: int, until: int) -> Stretch:
    return replace(
        whole,
        after=after,
        until=until,
        wanted=tuple(version for version in whole.wanted if after < version <= until),
        checkpoints=tuple(one for one in whole.checkpoints if after < one.head.version <= until),
        snapshot=whole.snapshot if whole.snapshot and after < whole.snapshot.version <= until else None,
    )


BELIEVING = 0.23
"""What it costs to believe a record, for each second that it takes to prove one."""
BELIEVING_RECORDED = 0.35
"""The same where proving is less work."""


async def prove(journal: ReadableJournal, stretch: Stretch, progress: Progress) -> Finding:
    """Prove what can be proved of a stretch under the condition that all before it is true."""
    replay = _replay_of(stretch)
    before, believed = await _come_to(journal, stretch, replay)
    if before is None:
        return Finding(before=None, head=Head(stretch.stream, stretch.after, b""))
    walk = Walk(before, stretch.until, stretch.wanted, replay if believed else None)
    await walk.to_the_end(journal, progress)
    decided = replay if believed and walk.objection is None else None
    return Finding(
        before=before,
        head=walk.head,
        hashes=walk.hashes,
        owners=walk.owners,
        started=walk.started,
        keys=list(walk.keys),
        signed=[one for one in stretch.checkpoints if any(is_signed_by(one, key) for key in stretch.keys)],
        broken=walk.problem,
        believed=believed or replay is None,
        replayed=walk.followed if replay and believed else 0,
        wrong=walk.objection,
        unbalanced=decided.end(walk.head.version) if decided else None,
        issued=decided.state.tickets if isinstance(decided, TableReplay) else {},
        registered=decided.tickets() if isinstance(decided, HouseReplay) else {},
    )


def _replay_of(stretch: Stretch) -> TableReplay | HouseReplay | None:
    if stretch.build is None:
        return None
    if stretch.stream == HOUSE:
        return HouseReplay(stretch.snapshot)
    if table_of(stretch.stream) is None:
        return None
    return (Recount if stretch.as_recorded else TableReplay)(stretch.stream, stretch.build, stretch.snapshot)


async def _come_to(
    journal: ReadableJournal, stretch: Stretch, replay: TableReplay | HouseReplay | None
) -> tuple[Head | None, bool]:
    """The record before the stretch, and whether the table could be brought to where it stood there."""
    stream, after = stretch.stream, stretch.after
    if after == 0:
        return start_of(stream), replay is not None
    believer = Believer(replay) if isinstance(replay, TableReplay) else None
    last: Stored | None = None
    try:
        async for page in journal.stored(stream, 0 if believer else after - 1, after):
            if believer is not None:
                for version, _, body, _, _ in page:
                    believer.hear(version, body)
            last = page[-1]
        if last is None or last[0] != after:
            return None, False
        epoch, _ = read_body(last[2])
    except (Damaged, UnknownForm):
        return None, False
    return Head(stream, after, last[4], epoch), believer is not None and believer.comes_to_the_end()
