"""Stores a device's last command through a loss of power, until its driver has handled the outcome.

A command is stored before it is sent. After a restart the device finds whether one was pending, and the floor, whose
journal holds the answer, says what became of it.
"""

import os
from pathlib import Path
from typing import Protocol

import msgspec

from sabot.client.key import OWNER_ONLY
from sabot.wire.frames import Ask


class Memory(Protocol):
    about: str
    """The driver's own note on the command, stored with it."""

    def keep(self, ask: Ask) -> None:
        """Durable when this returns."""

    def recall(self) -> Ask | None: ...

    def forget(self) -> None: ...


class NoMemory:
    """For devices that need not know the outcome after a restart, such as a screen."""

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
    """Replace a file so that after a loss of power it holds the old content or the new, for its owner alone."""
    beside = path.with_name(f"{path.name}.new")
    beside.unlink(missing_ok=True)
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY), "wb") as file:
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
