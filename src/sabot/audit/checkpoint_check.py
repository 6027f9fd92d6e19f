"""Compares a stream with its signed checkpoints and its anchor.

A stream has a checkpoint for every coup. They are read piece by piece, beside the records. Only what decides the
verdict is kept: how many there are, and where each key signed first, and first wrongly.
"""

from collections.abc import Mapping, Sequence

import msgspec

from sabot.audit.chain import Chain
from sabot.audit.problem import Problem, ProblemKind
from sabot.journal.checkpoint import is_signed_by
from sabot.journal.journal import ReadableJournal, SignedCheckpoint
from sabot.journal.keys import PublicKey
from sabot.journal.record import Head, Stored

Trusted = Mapping[str, PublicKey]
"""By the id of the key."""
AT_ONCE = 100_000
"""Records whose checkpoints are read together where the records themselves are not read."""


class Signed(msgspec.Struct, frozen=True, order=True):
    """A place among the checkpoints of a stream."""

    nth: int
    version: int


class Different(msgspec.Struct, frozen=True):
    """A checkpoint that names another record than the stream has."""

    at: Signed
    key_id: str
    good: int
    """The version of the checkpoint before it."""


class CheckpointFinding(msgspec.Struct, frozen=True):
    """What the checkpoints of a stretch come to."""

    count: int = 0
    newest: int = 0
    """The version of the last one."""
    used: Mapping[str, Signed] = {}
    """The first checkpoint of every key that signed."""
    forged: Mapping[str, Signed] = {}
    """The first checkpoint that bears the id of a key that was tried, and is not signed by it."""
    different: Different | None = None
    """The first that names another record than the stream has."""
    beyond: Signed | None = None
    """The first that vouches for a record that the stream does not have."""
    beyond_by: str = ""

    def then(self, next_one: "CheckpointFinding") -> "CheckpointFinding":
        """The finding of both stretches."""

        def later(at: Signed) -> Signed:
            return Signed(at.nth + self.count, at.version)

        def first(mine: Mapping[str, Signed], others: Mapping[str, Signed]) -> dict[str, Signed]:
            return {**{key: later(at) for key, at in others.items()}, **mine}

        other = next_one.different
        if other is not None:
            other = Different(later(other.at), other.key_id, other.good or self.newest)
        beyond, by = next_one.beyond and later(next_one.beyond), next_one.beyond_by
        return CheckpointFinding(
            self.count + next_one.count,
            max(self.newest, next_one.newest),
            first(self.used, next_one.used),
            first(self.forged, next_one.forged),
            self.different or other,
            self.beyond or beyond,
            self.beyond_by if self.beyond else by,
        )


class CheckpointWalk:
    """Goes along the checkpoints of a stretch beside the walk along its records."""

    def __init__(self, head: Head, newest: int, keys: Sequence[PublicKey]) -> None:
        """`newest` is the version of the newest checkpoint that counts: a floor that runs makes others meanwhile."""
        self._stream, self._at, self._newest = head.stream, head.version, newest
        self._keys = {key.id: key for key in keys}
        self._count = self._last = 0
        self._used: dict[str, Signed] = {}
        self._forged: dict[str, Signed] = {}
        self._different: Different | None = None
        self._beyond: tuple[Signed, str] | None = None

    async def go_on(self, journal: ReadableJournal, rows: Sequence[Stored]) -> None:
        """Compare the checkpoints of these records."""
        if not rows or self._at >= self._newest:
            return
        first, last = rows[0][0], min(rows[-1][0], self._newest)
        for one in await journal.checkpoints(self._stream, self._at, last):
            at = self._take(one)
            if one.head.hash != rows[one.head.version - first][4] and self._different is None:
                self._different = Different(at, one.key_id, self._last)
            self._last = one.head.version
        self._at = last

    async def end(self, journal: ReadableJournal, until: int, *, is_last: bool) -> CheckpointFinding:
        """What all of them come to; those of records that were not reached are counted, too."""
        end = self._newest if is_last else min(until, self._newest)
        while self._at < end:
            to = min(self._at + AT_ONCE, end)
            for one in await journal.checkpoints(self._stream, self._at, to):
                at = self._take(one)
                if one.head.version > until and self._beyond is None:
                    self._beyond = at, one.key_id
                self._last = one.head.version
            self._at = to
        beyond, by = self._beyond or (None, "")
        return CheckpointFinding(self._count, self._last, self._used, self._forged, self._different, beyond, by)

    def _take(self, one: SignedCheckpoint) -> Signed:
        self._count += 1
        at, key = Signed(self._count, one.head.version), self._keys.get(one.key_id)
        self._used.setdefault(one.key_id, at)
        if key is not None and one.key_id not in self._forged and not is_signed_by(one, key):
            self._forged[one.key_id] = at
        return at


async def check_checkpoints(
    journal: ReadableJournal, chain: Chain, found: CheckpointFinding, tried: Sequence[PublicKey], trusted: Trusted
) -> Problem | None:
    """The first checkpoint that no trusted key has signed, or that names another record than the stream has."""
    stream, problems = chain.head.stream, list[tuple[Signed, int, Problem]]()
    known = {key.id: key for key in tried}
    for key_id, first in found.used.items():
        key = trusted.get(key_id)
        if key is None:
            why = f"its checkpoint is signed with key {key_id}, which is not one of the keys that are trusted"
            problems.append((first, 0, Problem(stream, first.version, ProblemKind.SIGNATURE, why)))
            continue
        is_tried = known.get(key_id) == key
        forged = found.forged.get(key_id)
        if not is_tried:
            forged = await _first_forged(journal, stream, key, first.version - 1, found.newest)
        if forged is not None:
            why = f"the signature of its checkpoint is not by key {key_id}"
            problems.append((forged, 0, Problem(stream, forged.version, ProblemKind.SIGNATURE, why)))
    if found.different is not None:
        one = found.different
        problems.append((one.at, 1, _not_vouched(stream, one.at.version, one.good, f"key {one.key_id}")))
    if found.beyond is not None and chain.problem is None:
        cut = _cut(chain, found.beyond.version, f"key {found.beyond_by}")
        problems.append((found.beyond, 1, cut))
    return min(problems, key=lambda each: each[:2])[2] if problems else None


async def _first_forged(
    journal: ReadableJournal, stream: str, key: PublicKey, begins: int, newest: int
) -> Signed | None:
    """The first checkpoint that bears the key's id and is not signed by it."""
    nth = 0
    for after in range(begins, newest, AT_ONCE):
        for one in await journal.checkpoints(stream, after, min(after + AT_ONCE, newest)):
            nth += 1
            if one.key_id == key.id and not is_signed_by(one, key):
                return Signed(nth, one.head.version)
    return None


def compare(chain: Chain, vouched: Head, who: str) -> Problem | None:
    """Compare the stream with a head that `who` vouches for."""
    stream, version = vouched.stream, vouched.version
    if version > chain.head.version:
        return None if chain.problem is not None else _cut(chain, version, who)
    if version and chain.hashes[version] != vouched.hash:
        return _not_vouched(stream, version, 0, who)
    return None


def _cut(chain: Chain, version: int, who: str) -> Problem:
    head = chain.head
    why = f"it is missing: {who} vouches for {version} records, and the stream ends with {head.version}"
    return Problem(head.stream, head.version + 1, ProblemKind.CUT, why)


def _not_vouched(stream: str, version: int, good: int, who: str) -> Problem:
    where = f"record {version} is" if good + 1 == version else f"one of the records {good + 1} to {version} is"
    return Problem(stream, good + 1, ProblemKind.CHECKPOINT, f"{where} not the one that {who} vouches for")
