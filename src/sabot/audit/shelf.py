"""The past of a table, held against its records: what fell out of the state, what was brought back, and the shelf.

A record that brings something back must bring what fell out before it. A value on the shelf must be the one that fell
out with the record that it names; only what fell out behind the last snapshot may be missing. Of each coup, session
and buy-in eight bytes and a version are remembered, so a year of play takes a few megabytes.
"""

import hashlib
import zlib
from array import array
from collections.abc import Iterator

from sabot.audit.problem import Problem, ProblemKind
from sabot.audit.record_check import BadRecord
from sabot.floor.records.shelf import (
    LAST_NAME,
    NEVER_SETTLED,
    SHELF,
    SHELVED_TO,
    fallen,
    shelf_values,
    unpacked,
)
from sabot.journal.journal import Damaged, Derived, ReadableJournal
from sabot.table.accounts.state import TableTicket
from sabot.table.events import BroughtBack, Event, PrintFailed, ReleaseHandedBack, TicketIssued, TicketPaidManually
from sabot.table.evolve import TRIMMING, evolve
from sabot.table.state import AnyTable, TableState, Unconfigured

_OF_TICKETS = {TicketIssued, PrintFailed, TicketPaidManually, ReleaseHandedBack}
_NUMBERED = ("coup", "session", "buy_in")


class Past:
    """Applies a table's events and keeps a digest of what falls out of its state."""

    def __init__(self, stream: str) -> None:
        self._stream = stream
        self._numbered = {kind: (array("Q"), array("Q")) for kind in _NUMBERED}
        """Of each kind, by number: the record with which it fell out last, and its digest."""
        self._named: dict[str, tuple[int, int]] = {}
        self.issued: dict[str, TableTicket] = {}
        """Every ticket as it stands."""
        self._is_whole = True
        """Whether everything that fell out is known; not where the replay began with a later part of the journal."""

    def begin_from(self, state: TableState) -> None:
        """Begin with a state from whose past nothing is known."""
        self._is_whole, self.issued = False, dict(state.tickets)

    def evolve(self, state: AnyTable, event: Event, version: int) -> TableState:
        if type(event) is BroughtBack:
            self._check(event)
        after = evolve(state, event)
        if type(event) in TRIMMING and type(state) is not Unconfigured:
            for name, value in fallen(state, after):
                self._remember(name, version, _digest(value))
        if type(event) in _OF_TICKETS:
            number: str = event.ticket  # type: ignore[attr-defined]
            self.issued[number] = after.tickets[number]
        return after

    def _check(self, event: BroughtBack) -> None:
        for name, value in shelf_values(event.found):
            found = self._known(name)
            if found is None and not self._is_whole:
                continue
            if found is None or found[1] != _digest(value):
                raise BadRecord(ProblemKind.SHELF, f"it brings back {name}, which is not what fell out of the state")
        wanted = event.wanted
        if wanted.kind == "coup" and not event.found.coups:
            found = self._known(f"{SHELF}coup/{wanted.number:012}")
            if found is None and not self._is_whole:
                return
            if found is None or found[1] != _digest(NEVER_SETTLED):
                raise BadRecord(ProblemKind.SHELF, f"it does not bring back coup {wanted.number}, which was settled")

    async def differs(self, journal: ReadableJournal, until: int) -> Problem | None:
        """What is on the shelf and does not follow from the records, or is missing there.

        Of a later part of the journal alone nothing is said: parts before and behind it hold some of its shelf.
        """
        if not self._is_whole:
            return None
        shelved = await journal.derived(self._stream, SHELVED_TO)
        seen, to = 0, shelved.version if shelved is not None else 0
        try:
            async for page in journal.derived_between(self._stream, SHELF, LAST_NAME):
                for one in page:
                    known = None if one.name == SHELVED_TO else self._known(one.name)
                    if one.version <= until and one.name != SHELVED_TO and not _fits(known, one, to):
                        why = f"{one.name} on the shelf is not what fell out of the state"
                        return Problem(self._stream, one.version, ProblemKind.SHELF, why)
                    seen += known is not None and known[0] <= to and "/patron/" not in one.name
        except Damaged as damaged:
            return Problem(self._stream, 0, ProblemKind.SHELF, f"the shelf is damaged: {damaged}")
        expected = sum(version <= to for version in self._versions())
        if seen == expected:
            return None
        why = f"the shelf has {seen:,} of the {expected:,} values that fell out of the state up to record {to:,}"
        return Problem(self._stream, to, ProblemKind.SHELF, why)

    def _versions(self) -> Iterator[int]:
        for versions, _ in self._numbered.values():
            yield from (version for version in versions if version)
        yield from (version for version, _ in self._named.values())

    def _remember(self, name: str, version: int, digest: int) -> None:
        place = _numbered(name)
        if place is None:
            self._named[name] = (version, digest)
        elif "/patron/" not in name:
            versions, digests = self._numbered[place[0]]
            missing = place[1] + 1 - len(versions)
            if missing > 0:
                versions.extend([0] * missing)
                digests.extend([0] * missing)
            versions[place[1]], digests[place[1]] = version, digest

    def _known(self, name: str) -> tuple[int, int] | None:
        place = _numbered(name)
        if place is None:
            return self._named.get(name)
        versions, digests = self._numbered[place[0]]
        is_known = place[1] < len(versions) and versions[place[1]]
        return (versions[place[1]], digests[place[1]]) if is_known else None


def _fits(known: tuple[int, int] | None, one: Derived, to: int) -> bool:
    """Whether it is what fell out; of something that has fallen out again since, the shelf may have what was before."""
    if known is None:
        return False
    try:
        return known[0] > to or known == (one.version, _digest(unpacked(one.value)))
    except zlib.error:
        return False


def _numbered(name: str) -> tuple[str, int] | None:
    """The kind and the number of what is numbered; a patron's session is the session."""
    parts = name.split("/")
    kind = "session" if parts[1] == "patron" else parts[1]
    return (kind, int(parts[-1])) if kind in _NUMBERED else None


def _digest(value: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(value, digest_size=8).digest())
