"""Proving a journal: its chain, what is vouched for, and that everything in it follows from the rules.

It reads only, and only up to the heads that it finds at the beginning, so a live table can be verified. The house is
looked at before the tables: what the house knows of a table, the table's records have said before.
"""

import enum
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from sabot.audit.chain import Progress
from sabot.audit.checkpoint_check import check_checkpoints, compare
from sabot.audit.conclusion import Proof, joined
from sabot.audit.problem import Problem
from sabot.audit.replay import paid_at_both
from sabot.audit.segment import Finding, Stretch, prove, split
from sabot.floor.records.record_codec import HOUSE, Started, table_of
from sabot.journal.journal import ReadableJournal
from sabot.journal.keys import PublicKey, RingKey, read_ring_lines, trusted_keys
from sabot.journal.record import Head


class Against(msgspec.Struct, frozen=True):
    """What a journal is held against, beside itself."""

    build: str
    """The digest of the program that verifies."""
    keys: Sequence[RingKey] = ()
    """Public keys from elsewhere. Without them the keys that the journal names can only be taken at its word."""
    anchored: Mapping[str, Head] = {}
    """The heads that were kept elsewhere."""


class Depth(enum.Enum):
    """How much is proved."""

    CHAIN = enum.auto()
    """That nothing was changed, cut or put in."""
    RECORDED = enum.auto()
    """Besides, that what was recorded adds up: no coup settled twice, no money made or lost, no ticket paid twice, and
    that a table that starts from its snapshot starts from what the records come to."""
    DECIDED = enum.auto()
    """Besides, that every command, decided again, comes to what was recorded, byte for byte."""


class StreamVerdict(msgspec.Struct, frozen=True):
    stream: str
    records: int
    hash: str
    """The hash of the last good record: keep it elsewhere, and the next verification can start from your word."""
    owners: int
    checkpoints: int
    vouched: int
    """The version up to which a checkpoint vouches for the stream."""
    replayed: int


class Verdict(msgspec.Struct, frozen=True):
    ok: bool
    problems: list[Problem]
    """The first problem of each stream, the first of all first."""
    streams: list[StreamVerdict]
    unproved: list[str]
    """What could not be proved with what was given, in sentences."""


Crew = Callable[[Sequence[Stretch]], Awaitable[list[Finding]]]
"""Whoever proves stretches and brings the findings, in their order: one process, or several."""


class Hands(msgspec.Struct, frozen=True):
    """Who does the work, and how it is shared out."""

    crew: Crew
    number: int = 1
    least: int = 1
    """A stream is split only so far that this many records come to each stretch."""


class _Looked(NamedTuple):
    """A stream as it was found at the beginning."""

    end: Head
    whole: Stretch
    """All of it, as it is to be proved."""


async def verify(
    journal: ReadableJournal,
    against: Against,
    progress: Progress,
    *,
    depth: Depth = Depth.DECIDED,
    hands: Hands | None = None,
) -> Verdict:
    """Prove what can be proved, and name the first bad record of each stream."""
    hands = hands or Hands(_alone(journal, progress))
    names = sorted({*await journal.streams(), *against.anchored}, key=lambda name: (name != HOUSE, name))
    found = {name: await _look(journal, name, against, depth) for name in names}
    proofs = await _prove(found, hands)
    trusted = _trusted(against, [said for one in proofs.values() for said in one.chain.started])
    problems: dict[str, Problem] = {}
    for name in names:
        vouched = _vouched(proofs[name], found[name], trusted, against)
        wrong = [one for one in (vouched, proofs[name].problem) if one is not None]
        if wrong:
            problems[name] = min(wrong, key=lambda problem: problem.version)
    if not problems and depth is not Depth.CHAIN and (wrong_ticket := _paid_at_both(proofs)):
        problems[HOUSE] = wrong_ticket
    first = sorted(problems.values(), key=lambda problem: (problem.stream, problem.version))
    streams = [_verdict(name, found[name], proofs[name]) for name in names]
    return Verdict(not problems, first, streams, _unproved(against, streams, depth))


