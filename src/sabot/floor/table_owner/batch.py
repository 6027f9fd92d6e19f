"""The mailbox of a table's owner: acts that wait, and acts that were decided together."""

from collections.abc import Iterable

import msgspec

from sabot.basics.stamp import Stamp
from sabot.floor.records.record_codec import entry_of
from sabot.floor.records.shelf import Falling
from sabot.floor.table_owner.effects import Happening
from sabot.journal.journal import Derived
from sabot.journal.record import Entry, Head, Record
from sabot.table import acts
from sabot.table.events import Event
from sabot.table.evolve import TRIMMING, evolve
from sabot.table.refusal import Refused
from sabot.table.state import TableState
from sabot.wire.frames import TIED_TO_A_COUP, Name


class Letter(msgspec.Struct, frozen=True, gc=False):
    """An act that waits in the mailbox."""

    key: str
    act: acts.Act
    stamp: Stamp
    """With the time at which it came in."""
    device: str = ""
    """Who waits for the answer; empty for the clock and the house."""
    name: Name = Name(0, 0)
    coup: int | None = None

    def is_late(self, coup: int) -> bool:
        """Whether it was meant for another coup than the newest one."""
        if self.device and self.coup is None:
            return type(self.act) in TIED_TO_A_COUP
        return self.coup is not None and self.coup != coup


class Batch:
    """Acts decided together, with the state and the answers that hold once they are durable."""

    def __init__(self, state: TableState, head: Head) -> None:
        self.state, self._stream, self._after = state, head.stream, head.version
        self.entries: list[Entry] = []
        self.records: list[Record] = []
        self.happened: list[Happening] = []
        """What came of each entry."""
        self.answers: list[tuple[Letter, Refused | None, int]] = []
        """Who is told what, and in which of the entries it stands, counted from 1; 0 where it is in none."""
        self.fallen: dict[str, Derived] = {}
        """What fell out of the state, by its name on the shelf."""

    def apply(self, events: Iterable[Event]) -> None:
        """Go on to the state after the events of the entry that is noted next."""
        for event in events:
            before, self.state = self.state, evolve(self.state, event)
            if type(event) in TRIMMING:
                falling = Falling(self._stream, self.fallen)
                falling.note(before, self.state, self._after + len(self.entries) + 1)

    def note(self, key: str, act: acts.Act, stamp: Stamp, decision: tuple[Event, ...] | Refused) -> None:
        """An act that was decided; `state` is the one that it led to."""
        refusal, events = (decision, ()) if isinstance(decision, Refused) else (None, decision)
        self.entries.append(entry_of(key, act, stamp, decision))
        self.happened.append(Happening(act, stamp, events, refusal, self.state))
