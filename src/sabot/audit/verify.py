"""Verifies a journal: the chain, checkpoints and anchor, and that the recorded events follow from the rules.

With keys from elsewhere, a journal is proved only if they vouch for every stream up to its head.

It only reads, up to the heads found at the beginning, so a live table can be verified. The house's head is read before
the tournaments', and theirs before the tables', since whatever one has recorded of the next was recorded there before.
"""

import enum
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from sabot.audit.agreement import other_score, other_slip
from sabot.audit.chain import OnProgress
from sabot.audit.checkpoint_check import check_checkpoints, compare
from sabot.audit.conclusion import Proof, joined
from sabot.audit.part_check import JournalParts, PartVerdict
from sabot.audit.problem import Problem, ProblemKind
from sabot.audit.shared_replay import paid_at_both
from sabot.audit.stretch import Finding, Stretch, prove_all, split
from sabot.audit.sum_check import other_sum
from sabot.audit.tickets_in import credited_otherwise
from sabot.floor.records.record_codec import HOUSE, table_of, table_stream, tournament_of, tournament_stream
from sabot.floor.records.recovery import recover_house
from sabot.floor.records.state_form import SNAPSHOT_FORM
from sabot.journal.checkpoint import newest_checkpoint
from sabot.journal.journal import Damaged, ReadableJournal
from sabot.journal.key_ring import KEYS, RecordedRing
from sabot.journal.keys import PublicKey, RingKey, read_ring_lines, trusted_keys
from sabot.journal.record import Head

LIVE_TAIL_MS = 120_000
"""How long the end of a stream may be unsigned. A floor that runs signs every stream within half a minute; the rest is
for a machine that is slow."""


class Against(msgspec.Struct, frozen=True):
    """What a journal is compared with."""

    build: str
    """The digest of the program that verifies."""
    keys: Sequence[RingKey] = ()
    """Public keys from elsewhere. Without them signatures are checked with the keys that the journal itself names."""
    anchored: Mapping[str, Head] = {}
    """Heads that were kept elsewhere, by stream."""
    tail_ms: int = 0
    """How much time the unsigned end of a stream may span: 0 for a floor that was stopped, which signs everything."""


class Standing(enum.StrEnum):
    """The verdict in a word."""

    PROVED = "proved"
    """Nothing is wrong, and the keys given vouch for every stream."""
    NOT_PROVED = "not_proved"
    """Nothing is wrong, but the keys given do not vouch for all of it."""
    UNVOUCHED = "unvouched"
    """Nothing is wrong, but no keys were given, so nobody vouches for it."""
    WRONG = "wrong"


class Depth(enum.Enum):
    """How much is verified."""

    CHAIN = enum.auto()
    """That no record was changed, removed or inserted."""
    RECORDED = enum.auto()
    """It also checks that the recorded events add up: no coup is settled twice, no money made or lost, no ticket paid
    twice. The newest snapshot and the kept sums must be those that the records give."""
    DECIDED = enum.auto()
    """Besides, that every command, decided again, gives the recorded answer byte for byte."""


class StreamVerdict(msgspec.Struct, frozen=True):
    stream: str
    records: int
    hash: str
    """The hash of the last good record, which can be kept elsewhere and compared later."""
    owners: int
    checkpoints: int
    vouched: int
    """The version of the newest checkpoint."""
    replayed: int
    older: int = 0
    """How many of the records hold decisions of programs of an earlier form, which were taken as recorded."""
    other_rule_sets: int = 0
    """How often another program configured the table with a rule set of another digest than this program's."""
    begins: int = 0
    """The record behind which the proof begins: 0, or where a part opens whose parts before are not here."""


class Verdict(msgspec.Struct, frozen=True):
    ok: bool
    """Whether nothing is wrong and, where keys were given, they vouch for all of it."""
    standing: Standing
    says: str
    """The first sentence of every report."""
    problems: list[Problem]
    """The first problem of each stream."""
    streams: list[StreamVerdict]
    unsigned: list[str]
    """Where the keys given do not vouch for a stream up to its head, in sentences."""
    unproved: list[str]
    """What could not be proved with the keys and anchor given, in sentences."""
    parts: list[PartVerdict] = []
    """The parts of a journal that was rotated."""


ProveStretches = Callable[[Sequence[Stretch]], Awaitable[list[Finding]]]
"""Proves stretches, in one process or several, and returns the findings in the same order."""


class ProvingWorkers(msgspec.Struct, frozen=True):
    """How the work is shared out among processes."""

    prove: ProveStretches
    number: int = 1
    least: int = 1
    """The least number of records in a stretch of a stream that is split."""


