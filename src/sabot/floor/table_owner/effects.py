"""What an owner wants done. It does nothing itself: a shell of few lines, or the simulator, carries these out.

What asks the journal carries an errand's number, which the answer brings back: an answer to something that the owner
has since forgotten is recognised and left alone.
"""

from collections.abc import Mapping, Sequence

import msgspec

from sabot.basics.stamp import Stamp
from sabot.floor.records.shelf_reading import Looking
from sabot.floor.table_owner.messages import Connected
from sabot.house.acts import HouseAct
from sabot.journal.journal import Derived, Lease
from sabot.journal.record import Head, Record
from sabot.table.acts import Act
from sabot.table.events import Event
from sabot.table.refusal import Refused
from sabot.table.state import TableState
from sabot.wire.frames import OwnerFrame


class Take(msgspec.Struct, frozen=True):
    """Let go of the lease that is held, if any, then try once to take the table (`taking.take_table`)."""

    errand: int
    held: Lease | None


class Append(msgspec.Struct, frozen=True):
    errand: int
    expected_version: int
    records: Sequence[Record]


class Renew(msgspec.Struct, frozen=True):
    errand: int
    lease: Lease


class Find(msgspec.Struct, frozen=True):
    """Look for the record of an act whose device waits for the answer since an earlier owner's time."""

    errand: int
    key: str
    connected: Connected


class LookAtHead(msgspec.Struct, frozen=True):
    """See who wrote to the table last: a device claims to have met a newer owner."""

    errand: int


class ReleaseLease(msgspec.Struct, frozen=True):
    lease: Lease


class Tell(msgspec.Struct, frozen=True):
    device: str
    frame: OwnerFrame


class Disconnect(msgspec.Struct, frozen=True):
    device: str
    why: str
    holder: str
    """Who owns the table as far as is known."""


class TellHouse(msgspec.Struct, frozen=True):
    act: HouseAct
    stamp: Stamp


class Happening(msgspec.Struct, frozen=True, gc=False):
    """What one record says, and the state that it led to; a record that no act caused has none."""

    act: Act | None
    stamp: Stamp
    events: tuple[Event, ...]
    refusal: Refused | None
    state: TableState

    @property
    def at_ms(self) -> int:
        return self.stamp.at_ms

    @property
    def decision(self) -> tuple[Event, ...] | Refused:
        return self.events if self.refusal is None else self.refusal


class Publish(msgspec.Struct, frozen=True):
    """These became durable, so the table's views may change."""

    version: int
    happenings: tuple[Happening, ...]


class Vouch(msgspec.Struct, frozen=True):
    """A coup is settled: sign the head and keep it elsewhere."""

    head: Head


class LookFor(msgspec.Struct, frozen=True):
    """Read from the table's shelf what an act names and the state does not hold any more."""

    errand: int
    version: int
    """The newest durable record: up to it the shelf follows from the records."""
    looking: Looking


class KeepSnapshot(msgspec.Struct, frozen=True):
    """Put on the shelf what fell out of the state, and only then keep the state."""

    errand: int
    head: Head
    state: TableState
    lines: int
    at_ms: int
    fallen: Mapping[str, Derived]


class RaiseAlarm(msgspec.Struct, frozen=True):
    text: str
    device: str = ""
    """Whose words raise it, where they are a device's."""


class Wake(msgspec.Struct, frozen=True):
    """Say `Woken` at this time of the clock that `handle` is given; it replaces the one asked for before."""

    at: int


JournalErrand = Take | Append | Renew | Find | LookAtHead | LookFor | ReleaseLease | KeepSnapshot
"""What asks the journal."""
OwnerEffect = JournalErrand | Tell | Disconnect | TellHouse | Publish | Vouch | RaiseAlarm | Wake
