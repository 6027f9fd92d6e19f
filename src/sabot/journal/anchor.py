"""An anchor: the heads of a journal in a small separate file, if possible on another disk.

A hash chain shows every change inside it, but neither a tail that was cut off nor a journal restored from an old copy.
The anchor does: a journal whose heads are below its anchor has lost acknowledged records.
"""

import fcntl
import os
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec

from sabot.journal.journal import SignedCheckpoint, Unusable
from sabot.journal.record import Head

FORMAT = 1
OWNER_ONLY = 0o600
"""The mode of every file that holds records, heads or keys, whatever the umask."""


class Anchor(msgspec.Struct, frozen=True):
    heads: dict[str, Head] = {}
    """Each stream's head."""
    checkpoints: dict[str, SignedCheckpoint] = {}
    """Each stream's last signed checkpoint."""
    commits: int = 0
    """The journal's commits, where it counts them: these show the loss of leases and snapshots as well."""

    def raised(
        self, heads: Iterable[Head] = (), checkpoints: Iterable[SignedCheckpoint] = (), commits: int = 0
    ) -> "Anchor":
        """The anchor raised to these; no head is ever lowered."""
        higher_heads = [head for head in heads if head.version >= _version(self.heads.get(head.stream))]
        known = {stream: checkpoint.head for stream, checkpoint in self.checkpoints.items()}
        higher = [each for each in checkpoints if each.head.version >= _version(known.get(each.head.stream))]
        return Anchor(
            self.heads | {head.stream: head for head in higher_heads},
            self.checkpoints | {each.head.stream: each for each in higher},
            max(self.commits, commits),
        )


class Anchoring(msgspec.Struct, frozen=True):
    """Where a journal is anchored, and how often."""

    path: Path
    every_ms: int = 1_000
    """The longest time from a commit to raising the anchor. With 0 it is raised before an append is answered, so that
    everything acknowledged is anchored."""


class AnchorKeeper:
    """Raises an anchor after commits. It is not thread-safe: the writer of a journal, or its owner, calls it."""

    def __init__(self, anchoring: Anchoring, heads: Iterable[Head]) -> None:
        self._anchoring = anchoring
        self._noted: list[Head | SignedCheckpoint] = list(heads)
        self._written_at = 0.0
        self.trouble: str | None = None
        self.write()
        if self.trouble is not None:
            raise Unusable(self.trouble)

    @property
    def comes_first(self) -> bool:
        """Whether it is raised before an append is answered; otherwise nobody waits for its disk."""
        return not self._anchoring.every_ms

    def note(self, what: Head | SignedCheckpoint) -> None:
        """Note what is about to be committed, for the next time the anchor is written."""
        self._noted.append(what)

    @property
    def is_due(self) -> bool:
        return (time.monotonic() - self._written_at) * 1000 >= self._anchoring.every_ms

    def write(self, commits: Callable[[], int] = lambda: 0) -> None:
        """Raise the anchor from its present content, since another owner may have raised it meanwhile.

        All that was noted must be durable, with so many commits counted altogether.

        A failure is kept in `trouble`, and the next write tries again: the journal is complete without its anchor.
        """
        path = self._anchoring.path
        heads = [noted for noted in self._noted if isinstance(noted, Head)]
        checkpoints = [noted for noted in self._noted if isinstance(noted, SignedCheckpoint)]
        self._written_at = time.monotonic()
        try:
            write_anchor(path, (read_anchor(path) or Anchor()).raised(heads, checkpoints, commits()))
        except (OSError, Unusable) as error:
            self.trouble = f"the anchor {path} cannot be written: {error}"
        else:
            self._noted.clear()
            self.trouble = None


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    sabot_anchor: int
    anchor: Anchor


def read_anchor(path: Path) -> Anchor | None:
    """The anchor in this file; nothing where there is no file yet. An unreadable one raises `Unusable`."""
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Unusable(f"the anchor {path} cannot be read: {error.strerror}") from None
    try:
        file = msgspec.json.decode(text, type=_File)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise Unusable(f"{path} is not an anchor, or it is damaged") from None
    if file.sabot_anchor != FORMAT:
        raise Unusable(f"the anchor {path} has form {file.sabot_anchor}, and this program knows form {FORMAT}")
    return file.anchor


def check_not_lost(journal: Path, anchor: Anchor) -> None:
    """A journal that is not there, though its anchor knows of records, is not a new one."""
    if anchor.heads and not journal.exists():
        raise Unusable(
            f"there is no journal at {journal}, but its anchor knows of records: it is lost or lies elsewhere"
        )


def write_anchor(path: Path, anchor: Anchor) -> None:
    """Replace the anchor durably and atomically: a reader finds the old or the new one, complete."""
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.") as folder:
        fresh = Path(folder) / "fresh"  # Two owners may write at the same time.
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
        with os.fdopen(descriptor, "wb") as file:
            file.write(msgspec.json.format(msgspec.json.encode(_File(FORMAT, anchor))))
            file.flush()
            sync(file.fileno())
        fresh.replace(path)
    sync_folder(path.parent)


def sync(descriptor: int) -> None:
    """Make what was written durable; on macOS fsync leaves it in the drive's cache."""
    firmly = getattr(fcntl, "F_FULLFSYNC", None)
    if firmly is None:
        os.fsync(descriptor)
    else:
        fcntl.fcntl(descriptor, firmly)


def sync_folder(folder: Path) -> None:
    """Make the creation or renaming of files in a folder durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        sync(descriptor)
    finally:
        os.close(descriptor)


def _version(head: Head | None) -> int:
    return head.version if head is not None else 0