class _Looked(NamedTuple):
    """A stream at the beginning of the verification."""

    begin: Head
    end: Head
    whole: Stretch
    """The whole stream as one stretch."""


async def verify(
    journal: ReadableJournal,
    against: Against,
    progress: OnProgress,
    *,
    depth: Depth = Depth.DECIDED,
    workers: ProvingWorkers | None = None,
) -> Verdict:
    """Verify all streams; the verdict names the first bad record of each."""
    workers = workers or ProvingWorkers(_alone(journal, progress))
    parts = JournalParts(await journal.parts())
    names = sorted({*await journal.streams(), *against.anchored}, key=_reading_order)
    found = {name: await _look(journal, parts, name, against, depth) for name in names}
    ring, strange = await _ring_on_record(journal)
    keys = tuple({one.key.id: one.key for one in (*ring, *against.keys)}.values())
    found = {name: one._replace(whole=replace(one.whole, keys=keys)) for name, one in found.items()}
    proofs = await _prove(found, workers)
    trusted = _trusted(against, ring, [said for one in proofs.values() for said in one.chain.rings])
    problems: dict[str, Problem] = {} if strange is None else {KEYS: strange}
    problems.update({one.stream: one for one in (*parts.forged(trusted), *parts.problems())})
    for name in names:
        vouched = await _vouched(journal, proofs[name], found[name], trusted, against)
        wrong = [one for one in (vouched, proofs[name].problem, problems.get(name)) if one is not None]
        if wrong:
            problems[name] = min(wrong, key=lambda problem: problem.version)
    is_chain_asked = depth is Depth.CHAIN and against.keys and not problems
    named = {*parts.named(), *(await _named_by_the_house(journal) if is_chain_asked else ())}
    missing = [] if problems else [one for one in _missing(proofs, named) if not (await journal.head(one)).version]
    for name in missing:
        if (cut := await _signed_and_gone(journal, name)) is not None:
            problems[name] = cut
    if not problems and depth is not Depth.CHAIN and parts.first is None:
        is_whole = HOUSE in found and await journal.head(HOUSE) == found[HOUSE].end
        between = (
            _paid_at_both(proofs, is_whole=is_whole),
            *_other_scores(proofs),
            _other_slip(proofs, is_whole=is_whole),
        )
        problems = {one.stream: one for one in reversed(between) if one is not None}
        for name in names if not problems else ():
            if table_of(name) and (other := await other_sum(journal, found[name].end, progress)) is not None:
                problems[name] = other
    first = sorted(problems.values(), key=lambda problem: (problem.stream, problem.version))
    streams = [_verdict(proofs[name], found[name].begin, parts) for name in names]
    asked = against.keys and not problems
    unsigned = [said async for said in _unsigned(journal, against, streams)] if asked else []
    unsigned += [f"{name}: nothing is on record, though {_THOUGH.get(name, IS_NAMED)}" for name in missing if asked]
    unsigned += parts.away() if asked else []
    standing = _standing(against, problems, unsigned)
    ok = standing in (Standing.PROVED, Standing.UNVOUCHED)
    unproved = _unproved(against, streams, depth, parts)
    return Verdict(ok, standing, _SAYS[standing], first, streams, unsigned, unproved, parts.verdicts())


_SAYS = {
    Standing.PROVED: "proved: nothing is wrong, and the keys given vouch for every stream",
    Standing.NOT_PROVED: "not proved: nothing is found wrong, but the keys given do not vouch for all of it",
    Standing.UNVOUCHED: "nobody vouches for this journal: no keys were given, so it may have been written anew",
    Standing.WRONG: "wrong: this journal is not what was recorded",
}


def _standing(against: Against, problems: Mapping[str, Problem], unsigned: Sequence[str]) -> Standing:
    if problems:
        return Standing.WRONG
    if not against.keys:
        return Standing.UNVOUCHED
    return Standing.NOT_PROVED if unsigned else Standing.PROVED


async def _unsigned(journal: ReadableJournal, against: Against, streams: Sequence[StreamVerdict]) -> AsyncIterator[str]:
    """What the keys do not vouch for. A stream whose checkpoints were removed is like one that was never signed."""
    for one in streams:
        if not one.vouched:
            yield f"{one.stream}: nobody has signed any of its {one.records:,} records"
        elif one.vouched < one.records:
            _, tail_ms = await span_of(journal, one.stream, one.vouched, one.records)
            if tail_ms > against.tail_ms or not against.tail_ms:
                until = f"record {one.vouched:,} of {one.records:,}"
                yield f"{one.stream}: signed up to {until}; the rest, {tail_ms / 1000:,.0f} s of it, is not proved"


