"""What reaches the owner of a table, and what it tells the devices there.

A command's identity is (device, epoch, n): the epoch is that of the owner whom the device said hello to, and n counts
the device's commands within it. Everything an owner tells carries its own epoch, so that a device that has moved on to
a newer owner can leave an older one's words alone.
"""

from typing import NamedTuple

import msgspec

from sabot.floor.table_owner.take_over import Taken
from sabot.journal.journal import Lease, Outcome, SignedCheckpoint
from sabot.journal.ownership import NotTaken
from sabot.journal.record import Head, Record
from sabot.ledger.ledger import Purse
from sabot.table.acts import Command
from sabot.table.events import Event
from sabot.table.refusal import Refused
from sabot.views.audience import Audience, Picture


class Name(NamedTuple):
    """A command's identity within its device."""

    epoch: int
    n: int


# From devices


class Hello(msgspec.Struct, frozen=True, kw_only=True):
    """A device connects, and says where it stands."""

    device: str
    audience: Audience
    station: str = ""
    """The station that it is, where it is one."""
    epoch: int = 0
    version: int = 0
    """The newest record it was told of, and by whom."""
    pending: Name | None = None
    """The command it still waits for an answer to."""
    checkpoint: SignedCheckpoint | None = None
    """The newest checkpoint it was given, which proves how far the journal had come."""
    follows: bool = True
    """Whether it is to be told record by record; whoever is shown views instead needs no telling."""


class Ask(msgspec.Struct, frozen=True):
    """A device's command. Whoever carries it has stamped who asks and in which role; the owner stamps the time."""

    device: str
    name: Name
    coup: int | None
    """The coup that it was meant for; none for what belongs to no coup, such as buying in."""
    command: Command


class Gone(msgspec.Struct, frozen=True):
    """A device's connection is lost."""

    device: str


# From the floor


class Start(msgspec.Struct, frozen=True):
    """Try to become the owner, and keep trying."""


class Stop(msgspec.Struct, frozen=True):
    """Leave in order: finish what waits, then let go."""


class Carried(msgspec.Struct, frozen=True):
    """What follows for this table from a record of the house. It may come again, and then changes nothing."""

    command: Command


class Woken(msgspec.Struct, frozen=True):
    """The time has come that a `Wake` asked for."""

    salts: dict[str, str]
    """Fresh ones for every station, in case the wagering closes now."""


# From the journal; each names the errand that it answers


class Took(msgspec.Struct, frozen=True):
    errand: int
    taken: Taken | NotTaken


class Written(msgspec.Struct, frozen=True):
    errand: int
    outcome: Outcome


class Renewed(msgspec.Struct, frozen=True):
    errand: int
    lease: Lease | None
    """None when somebody else has taken the table."""


class Found(msgspec.Struct, frozen=True):
    errand: int
    hello: Hello
    record: Record | None


class HeadSeen(msgspec.Struct, frozen=True):
    errand: int
    head: Head


Message = Hello | Ask | Gone | Start | Stop | Carried | Woken | Took | Written | Renewed | Found | HeadSeen


# To devices


class Answer(msgspec.Struct, frozen=True):
    """The answer to a command: accepted, or refused with the reason."""

    epoch: int
    n: int
    version: int
    """The record that holds it, or 0 for a refusal that needed no decision of the table."""
    refusal: Refused | None

    @property
    def accepted(self) -> bool:
        return self.refusal is None


class Lost(msgspec.Struct, frozen=True):
    """A command of an earlier owner's time that was never recorded, and never will be."""

    epoch: int
    n: int


class Told(msgspec.Struct, frozen=True):
    """What a record means for one audience. Versions that mean nothing for it are left out."""

    epoch: int
    after: int
    """The version that the device knew before, if it missed nothing; otherwise it says hello again."""
    version: int
    events: tuple[Event, ...]
    purse: Purse | None
    """The station's own purse after the record, where it changed."""


class Paused(msgspec.Struct, frozen=True):
    """The journal does not answer while wagering is open: nothing is acknowledged until the next word from here."""

    epoch: int


class Resynchronise(msgspec.Struct, frozen=True):
    """The command belongs to another owner's time: say hello to this one first."""

    epoch: int


class Welcome(msgspec.Struct, frozen=True):
    """Where the table stands: with neither of the two below, the device is up to date."""

    epoch: int
    version: int
    missed: tuple[Told, ...] = ()
    picture: Picture | None = None
    pending: Answer | Lost | None = None
    """What became of the pending command; None where it was not received, or is still being written."""
    last: int = 0
    """The n of the newest command that was received from the device in this epoch: it counts on from there, even where
    it has forgotten that it asked anything."""


ToDevice = Answer | Told | Paused | Resynchronise | Welcome
