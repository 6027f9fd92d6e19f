"""What reaches the owner of a table. What it sends to devices are the frames of `wire/frames`."""

import msgspec

from sabot.basics.stamp import Stamp
from sabot.floor.table_owner.take_over import Taken
from sabot.journal.journal import AppendOutcome, Lease, SignedCheckpoint
from sabot.journal.ownership import StreamNotTaken
from sabot.journal.record import Head, Record
from sabot.table.acts import Act
from sabot.table.history.shelved import FromShelf
from sabot.views.audience import Audience
from sabot.wire.frames import Ask, Hello

# From devices


class Connected(msgspec.Struct, frozen=True):
    """A device says hello."""

    device: str
    """The enrolment that proved it (`EnrolledDevice.enrolment_of`): the next one of its name begins from nothing."""
    audience: Audience
    hello: Hello
    station: str = ""
    """The station that it is, where it is one."""
    proof: SignedCheckpoint | None = None
    """The newest checkpoint it was given, which proves how far the journal had come."""

    @property
    def follows(self) -> bool:
        """Whether it is told record by record."""
        return self.hello.feed == "events"


class Asked(msgspec.Struct, frozen=True, gc=False):
    """A device's act with its stamp; the owner adds the time."""

    device: str
    ask: Ask
    stamp: Stamp


class Gone(msgspec.Struct, frozen=True):
    """A device's connection is lost."""

    device: str
    for_good: bool = False
    """Whether its enrolment was revoked, so that nothing need be remembered of it."""


# From the floor


class Start(msgspec.Struct, frozen=True):
    """Try to become the owner, and keep trying."""


class Stop(msgspec.Struct, frozen=True):
    """Leave in order: finish what waits, then let go."""


class HandOver(msgspec.Struct, frozen=True):
    """Leave the table to another process as soon as no coup is under way; no new one is opened until then."""

    to: str
    """Where the table goes, as far as is known: devices are sent there."""
    by: str
    """Who asked for it, for the record."""
    for_good: bool = False
    """Whether this process will not take the table back, even if nobody else takes it."""


class KeepTable(msgspec.Struct, frozen=True):
    """Go on after all: a `HandOver` that has not happened yet is forgotten."""


class Carried(msgspec.Struct, frozen=True):
    """What follows for this table from a record of the house. It may come again, and then changes nothing."""

    act: Act
    stamp: Stamp


class Woken(msgspec.Struct, frozen=True):
    """The time has come that a `Wake` asked for."""


# From the journal; each names the errand that it answers


class Took(msgspec.Struct, frozen=True):
    errand: int
    taken: Taken | StreamNotTaken


class Written(msgspec.Struct, frozen=True):
    errand: int
    outcome: AppendOutcome


class Renewed(msgspec.Struct, frozen=True):
    errand: int
    lease: Lease | None
    """None when another owner has taken the table."""
    wall_ms: int | None = None
    """The time of day by this machine's own clock."""


class Found(msgspec.Struct, frozen=True):
    errand: int
    connected: Connected
    record: Record | None


class LookedFor(msgspec.Struct, frozen=True):
    """What the shelf had; None where it could not be read."""

    errand: int
    found: FromShelf | None
    away: str = ""
    """Which part of the journal has it and is not here, in one sentence."""


class SnapshotKept(msgspec.Struct, frozen=True):
    """A snapshot is durable, and everything on the shelf that fell out before it."""

    errand: int


class SaveState(msgspec.Struct, frozen=True):
    """Keep a snapshot of the table now, since the journal is about to go on in a new part."""


class HeadSeen(msgspec.Struct, frozen=True):
    errand: int
    head: Head


OwnerMessage = (
    Connected
    | Asked
    | Gone
    | Start
    | Stop
    | HandOver
    | KeepTable
    | Carried
    | Woken
    | Took
    | Written
    | Renewed
    | Found
    | LookedFor
    | SnapshotKept
    | SaveState
    | HeadSeen
)
