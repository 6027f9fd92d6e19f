"""What a device remembers through a loss of power: its last command, until whoever asked it is done with it.

A command is kept before it is sent. So a device that wakes up knows whether anything was under way, and the floor tells
what became of it: the journal remembers the answer, the device only the question.
"""

import os
from pathlib import Path
from typing import Protocol

import msgspec

from sabot.wire.frames import Ask


class Memory(Protocol):
    about: str
    """What the command is about, in the device's own words; it is kept with the command."""

    def keep(self, ask: Ask) -> None:
        """Durable when this returns."""

    def recall(self) -> Ask | None: ...

    def forget(self) -> None: ...


class NoMemory:
    """For whoever need not know, such as a screen: it shows what the table says."""

    about = ""

    def keep(self, ask: Ask) -> None:
        pass

    def recall(self) -> Ask | None:
        return None

    def forget(self) -> None:
        pass


class _Kept(msgspec.Struct):
    about: str
    ask: Ask


class FileMemory:
    """One small file, replaced as a whole."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.about = ""

    def keep(self, ask: Ask) -> None:
        replace_durably(self._path, msgspec.json.encode(_Kept(self.about, ask)))

    def recall(self) -> Ask | None:
        try:
            kept = msgspec.json.decode(self._path.read_bytes(), type=_Kept)
        except FileNotFoundError:
            return None
        self.about = kept.about
        return kept.ask

    def forget(self) -> None:
        self._path.unlink(missing_ok=True)
        _sync(self._path.parent)


def replace_durably(path: Path, content: bytes) -> None:
    """The file holds either what it held or all of this, whenever the power fails."""
    beside = path.with_name(f"{path.name}.new")
    with beside.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    _sync(path.parent)


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
