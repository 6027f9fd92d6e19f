"""What an adapter of the journal says of itself: which addresses it opens, and how.

A new adapter is one file with a class of this form, and one line in `opening.ADAPTERS` (or a call of
`opening.register`). No other module asks what kind of journal it was given.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import msgspec

from sabot.journal.journal import Journal, ReadableJournal, SignedCheckpoint
from sabot.journal.keys import PublicKey
from sabot.journal.parts import PartSeal
from sabot.journal.record import Head
from sabot.journal.steady_clock import wall_ms
from sabot.journal.volume import JournalVolume

if TYPE_CHECKING:
    from sabot.journal.anchor_raising import AnchorRaising


class Safeguards(msgspec.Struct, frozen=True):
    """What a journal is compared with when it is opened for writing."""

    anchor: Path | None = None
    """A file with the heads of the streams, kept apart from the journal."""
    keys: tuple[PublicKey, ...] = ()
    """The keys whose checkpoints are trusted."""
    wall_ms: Callable[[], int] = wall_ms
    """The time of day, for a journal that has no clock of its own."""


class OpeningReport(msgspec.Struct, frozen=True):
    """What was checked while a journal was opened for writing."""

    has_proved_records: bool = False
    """Whether every record behind the newest trusted checkpoint was proved; if not, the self-check proves them."""
    figures: Mapping[str, str | int | float | Sequence[str]] = {}
    """What was found, by name, for the operator's log."""
    warnings: Sequence[str] = ()
    """What the operator should see to, a sentence each."""


class OpenedJournal(msgspec.Struct, frozen=True):
    """A journal opened for writing."""

    journal: Journal
    report: OpeningReport = OpeningReport()
    anchor: "AnchorRaising | None" = None
    """The anchor that the owner of a table has to raise; nothing where the adapter raises it with its commits."""

    async def raise_anchor(self, head: Head, checkpoint: SignedCheckpoint | None = None) -> str | None:
        """Raise the anchor where that is left to the owner; returns what went wrong, in one sentence."""
        if self.anchor is None:
            return None
        return await self.anchor.to(head, *([] if checkpoint is None else [checkpoint]))


class JournalAdapter(Protocol):
    @property
    def is_shared(self) -> bool:
        """Whether several processes may own tables in one journal at the same time."""

    def opens(self, address: str) -> bool:
        """Whether the address is one of this adapter's."""

    def path_of(self, address: str) -> Path | None:
        """The file on this machine that holds the journal; nothing where no single file does."""

    async def open(self, address: str, safeguards: Safeguards) -> OpenedJournal:
        """Open the journal for writing, after comparing it with its anchor and its signed checkpoints.

        Raises `Unusable` where it cannot be used; then nothing in it has been changed.
        """

    async def check_to_write(self, address: str, anchor: Path | None) -> None:
        """Refuse what `open` would refuse: a place where nothing can be written, and a journal that has lost something
        which its anchor knows of. Nothing is changed."""

    async def open_to_read(self, address: str) -> ReadableJournal:
        """Open an existing journal for reading. Not a byte of it is changed."""

    def create(self, address: str, like: str = "") -> AbstractAsyncContextManager[Journal]:
        """A new, empty journal, which stands at the address only if the context is left without an exception, where
        the adapter can keep it apart until then. Raises `Unusable` where something would be replaced.

        It begins as the open part of the journal at `like` does, beside copies of the sealed parts that are there, if
        both are of an adapter whose journals have parts.
        """

    def volume(self, address: str) -> JournalVolume:
        """Where the bytes of the journal go. Raises `Unusable` where that is not told here."""

    async def unload(self, address: str, family: Path) -> tuple[PartSeal, Path]:
        """Write the oldest sealed part into a file that is a part of the journal that `family` would be.

        Raises `Unusable` where a sealed part is a file already.
        """

    async def drop_part(self, address: str, seal: PartSeal) -> None:
        """Remove the oldest sealed part, which must be the one with this seal."""

    async def prepare(self, address: str) -> list[str]:
        """Make or update what the journal is stored in; returns the steps taken. Raises `Unusable` where no
        preparation is needed."""