async def _look(journal: ReadableJournal, name: str, against: Against, depth: Depth) -> _Looked:
    checkpoints = await journal.checkpoints(name)
    end = await journal.head(name)
    wanted = {checkpoint.head.version for checkpoint in checkpoints}
    if name in against.anchored:
        wanted.add(against.anchored[name].version)
    snapshot = None if depth is Depth.CHAIN else await journal.newest_snapshot(name, against.build)
    if snapshot is not None:
        wanted.add(snapshot.version)
    whole = Stretch(
        name,
        0,
        end.version,
        tuple(wanted),
        build=None if depth is Depth.CHAIN else against.build,
        as_recorded=depth is Depth.RECORDED,
        checkpoints=tuple(checkpoints),
        keys=tuple(one.key for one in against.keys),
        snapshot=snapshot,
    )
    return _Looked(end, whole)


def _alone(journal: ReadableJournal, progress: Progress) -> Crew:
    async def crew(stretches: Sequence[Stretch]) -> list[Finding]:
        return [await prove(journal, stretch, progress) for stretch in stretches]

    return crew


async def _prove(found: Mapping[str, _Looked], hands: Hands) -> dict[str, Proof]:
    """Have every stream proved in as many stretches as it has a share in the work, or in one where they do not fit."""
    records = sum(one.end.version for one in found.values())
    shared = {name: split(one.whole, _pieces(one.end.version, records, hands)) for name, one in found.items()}
    findings = iter(await hands.crew([stretch for stretches in shared.values() for stretch in stretches]))
    proofs = {}
    for name, stretches in shared.items():
        end, whole = found[name]
        proof = joined(end, [next(findings) for _ in stretches])
        if proof is None:
            proof = joined(end, await hands.crew([whole]))
            assert proof is not None, "one stretch fits itself"
        proofs[name] = proof
    return proofs


def _pieces(version: int, records: int, hands: Hands) -> int:
    share = round(hands.number * version / records) if records else 1
    return max(1, min(share, version // hands.least))


def _paid_at_both(proofs: Mapping[str, Proof]) -> Problem | None:
    if HOUSE not in proofs:
        return None
    issued = {table: proof.issued for name, proof in proofs.items() if (table := table_of(name))}
    return paid_at_both(proofs[HOUSE].registered, issued)


def _trusted(against: Against, started: Sequence[Started]) -> dict[str, PublicKey]:
    rings = [ring for said in started if (ring := read_ring_lines(said.keys))]
    given = [one.key for one in against.keys] or [one.key for ring in rings for one in ring]
    return trusted_keys(given, [against.keys, *rings])


def _vouched(proof: Proof, one: _Looked, trusted: Mapping[str, PublicKey], against: Against) -> Problem | None:
    """The problem of a stream that its chain, its checkpoints or the anchor show, whichever comes first."""
    chain, whole = proof.chain, one.whole
    tried = {key.id: key for key in whole.keys}
    signed = {each for each in proof.signed if trusted.get(each.key_id) == tried[each.key_id]}
    found = [chain.problem, check_checkpoints(chain, whole.checkpoints, trusted, signed)]
    anchored = against.anchored.get(one.end.stream)
    if anchored is not None:
        found.append(compare(chain, anchored, 0, "the anchor"))
    return min((each for each in found if each), key=lambda problem: problem.version, default=None)


def _verdict(name: str, one: _Looked, proof: Proof) -> StreamVerdict:
    chain = proof.chain
    vouched = max((each.head.version for each in one.whole.checkpoints), default=0)
    owners, checkpoints = chain.owners, len(one.whole.checkpoints)
    return StreamVerdict(name, chain.head.version, chain.head.hash.hex(), owners, checkpoints, vouched, proof.replayed)


def _unproved(against: Against, streams: Sequence[StreamVerdict], depth: Depth) -> list[str]:
    """A chain by itself shows neither a cut tail nor a journal that was written anew from end to end."""
    sentences = []
    if not against.anchored:
        sentences.append("without an anchor nobody can tell whether records behind the last checkpoint were cut off")
    if not any(one.checkpoints for one in streams):
        sentences.append("nothing is signed, so the whole journal may have been written anew")
    elif not against.keys:
        sentences.append("the signatures were checked with the keys that the journal itself names; give --keys")
    if depth is Depth.RECORDED:
        sentences.append("the tables' decisions were taken as recorded, not made again; give --decide for that")
    if depth is Depth.CHAIN:
        sentences.append("the records were not replayed, so only their chain is proved, not what they say")
    return sentences