_THOUGH = {HOUSE: "every floor has a house", KEYS: "every floor that signs keeps its ring of keys there"}
IS_NAMED = "the house or a seal knows of it"
NO_SNAPSHOT = "none"
"""The form of no snapshot."""


async def _named_by_the_house(journal: ReadableJournal) -> tuple[str, ...]:
    """The streams that the records of the house name, where only the chain is proved; no snapshot is believed."""
    house = (await recover_house(journal, NO_SNAPSHOT)).state
    return (*map(table_stream, house.tables), *map(tournament_stream, house.tournaments))


def _missing(proofs: Mapping[str, Proof], named: Collection[str]) -> list[str]:
    """Streams that must be there: the house, what it or a seal names, and the ring of keys of a journal that is signed.

    Programs of an earlier form kept no ring on record.
    """
    due = {HOUSE, *named, *(proofs[HOUSE].named if HOUSE in proofs else ())}
    has_ring = any(one.checkpoints.newest and one.replayed for one in proofs.values())
    if has_ring and not any(one.older for one in proofs.values()):
        due.add(KEYS)
    return sorted(due - {*proofs})


async def _signed_and_gone(journal: ReadableJournal, stream: str) -> Problem | None:
    """A stream of which there is no record, though a checkpoint was signed for some."""
    signed = await newest_checkpoint(journal, stream)
    if signed is None:
        return None
    why = f"a checkpoint was made of {signed.head.version:,} records, and there are none"
    return Problem(stream, 1, ProblemKind.CUT, why)


async def span_of(journal: ReadableJournal, stream: str, after: int, until: int | None = None) -> tuple[int, int]:
    """How many records there are behind a version, and how much time they span."""
    records = first = last = 0
    async for record in journal.read(stream, after, until):
        at_ms = record.entry.at_ms
        first, last = (min(first, at_ms), max(last, at_ms)) if records else (at_ms, at_ms)
        records += 1
    return records, last - first


async def _ring_on_record(journal: ReadableJournal) -> tuple[Sequence[RingKey], Problem | None]:
    """The ring that the journal holds, and the first record in it that does not count."""
    ring, strange = RecordedRing(), None
    try:
        async for record in journal.read(KEYS):
            why = ring.take(record)
            if why is not None and strange is None:
                strange = Problem(KEYS, record.version, ProblemKind.SIGNATURE, why)
    except Damaged:
        return ring.keys, strange  # The chain names the record.
    return ring.keys, strange


def _reading_order(name: str) -> tuple[bool, bool, str]:
    return name != HOUSE, tournament_of(name) is None, name


async def _look(journal: ReadableJournal, parts: JournalParts, name: str, against: Against, depth: Depth) -> _Looked:
    """The checkpoint before the head: whatever vouches for a record was made after it."""
    newest = await newest_checkpoint(journal, name)
    begin, end = await parts.begin(journal, name), await journal.head(name)
    wanted = {against.anchored[name].version} if name in against.anchored else set()
    snapshot = None if depth is Depth.CHAIN else await journal.newest_snapshot(name, SNAPSHOT_FORM)
    kept = [] if depth is Depth.CHAIN else [*([snapshot] if snapshot else []), *parts.later_openings(name)]
    kept = [one for one in kept if one.version > begin.version]
    whole = Stretch(
        name,
        begin.version,
        end.version,
        tuple(wanted.union(one.version for one in kept)),
        build=None if depth is Depth.CHAIN else against.build,
        as_recorded=depth is Depth.RECORDED,
        signed=newest.head.version if newest else 0,
        snapshots=tuple(kept),
        opening=parts.opening(name),
    )
    return _Looked(begin, end, whole)


def _alone(journal: ReadableJournal, progress: OnProgress) -> ProveStretches:
    async def crew(stretches: Sequence[Stretch]) -> list[Finding]:
        return await prove_all(journal, stretches, progress)

    return crew


async def _prove(found: Mapping[str, _Looked], workers: ProvingWorkers) -> dict[str, Proof]:
    """Prove every stream in stretches, by its share of all records, or in one where the stretches do not fit."""
    lengths = {name: one.end.version - one.begin.version for name, one in found.items()}
    records = sum(lengths.values())
    shared = {name: split(one.whole, _pieces(lengths[name], records, workers)) for name, one in found.items()}
    findings = iter(await workers.prove([stretch for stretches in shared.values() for stretch in stretches]))
    proofs = {}
    for name, stretches in shared.items():
        begin, end, whole = found[name]
        proof = joined(begin, end, [next(findings) for _ in stretches])
        if proof is None:
            proof = joined(begin, end, await workers.prove([replace(whole, every_key=True)]))
            assert proof is not None, "one stretch fits itself"
        proofs[name] = proof
    return proofs


