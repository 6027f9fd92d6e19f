"""What reaches the owner of the house, and what it wants done."""

from collections.abc import Sequence

import msgspec

from sabot.basics.stamp import Stamp
from sabot.floor.records.recovery import Recovered
from sabot.house.acts import HouseAct
from sabot.house.events import HouseEvent
from sabot.house.refusal import HouseRefused
from sabot.house.state import HouseState
from sabot.journal.journal import AppendOutcome
from sabot.journal.record import Head, Record

HouseDecision = tuple[HouseEvent, ...] | HouseRefused

# Messages


class HouseOpened(msgspec.Struct, frozen=True):
    """The house as its records leave it."""

    recovered: Recovered[HouseState]


class HouseAsked(msgspec.Struct, frozen=True):
    key: str
    """Names the act in the journal, so that it is found again when nobody knows whether it was written."""
    act: HouseAct
    stamp: Stamp


class HouseWritten(msgspec.Struct, frozen=True):
    outcome: AppendOutcome


class HouseRead(msgspec.Struct, frozen=True):
    """The records behind the head, as a `ReadOn` asked for them."""

    records: Sequence[Record]


class HouseLook(msgspec.Struct, frozen=True):
    """See whether other processes have written; also tried again after an `Unsure`."""


HouseMessage = HouseOpened | HouseAsked | HouseWritten | HouseRead | HouseLook

# Effects


class AppendHouse(msgspec.Struct, frozen=True):
    expected_version: int
    record: Record


class ReadOn(msgspec.Struct, frozen=True):
    after: int


class HouseAnswered(msgspec.Struct, frozen=True):
    key: str
    decision: HouseDecision | None
    """None where it could not be written: nothing was done."""


class HouseHappened(msgspec.Struct, frozen=True):
    """What became durable, whichever process wrote it."""

    events: tuple[HouseEvent, ...]


class SaveHouse(msgspec.Struct, frozen=True):
    head: Head
    mark: bytes


class Unsure(msgspec.Struct, frozen=True):
    """The append did not arrive, or met another's: send `HouseLook` after a moment."""


HouseEffect = AppendHouse | ReadOn | HouseAnswered | HouseHappened | SaveHouse | Unsure
