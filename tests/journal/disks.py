"""Disks to test a journal on: one that records what reaches it when, and one that fails at the n-th write.

Both are SQLite VFS classes around the real file system. Such a class has no shared memory, so a journal on it must be
the only one that has the file open; `open_on` sees to that.
"""

import random
from collections.abc import Callable, Iterable
from pathlib import Path

import apsw
import msgspec

from sabot.journal.sqlite import SqliteJournal
from sabot.journal.sqlite_file import prepare
from sabot.journal.sqlite_writer import Writer

SECTOR = 512


class Write(msgspec.Struct, frozen=True):
    file: str
    offset: int
    data: bytes


class Truncate(msgspec.Struct, frozen=True):
    file: str
    size: int


class Sync(msgspec.Struct, frozen=True):
    file: str


class Acknowledged(msgspec.Struct, frozen=True):
    """The journal has told somebody that everything up to this version of a stream is durable."""

    stream: str
    version: int


Step = Write | Truncate | Sync | Acknowledged
Names = apsw.URIFilename | str | None


class Disk(apsw.VFS):
    """A file system under a name by which a connection can ask for it."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(name, base="")


class RecordingDisk(Disk):
    """Keeps, in order, every write, truncation and sync; a test adds what was acknowledged."""

    def __init__(self, name: str) -> None:
        self.steps: list[Step] = []
        super().__init__(name)

    def xOpen(self, name: Names, flags: list[int]) -> apsw.VFSFile:  # noqa: N802  SQLite's own word.
        return _RecordingFile(name, flags, self.steps)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        self.steps.append(Truncate(Path(filename).name, 0))
        super().xDelete(filename, syncdir)


class _RecordingFile(apsw.VFSFile):
    def __init__(self, name: Names, flags: list[int], steps: list[Step]) -> None:
        self._name = Path(_filename(name)).name
        self._steps = steps
        super().__init__("", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        self._steps.append(Write(self._name, offset, bytes(data)))
        super().xWrite(data, offset)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        self._steps.append(Truncate(self._name, newsize))
        super().xTruncate(newsize)

    def xSync(self, flags: int) -> None:  # noqa: N802
        self._steps.append(Sync(self._name))
        super().xSync(flags)


class FailingDisk(Disk):
    """Does what it is told until `fails` says of the n-th write or sync that it fails."""

    def __init__(self, name: str, error: type[apsw.Error], fails: Callable[[int], bool]) -> None:
        self.count = 0
        self._error = error
        self._fails = fails
        super().__init__(name)

    def xOpen(self, name: Names, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        return _FailingFile(name, flags, self)

    def tick(self) -> None:
        self.count += 1
        if self._fails(self.count):
            raise self._error


class _FailingFile(apsw.VFSFile):
    def __init__(self, name: Names, flags: list[int], disk: FailingDisk) -> None:
        self._disk = disk
        super().__init__("", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        self._disk.tick()
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:  # noqa: N802
        self._disk.tick()
        super().xSync(flags)


def open_on(disk: Disk, path: Path, synchronous: str = "full", checkpoint_pages: int = 2_000) -> SqliteJournal:
    """A journal on this disk, with the settings that it always has, or with one that loses records."""
    return SqliteJournal(path, Writer(connect_on(disk, path, synchronous), checkpoint_pages=checkpoint_pages))


def connect_on(disk: Disk, path: Path, synchronous: str = "full") -> apsw.Connection:
    db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE, vfs=disk.name)
    db.pragma("locking_mode", "exclusive")
    prepare(db)
    db.pragma("synchronous", synchronous)
    return db


class Weather(msgspec.Struct, frozen=True):
    """How likely it is that a write which was not synced is missing, or torn, when the power comes back."""

    missing: float = 0.4
    torn: float = 0.2


def image(start: dict[str, bytes], steps: Iterable[Step], chance: random.Random, weather: Weather) -> dict[str, bytes]:
    """The files as the power may have left them after these steps.

    What was synced is there. Of what was not, each write is there, missing, or torn at a sector's edge: a disk is free
    to store in any order what it was not asked to make durable.
    """
    files = {name: bytearray(content) for name, content in start.items()}
    waiting: dict[str, list[Write | Truncate]] = {}
    for step in steps:
        match step:
            case Sync(file):
                for change in waiting.pop(file, []):
                    _apply(files, change)
            case Write() | Truncate():
                waiting.setdefault(step.file, []).append(step)
            case Acknowledged():
                pass
    for changes in waiting.values():
        for change in changes:
            survived = _survived(change, chance, weather)
            if survived is not None:
                _apply(files, survived)
    return {name: bytes(content) for name, content in files.items()}


def _survived(change: Write | Truncate, chance: random.Random, weather: Weather) -> Write | Truncate | None:
    fate = chance.random()
    if fate < weather.missing:
        return None
    if fate < weather.missing + weather.torn and isinstance(change, Write):
        return Write(
            change.file, change.offset, change.data[: chance.randrange(len(change.data) // SECTOR + 1) * SECTOR]
        )
    return change


def _apply(files: dict[str, bytearray], change: Write | Truncate) -> None:
    content = files.setdefault(change.file, bytearray())
    if isinstance(change, Truncate):
        del content[change.size :]
    elif change.data:
        content.extend(bytes(max(0, change.offset - len(content))))
        content[change.offset : change.offset + len(change.data)] = change.data


def _filename(name: Names) -> str:
    if isinstance(name, apsw.URIFilename):
        return name.filename()
    return name or ""
