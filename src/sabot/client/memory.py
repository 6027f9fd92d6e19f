"""What a device remembers through a loss of power: its last command, until whoever asked it is done with it.

A command is kept before it is sent. So a device that wakes up knows whether anything was under way, and the floor tells
what became of it: the journal remembers the answer, the device only the question.
"""

import os
from pathlib import Path
from typing import Protocol

from sabot.wire.frames import Ask, Unreadable, read_heard, write


class Memory(Protocol):
    def keep(self, ask: Ask) -> None:
        """Durable when this returns."""

    def recall(self) -> Ask | None: ...

    def forget(self) -> None: ...


class NoMemory:
    """For whoever need not know, such as a screen: it shows what the table says."""

    def keep(self, ask: Ask) -> None:
        pass

    def recall(self) -> Ask | None:
        return None

    def forget(self) -> None:
        pass


class FileMemory:
    """One small file, replaced as a whole."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def keep(self, ask: Ask) -> None:
        replace_durably(self._path, write(ask))

    def recall(self) -> Ask | None:
        """The last command; a file that holds none is as good as no file, since it is never half written."""
        try:
            kept = read_heard(self._path.read_text(encoding="utf-8"))
        except (FileNotFoundError, Unreadable):
            return None
        return kept if isinstance(kept, Ask) else None

    def forget(self) -> None:
        self._path.unlink(missing_ok=True)
        _sync(self._path.parent)


def replace_durably(path: Path, text: str) -> None:
    """The file holds either what it held or all of the text, whenever the power fails."""
    beside = path.with_name(f"{path.name}.new")
    with beside.open("w", encoding="utf-8") as file:
        file.write(text)
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