def _pieces(version: int, records: int, workers: ProvingWorkers) -> int:
    share = round(workers.number * version / records) if records else 1
    return max(1, min(share, version // workers.least))


def _paid_at_both(proofs: Mapping[str, Proof], *, is_whole: bool) -> Problem | None:
    if HOUSE not in proofs:
        return None
    issued = {table: proof.issued for name, proof in proofs.items() if (table := table_of(name))}
    credited = {table: proof.credited for name, proof in proofs.items() if (table := table_of(name))}
    otherwise = credited_otherwise(proofs[HOUSE].escrows, credited, is_whole=is_whole)
    return paid_at_both(proofs[HOUSE].registered, issued, is_whole=is_whole) or otherwise


def _other_scores(proofs: Mapping[str, Proof]) -> Iterator[Problem | None]:
    told = {table: proof.scored for name, proof in proofs.items() if (table := table_of(name))}
    for name, proof in proofs.items():
        tournament = tournament_of(name)
        if tournament is not None:
            yield other_score(tournament, proof.notes, told)


def _other_slip(proofs: Mapping[str, Proof], *, is_whole: bool) -> Problem | None:
    raised = {tournament: proof.slips for name, proof in proofs.items() if (tournament := tournament_of(name))}
    return other_slip(raised, proofs[HOUSE].slips if HOUSE in proofs else {}, is_whole=is_whole)


def _trusted(
    against: Against, on_record: Sequence[RingKey], started: Sequence[tuple[str, ...]]
) -> dict[str, PublicKey]:
    rings = [on_record, *(ring for said in started if (ring := read_ring_lines(said)))]
    given = [one.key for one in against.keys] or [one.key for ring in rings for one in ring]
    return trusted_keys(given, [against.keys, *rings])


async def _vouched(
    journal: ReadableJournal, proof: Proof, one: _Looked, trusted: Mapping[str, PublicKey], against: Against
) -> Problem | None:
    """The first problem that the chain, the checkpoints or the anchor show."""
    chain = proof.chain
    signed = await check_checkpoints(journal, chain, proof.checkpoints, one.whole.keys, trusted)
    anchored = against.anchored.get(one.end.stream)
    if anchored is not None and anchored.version <= one.begin.version:
        anchored = None  # It lies in a part that is not looked at.
    found = [chain.problem, signed, compare(chain, anchored, "the anchor") if anchored else None]
    return min((each for each in found if each), key=lambda problem: problem.version, default=None)


def _verdict(proof: Proof, begin: Head, parts: JournalParts) -> StreamVerdict:
    chain, signed = proof.chain, proof.checkpoints
    vouched = max(signed.newest, min(parts.vouched(begin.stream), chain.head.version))
    counted = (chain.owners, signed.count, vouched, proof.replayed, proof.older, proof.other_rule_sets)
    return StreamVerdict(begin.stream, chain.head.version, chain.head.hash.hex(), *counted, begin.version)


def _unproved(against: Against, streams: Sequence[StreamVerdict], depth: Depth, parts: JournalParts) -> list[str]:
    """What stays open: a chain alone shows neither a cut tail nor a journal written anew from end to end."""
    sentences = []
    if not against.anchored:
        sentences.append("without an anchor nobody can tell whether a stream was cut off with its checkpoints")
    if not any(one.checkpoints for one in streams):
        sentences.append("nothing is signed, so the whole journal may have been written anew")
    elif not against.keys:
        sentences.append("the signatures were checked with the keys that the journal itself names; give --keys")
    if depth is Depth.RECORDED:
        sentences.append("the tables' decisions were taken as recorded, not made again; give --decide for that")
    if parts.first is not None:
        sentences += [] if against.keys else parts.away()
        sentences.append(
            f"the proof begins with {parts.first.name}: what streams say of one another, kept sums and the shelf are "
            "compared where all parts are"
        )
    older = sum(one.older for one in streams)
    if older:
        sentences.append(
            f"{older:,} decisions in records of an older form were taken as recorded: the program that wrote them "
            "decides them again"
        )
    if any(one.other_rule_sets for one in streams):
        tables = ", ".join(one.stream for one in streams if one.other_rule_sets)
        sentences.append(
            f"another program configured {tables} with a rule set of another digest than this program's; what followed "
            "was decided again by this program's"
        )
    if depth is Depth.CHAIN:
        sentences.append("the records were not replayed, so only their chain is proved, not what they say")
    return sentences
