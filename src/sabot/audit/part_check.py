"""Checks the parts of a journal: each begins and ends as the seals say, and trusted keys have signed these.

A part that is proved alone begins with the state that the seal of the part before names. Whether that state is the
right one is proved with the part before.
"""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from sabot.audit.problem import Problem, ProblemKind
from sabot.audit.record_check import OPENING
from sabot.floor.records.openings import snapshot_of
from sabot.journal.checkpoint import is_signed_by
from sabot.journal.journal import ReadableJournal, Snapshot, record_at
from sabot.journal.keys import PublicKey
from sabot.journal.parts import OpeningState, PartAtHand, PartSeal, is_what_it_says, read_seal
from sabot.journal.record import Head, head_after, start_of


class PartVerdict(msgspec.Struct, frozen=True):
    part: str
    number: int
    sealed: bool
    records: int
    """Of all streams, those that it carries from the part before included."""


class JournalParts:
    """The parts that are here, the oldest first."""

    def __init__(self, parts: Sequence[PartAtHand]) -> None:
        self._parts = parts

    @property
    def first(self) -> PartAtHand | None:
        """The part that the proof begins with, where it is not the first of the journal."""
        return self._parts[0] if self._parts and self._parts[0].number > 1 else None

    @property
    def is_one_alone(self) -> bool:
        """Whether one sealed part is looked at by itself."""
        return bool(self._parts) and self._parts[-1].seal is not None

    def opening(self, stream: str) -> Snapshot | None:
        """The state that the proof of a stream begins with; nothing where it begins with the first record."""
        if self.first is None or stream not in self.first.bases:
            return None
        found = self.first.openings.get(stream)
        return None if found is None else _as_snapshot(found)

    async def begin(self, journal: ReadableJournal, stream: str) -> Head:
        """The record behind which the proof of a stream begins."""
        opening = self.opening(stream)
        if opening is None:
            return start_of(stream)
        record = await record_at(journal, stream, opening.version)
        return Head(stream, opening.version, opening.hash) if record is None else head_after(record)

    def later_openings(self, stream: str) -> Iterator[Snapshot]:
        """The states of a stream with which later parts open, which the records must give."""
        for part in self._parts:
            is_begun_with = part is self.first and stream in part.bases
            if stream in part.openings and not is_begun_with:
                yield _as_snapshot(part.openings[stream])
        if self.is_one_alone and stream in self._parts[-1].next_openings:
            yield _as_snapshot(self._parts[-1].next_openings[stream])

    def problems(self) -> Iterator[Problem]:
        for part in self._parts:
            why = is_what_it_says(part)
            if why is not None:
                yield Problem(part.name, 0, ProblemKind.PART, why)

    def forged(self, trusted: Mapping[str, PublicKey]) -> Iterator[Problem]:
        """Seals that no trusted key has signed."""
        for part, seal in self._seals():
            key, named = trusted.get(seal.key_id), f"the seal of part {seal.number}"
            if key is None:
                why = f"{named} is signed with key {seal.key_id}, which is not one of the keys that are trusted"
                yield Problem(part.name, 0, ProblemKind.SIGNATURE, why)
            elif not is_signed_by(seal, key):
                why = f"the signature of {named} is not by key {seal.key_id}"
                yield Problem(part.name, 0, ProblemKind.SIGNATURE, why)

    def away(self) -> Iterator[str]:
        """Which parts are not here."""
        if self.first is not None and not self.is_one_alone:
            last = self.first.number - 1
            named = "part 1 is" if last == 1 else f"parts 1 to {last} are"
            yield f"{named} not here: the proof begins with the states with which {self.first.name} opens"

    def vouched(self, stream: str) -> int:
        """The last record of a stream for which a seal vouches."""
        seals = [said for _, seal in self._seals() if (said := read_seal(seal)) is not None]
        return max((said.heads[stream].version for said in seals if stream in said.heads), default=0)

    def named(self) -> set[str]:
        """The streams that seals name."""
        return {stream for _, seal in self._seals() if (said := read_seal(seal)) is not None for stream in said.heads}

    def verdicts(self) -> list[PartVerdict]:
        """Nothing of a journal that was never rotated."""
        is_rotated = len(self._parts) > 1 or self.first is not None or self.is_one_alone
        return [_verdict(one) for one in self._parts] if is_rotated else []

    def _seals(self) -> Iterator[tuple[PartAtHand, PartSeal]]:
        for part in self._parts:
            for seal in (part.before, part.seal):
                if seal is not None:
                    yield part, seal


def _verdict(part: PartAtHand) -> PartVerdict:
    before = sum(one.version for one in part.bases.values())
    records = sum(one.version for one in part.heads.values()) - before
    return PartVerdict(part.name, part.number, part.seal is not None, records)


def _as_snapshot(opening: OpeningState) -> Snapshot:
    found = snapshot_of(opening)
    if found is not None:
        return msgspec.structs.replace(found, form=OPENING)
    return Snapshot(opening.stream, opening.version, opening.hash, OPENING, b"")
