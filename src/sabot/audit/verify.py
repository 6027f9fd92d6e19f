"""Proving a journal: its chain, what is vouched for, and that everything in it follows from the rules.

It reads only, and only up to the heads that it finds at the beginning, so a live table can be verified. The house is
looked at before the tables: what the house knows of a table, the table's records have said before.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from sabot.audit.chain import Chain, Progress, check_chain
from sabot.audit.problem import Problem
from sabot.audit.replay import HouseReplay, Replayed, TableReplay, paid_at_both, replay
from sabot.audit.vouching import check_checkpoints, compare
from sabot.floor.recording import HOUSE, Started, table_of
from sabot.journal.journal import ReadableJournal, SignedCheckpoint
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


class _Walked(NamedTuple):
    chain: Chain
    end: Head
    checkpoints: Sequence[SignedCheckpoint]


async def verify(
    journal: ReadableJournal, against: Against, progress: Progress, *, chain_only: bool = False
) -> Verdict:
    """Prove what can be proved, and name the first bad record of each stream."""
    names = sorted({*await journal.streams(), *against.anchored}, key=lambda name: (name != HOUSE, name))
    walked = {name: await _walk(journal, name, against, progress) for name in names}
    trusted = _trusted(against, [said for one in walked.values() for said in one.chain.started])
    problems = {name: problem for name in names if (problem := _vouched(walked[name], trusted, against))}
    replayed = {name: Replayed(0, None) for name in names}
    if not chain_only:
        replayed = await _replay_all(journal, walked, problems, against, progress)
    first = sorted(problems.values(), key=lambda problem: (problem.stream, problem.version))
    streams = [_verdict(name, walked[name], replayed[name]) for name in names]
    return Verdict(not problems, first, streams, _unproved(against, streams, chain_only=chain_only))


async def _walk(journal: ReadableJournal, name: str, against: Against, progress: Progress) -> _Walked:
    checkpoints = await journal.checkpoints(name)
    end = await journal.head(name)
    wanted = {checkpoint.head.version for checkpoint in checkpoints}
    if name in against.anchored:
        wanted.add(against.anchored[name].version)
    return _Walked(await check_chain(journal, end, wanted, progress), end, checkpoints)


def _trusted(against: Against, started: Sequence[Started]) -> dict[str, PublicKey]:
    rings = [ring for said in started if (ring := read_ring_lines(said.keys))]
    given = [one.key for one in against.keys] or [one.key for ring in rings for one in ring]
    return trusted_keys(given, [against.keys, *rings])


def _vouched(one: _Walked, trusted: Mapping[str, PublicKey], against: Against) -> Problem | None:
    """The problem of a stream that its chain, its checkpoints or the anchor show, whichever comes first."""
    found = [one.chain.problem, check_checkpoints(one.chain, one.checkpoints, trusted)]
    anchored = against.anchored.get(one.end.stream)
    if anchored is not None:
        found.append(compare(one.chain, anchored, 0, "the anchor"))
    return min((each for each in found if each), key=lambda problem: problem.version, default=None)


async def _replay_all(
    journal: ReadableJournal,
    walked: Mapping[str, _Walked],
    problems: dict[str, Problem],
    against: Against,
    progress: Progress,
) -> dict[str, Replayed]:
    """Replay each stream as far as its chain holds; a replay's problem counts if it comes before any other."""
    house = HouseReplay()
    tables = {table: TableReplay(name, against.build) for name in walked if (table := table_of(name))}
    done = {name: Replayed(0, None) for name in walked}
    every: list[HouseReplay | TableReplay] = [house, *tables.values()]
    for replaying in every:
        name = replaying.stream
        if name in walked:
            done[name] = await replay(journal, replaying, walked[name].chain.head.version, progress)
            _keep_first(problems, done[name].problem)
    if not problems:
        _keep_first(problems, paid_at_both(house, tables))
    return done


def _keep_first(problems: dict[str, Problem], found: Problem | None) -> None:
    if found is not None:
        known = problems.get(found.stream)
        problems[found.stream] = min(known or found, found, key=lambda problem: problem.version)


def _verdict(name: str, one: _Walked, replayed: Replayed) -> StreamVerdict:
    head = one.chain.head
    vouched = max((each.head.version for each in one.checkpoints), default=0)
    owners, checkpoints = one.chain.owners, len(one.checkpoints)
    return StreamVerdict(name, head.version, head.hash.hex(), owners, checkpoints, vouched, replayed.records)


def _unproved(against: Against, streams: Sequence[StreamVerdict], *, chain_only: bool) -> list[str]:
    """A chain by itself shows neither a cut tail nor a journal that was written anew from end to end."""
    sentences = []
    if not against.anchored:
        sentences.append("without an anchor nobody can tell whether records behind the last checkpoint were cut off")
    if not any(one.checkpoints for one in streams):
        sentences.append("nothing is signed, so the whole journal may have been written anew")
    elif not against.keys:
        sentences.append("the signatures were checked with the keys that the journal itself names; give --keys")
    if chain_only:
        sentences.append("the records were not replayed, so only their chain is proved, not what they say")
    return sentences
