"""Proves one stretch of a stream by itself, so that several processes can verify one stream at a time.

Checking the chain needs only the hash of the record before the stretch. Deciding again needs the state of the table at
that record, which `fast_forward` computes from the recorded events without checking them, much faster than deciding.
So each stretch is proved on the condition that all records before it are right. The stretch before it proves that, and
the first has no condition. `conclusion` combines the findings.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

import msgspec
from msgspec.structs import replace

from sabot.audit.agreement import NoteOnRecord, ScoreOnRecord, SlipOnRecord
from sabot.audit.chain import Beside, OnProgress, Walk
from sabot.audit.checkpoint_check import CheckpointFinding, CheckpointWalk
from sabot.audit.fast_forward import FastForward
from sabot.audit.key_order import EveryKey, KeyOrder, KeySpan
from sabot.audit.problem import Problem, ProblemKind
from sabot.audit.replay import Recount, TableReplay
from sabot.audit.shared_replay import HouseReplay, HouseTicket, TournamentReplay
from sabot.audit.tickets_in import CreditOnRecord, Escrows
from sabot.floor.records.record_codec import HOUSE, table_of, tournament_of
from sabot.journal.journal import Damaged, ReadableJournal, Snapshot
from sabot.journal.keys import PublicKey
from sabot.journal.record import OLDEST, Head, Stored, UnknownForm, read_body, start_of
from sabot.table.accounts.state import TableTicket

StreamReplay = TableReplay | HouseReplay | TournamentReplay


class Stretch(msgspec.Struct, frozen=True):
    stream: str
    after: int
    until: int
    """Versions: the stretch holds the records above `after`, up to `until`."""
    wanted: tuple[int, ...] = ()
    """Versions whose hashes are reported."""
    build: str | None = None
    """The digest of the program that decides again; without it only the chain is checked."""
    as_recorded: bool = False
    """Whether decisions are taken as recorded, and only their consequences are checked."""
    signed: int = 0
    """The version of the newest checkpoint that counts."""
    is_last: bool = True
    """Whether checkpoints beyond its end are beyond the end of the stream."""
    keys: tuple[PublicKey, ...] = ()
    """Keys that may have signed the checkpoints; whether they are trusted is decided in `verify`."""
    every_key: bool = False
    """Whether the keys of all records are remembered, because their order does not show that none is used twice."""
    snapshots: tuple[Snapshot, ...] = ()
    """States that were kept at its records: the snapshot from which this program would start, and those with which
    parts of the journal open."""
    opening: Snapshot | None = None
    """The state with which the first part opens that is here, where earlier ones are not; nothing before it is read."""

    @property
    def is_opened(self) -> bool:
        """Whether it begins with that state."""
        return self.opening is not None and self.after == self.opening.version


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """The result for one stretch."""

    before: Head | None
    """The record before the stretch; nothing where it could not be read, so that the stretch was not checked."""
    head: Head
    """The last record with a good chain."""
    hashes: dict[int, bytes] = {}
    owners: int = 0
    rings: tuple[tuple[str, ...], ...] = ()
    keys: KeySpan | None = None
    """Nothing where it is not certain that every key is used once."""
    checkpoints: CheckpointFinding = CheckpointFinding()
    broken: Problem | None = None
    """The problem of the chain."""
    believed: bool = False
    """Whether the state before the stretch could be computed, so that its records could be checked."""
    replayed: int = 0
    """The last record whose content was checked, if any was."""
    older: int = 0
    """How many of them hold decisions of an earlier form, which were taken as recorded."""
    other_rule_sets: int = 0
    """How often another program configured the table with a rule set of another digest than this program's."""
    wrong: Problem | None = None
    """The problem of the records' content."""
    unbalanced: Problem | None = None
    """What does not add up after the last record."""
    issued: Mapping[str, TableTicket] = {}
    """A table's tickets after the last record."""
    registered: Mapping[str, HouseTicket] = {}
    """The house's tickets after the last record."""
    scored: list[ScoreOnRecord] = []
    """The scores of tournament sessions in a table's stretch."""
    credited: list[CreditOnRecord] = []
    """The tickets that stations took in, in a table's stretch."""
    escrows: Escrows = Escrows()
    """The escrows of the house after the last record."""
    notes: list[NoteOnRecord] = []
    """What a tournament noted of scores."""
    slips: Mapping[str, SlipOnRecord] = {}
    """The slips of the house, or of a tournament, after the last record."""
    named: tuple[str, ...] = ()
    """The streams of the tables and tournaments that the house knows."""


def split(whole: Stretch, pieces: int) -> list[Stretch]:
    """Stretches that take the same time: each is shorter than the one before it, by the cost of fast-forwarding to it.

    Shared streams stay whole: they have few records, and fast-forwarding is made for tables.
    """
    cost = FAST_FORWARD_COST_RECORDED if whole.as_recorded else FAST_FORWARD_COST
    later = 1.0 if whole.build is None else 1 - cost
    weights = [later**place for place in range(pieces if table_of(whole.stream) else 1)]
    shares = [sum(weights[:place]) / sum(weights) for place in range(len(weights) + 1)]
    marks = dict.fromkeys(whole.after + round((whole.until - whole.after) * share) for share in shares)
    return [_part(whole, after, until) for after, until in pairwise(marks)] or [whole]


