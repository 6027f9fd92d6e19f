"""Where virtual shoes lie, their key, and the randomness of the operating system: the edge of `floor/virtual`."""

import asyncio
import hashlib
import os
import secrets
from pathlib import Path
from typing import Protocol

from sabot.basics.mistake import Mistake
from sabot.floor.virtual.locked_shoe import KEY_BYTES, NONCE_BYTES, lock, unlock
from sabot.floor.virtual.shoe import ENTROPY_BYTES, VirtualShoe, shuffle
from sabot.journal.anchor import OWNER_ONLY, sync, sync_folder


class ShoesAway(Exception):
    """The place of shoes does not answer now; whether it holds the shoe is not known. Carries one sentence."""


class VirtualShoes(Protocol):
    """Where the shoes of virtual tables lie from the shuffle until they are opened."""

    async def new(self, table: str, number: int, decks: int) -> VirtualShoe:
        """Shuffle a shoe, and have it durable before anybody hears of its commitment."""

    async def find(self, table: str, number: int, commitment: str) -> VirtualShoe:
        """The shoe of that number and commitment; raises a `Mistake` with the reason where it is lost."""

    async def forget(self, table: str, number: int) -> None:
        """A shoe that has been opened needs no place: its order is on record."""


class ShoeKey:
    """The floor's key, which locks shoes wherever they lie."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def make(self) -> None:
        """Make it, if it is not there."""
        if not self.path.exists():
            make_once(self.path, secrets.token_bytes(KEY_BYTES))

    def check(self) -> None:
        """Raise a `Mistake` where it is no key."""
        self._read()

    @property
    def digest(self) -> str:
        """By which two processes see that they have the same key."""
        return hashlib.sha256(b"sabot shoe key" + self._read()).hexdigest()

    def locked(self, shoe: VirtualShoe) -> bytes:
        return lock(shoe, self._read(), secrets.token_bytes(NONCE_BYTES))

    def unlocked(self, written: bytes, table: str, number: int) -> VirtualShoe:
        return unlock(written, self._read(), table, number)

    def _read(self) -> bytes:
        """One that others can read is no key."""
        path = self.path
        try:
            mode, key = path.stat().st_mode & 0o777, path.read_bytes()
        except (FileNotFoundError, PermissionError) as error:
            raise Mistake(f"the floor's key {path} cannot be read: {error.strerror}") from None
        if mode & 0o077:
            raise Mistake(f"the floor's key {path} can be read by others (mode {mode:o}); chmod 600 {path}")
        if len(key) != KEY_BYTES:
            raise Mistake(f"{path} is not a key of {KEY_BYTES} bytes")
        return key


def shuffled(table: str, number: int, decks: int) -> VirtualShoe:
    """A shoe in an order that the operating system's randomness gives."""
    return shuffle(table, number, decks, secrets.token_bytes(ENTROPY_BYTES))


class ShoeFiles:
    """A folder with a file for each shoe that has not ended, and the floor's key, which may lie on another disk."""

    def __init__(self, folder: Path, key: Path) -> None:
        self._folder, self._key = folder, ShoeKey(key)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not any(folder.glob("*.shoe")):  # A lost key is not replaced in silence.
            self._key.make()

    def new(self, table: str, number: int, decks: int, entropy: bytes | None = None) -> VirtualShoe:
        """Shuffle a shoe and have its file durable before anybody hears of its commitment."""
        shoe = shuffled(table, number, decks) if entropy is None else shuffle(table, number, decks, entropy)
        write_durably(self.path(table, number), self._key.locked(shoe))
        return shoe

    def find(self, table: str, number: int) -> VirtualShoe:
        """The shoe of that number, or one sentence about why it is lost; an `OSError` may pass."""
        path = self.path(table, number)
        try:
            written = path.read_bytes()
        except (FileNotFoundError, PermissionError) as error:
            raise Mistake(f"the file of shoe {number} cannot be read: {error.strerror}") from None
        try:
            return self._key.unlocked(written, table, number)
        except Mistake as mistake:
            raise Mistake(f"the file of shoe {number} is of no use: {mistake}") from None

    def forget(self, table: str, number: int) -> None:
        """A shoe that has been opened needs no file: its order is on record."""
        self.path(table, number).unlink(missing_ok=True)

    def path(self, table: str, number: int) -> Path:
        return self._folder / f"{table}-{number}.shoe"


class FiledShoes:
    """Shoes in files, for a floor of one process. While a disk takes its time, the tables go on."""

    def __init__(self, files: ShoeFiles) -> None:
        self._files = files

    async def new(self, table: str, number: int, decks: int) -> VirtualShoe:
        return await asyncio.to_thread(self._files.new, table, number, decks)

    async def find(self, table: str, number: int, commitment: str) -> VirtualShoe:  # noqa: ARG002
        return await asyncio.to_thread(self._files.find, table, number)

    async def forget(self, table: str, number: int) -> None:
        await asyncio.to_thread(self._files.forget, table, number)


def write_durably(path: Path, content: bytes) -> None:
    """Whole or not at all, durable, and never for a moment readable by others."""
    fresh = path.with_name(path.name + ".new")
    fresh.unlink(missing_ok=True)
    _write(fresh, content)
    fresh.replace(path)
    sync_folder(path.parent)


def make_once(path: Path, content: bytes) -> None:
    """The same for a file that is not there yet; of processes that make it at the same time, one does."""
    fresh = path.with_name(f"{path.name}.{secrets.token_hex(8)}.new")
    _write(fresh, content)
    try:
        path.hardlink_to(fresh)
    except FileExistsError:
        pass  # Another process was first, and its file holds.
    finally:
        fresh.unlink()
    sync_folder(path.parent)


def _write(fresh: Path, content: bytes) -> None:
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        sync(file.fileno())
