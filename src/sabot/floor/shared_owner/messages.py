"""What reaches the owner of a shared stream, and what it wants done."""

from collections.abc import Mapping, Sequence
from typing import Generic, TypeVar

import msgspec

from sabot.basics.act import Act
from sabot.basics.stamp import Stamp
from sabot.floor.records.recovery import Recovered
from sabot.house.filed_book import Sought
from sabot.journal.journal import AppendOutcome, Derived
from sabot.journal.record import Head, Record

S = TypeVar("S")
E = TypeVar("E")
R = TypeVar("R")

# Messages


class SharedOpened(msgspec.Struct, Generic[S], frozen=True):
    """The state as the records leave it."""

    recovered: Recovered[S]


class SharedAsked(msgspec.Struct, frozen=True):
    key: str
    """Names the act in the journal, so that it is found again when nobody knows whether it was written."""
    act: Act
    stamp: Stamp


class SharedWritten(msgspec.Struct, frozen=True):
    outcome: AppendOutcome


class SharedRead(msgspec.Struct, frozen=True):
    """The records behind the head, as a `ReadOn` asked for them."""

    records: Sequence[Record]


class SharedSaved(msgspec.Struct, frozen=True):
    """A snapshot was kept, and before it what was put away."""

    size: int
    away: Mapping[str, Derived] = {}


class PaperFound(msgspec.Struct, frozen=True):
    """What brings back a paper that was looked for; nothing where it is not on the shelf."""

    recall: Act | None
    is_unknown: bool = False
    """The journal did not answer, so the act is not decided at all."""


class SharedLook(msgspec.Struct, frozen=True):
    """See whether other processes have written; also tried again after an `Unsure`."""


SharedMessage = SharedOpened[S] | SharedAsked | SharedWritten | SharedRead | SharedSaved | PaperFound | SharedLook

# Effects


class AppendShared(msgspec.Struct, frozen=True):
    expected_version: int
    record: Record


class ReadOn(msgspec.Struct, frozen=True):
    after: int


class SharedAnswered(msgspec.Struct, Generic[E, R], frozen=True):
    key: str
    decision: tuple[E, ...] | R | None
    """None where it could not be written: nothing was done."""


class SharedHappened(msgspec.Struct, Generic[E], frozen=True):
    """What became durable, whichever process wrote it."""

    events: tuple[E, ...]


class SaveShared(msgspec.Struct, Generic[S], frozen=True):
    """Keep a snapshot, after what was put away; `SharedSaved` says that it was done."""

    head: Head
    state: S
    at_ms: int
    away: Mapping[str, Derived]


class LookForPaper(msgspec.Struct, frozen=True):
    """Look for what was put away up to a record; `PaperFound` answers it."""

    sought: Sought
    version: int
    unshelved: Mapping[str, Derived]


class Unsure(msgspec.Struct, frozen=True):
    """The append did not arrive, or met another's: send `SharedLook` after a moment."""


SharedEffect = SaveShared[S] | AppendShared | ReadOn | SharedAnswered[E, R] | SharedHappened[E] | LookForPaper | Unsure