def _part(whole: Stretch, after: int, until: int) -> Stretch:
    return replace(
        whole,
        after=after,
        until=until,
        is_last=until == whole.until,
        wanted=tuple(version for version in whole.wanted if after < version <= until),
        snapshots=tuple(one for one in whole.snapshots if after < one.version <= until),
    )


_UNOPENED = "the state with which the part opens cannot be read, or is not of this record"
FAST_FORWARD_COST = 0.23
"""The time to fast-forward over a record, as a share of the time to prove it."""
FAST_FORWARD_COST_RECORDED = 0.35
"""The same where decisions are taken as recorded, which is less work."""


async def prove(journal: ReadableJournal, stretch: Stretch, progress: OnProgress) -> Finding:
    """Check a stretch, on the condition that all records before it are right."""
    replay = _replay_of(stretch)
    before, believed, form = await _come_to(journal, stretch, replay)
    if before is None:
        return Finding(before=None, head=Head(stretch.stream, stretch.after, b""))
    keys = EveryKey() if stretch.every_key else KeyOrder(before)
    vouching = CheckpointWalk(before, stretch.signed, stretch.keys)
    beside = Beside(replay if believed else None, keys, vouching)
    walk = Walk(before, stretch.until, stretch.wanted, form, beside)
    await walk.to_the_end(journal, progress)
    if not keys.is_sure:
        return Finding(before=before, head=walk.head)
    decided = replay if believed and walk.objection is None else None
    is_unopened = replay is not None and not believed and stretch.is_opened
    wrong = Problem(stretch.stream, before.version, ProblemKind.PART, _UNOPENED) if is_unopened else walk.objection
    if isinstance(decided, TableReplay) and stretch.is_last and walk.problem is None:
        wrong = await decided.past.differs(journal, walk.head.version)
    return Finding(
        before=before,
        head=walk.head,
        hashes=walk.hashes,
        owners=walk.owners,
        rings=tuple(walk.rings),
        keys=keys.span(),
        checkpoints=await vouching.end(journal, stretch.until, is_last=stretch.is_last),
        broken=walk.problem,
        believed=believed or replay is None or is_unopened,
        replayed=walk.followed if replay and believed else 0,
        older=replay.older if replay else 0,
        other_rule_sets=replay.other_rule_sets if isinstance(replay, TableReplay) else 0,
        wrong=wrong,
        unbalanced=decided.end(walk.head.version) if decided else None,
        issued=decided.past.issued if isinstance(decided, TableReplay) else {},
        registered=decided.tickets() if isinstance(decided, HouseReplay) else {},
        scored=decided.scored if isinstance(decided, TableReplay) else [],
        credited=decided.credited if isinstance(decided, TableReplay) else [],
        escrows=decided.escrows if isinstance(decided, HouseReplay) else Escrows(),
        notes=decided.notes if isinstance(decided, TournamentReplay) else [],
        slips=_slips_of(decided),
        named=decided.named() if isinstance(decided, HouseReplay) else (),
    )


async def prove_all(
    journal: ReadableJournal,
    stretches: Sequence[Stretch],
    progress: OnProgress,
    proved: Callable[[Finding], None] = lambda _: None,
) -> list[Finding]:
    """Prove stretches one after the other, and report their progress together."""
    of, done, findings = sum(stretch.until - stretch.after for stretch in stretches), 0, list[Finding]()
    for stretch in stretches:
        started = done - stretch.after

        def tell(stream: str, version: int, _until: int, started: int = started) -> None:
            progress(stream, started + version, of)

        findings.append(await prove(journal, stretch, tell))
        proved(findings[-1])
        done += stretch.until - stretch.after
    return findings


def _slips_of(decided: StreamReplay | None) -> Mapping[str, SlipOnRecord]:
    if isinstance(decided, HouseReplay):
        return decided.slips()
    return decided.slips if isinstance(decided, TournamentReplay) else {}


def _replay_of(stretch: Stretch) -> StreamReplay | None:
    if stretch.build is None:
        return None
    if stretch.stream == HOUSE:
        return HouseReplay(stretch.snapshots)
    if tournament_of(stretch.stream) is not None:
        return TournamentReplay(stretch.stream, stretch.snapshots)
    if table_of(stretch.stream) is None:
        return None
    return (Recount if stretch.as_recorded else TableReplay)(stretch.stream, stretch.build, stretch.snapshots)


async def _come_to(
    journal: ReadableJournal, stretch: Stretch, replay: StreamReplay | None
) -> tuple[Head | None, bool, int]:
    """The record before the stretch, whether the replay could be brought to the state after it, and its form."""
    stream, after, opening = stretch.stream, stretch.after, stretch.opening
    if after == 0:
        return start_of(stream), replay is not None, OLDEST
    begins = 0 if opening is None else opening.version
    is_begun = opening is None or replay is None or replay.begin_from(opening)
    forward = FastForward(replay) if isinstance(replay, TableReplay) and after > begins else None
    last: Stored | None = None
    try:
        async for page in journal.stored(stream, begins if forward else after - 1, after):
            if forward is not None:
                for version, _, body, _, _ in page:
                    forward.take(version, body)
            last = page[-1]
        if last is None or last[0] != after:
            return None, False, OLDEST
        form, epoch, _ = read_body(last[2])
    except (Damaged, UnknownForm):
        return None, False, OLDEST
    before = Head(stream, after, last[4], epoch)
    if stretch.is_opened and opening is not None:
        return before, is_begun and replay is not None and opening.hash == before.hash, form
    return before, is_begun and forward is not None and forward.finish(), form
