"""Several owner processes that want the same stream, and what they say."""

import asyncio
import itertools
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import msgspec

from tests.journal.postgres.owner_process import Acknowledged, Line, Stopped, Taken

ROOT = Path(__file__).resolve().parents[3]
STREAM = "table-17"
A_FEW = 10
Found = TypeVar("Found")
_DECODER: msgspec.json.Decoder[Line] = msgspec.json.Decoder(Line)


class OwnerProcess:
    def __init__(self, dsn: str, name: str, ttl_ms: int, folder: Path) -> None:
        self.name = name
        self.taken: list[Taken] = []
        self.acknowledged: list[Acknowledged] = []
        self.stopped: list[Stopped] = []
        self._log = folder / f"{name}.log"
        self._heard = 0
        told = (dsn, STREAM, name, str(ttl_ms), str(self._log))
        command = [sys.executable, "-m", "tests.journal.postgres.owner_process", *told]
        with (folder / f"{name}.errors").open("wb") as errors:
            self.process = subprocess.Popen(command, cwd=ROOT, stderr=errors)  # noqa: S603  Our own program.

    def listen(self) -> None:
        """Take in what it has said since; a line of which only the beginning is there waits until it is whole."""
        if not self._log.exists():
            return
        with self._log.open("rb") as log:
            log.seek(self._heard)
            whole = log.read().rpartition(b"\n")[0]
        self._heard += len(whole) + 1 if whole else 0
        for line in map(_DECODER.decode, whole.splitlines()):
            match line:
                case Taken():
                    self.taken.append(line)
                case Acknowledged():
                    self.acknowledged.append(line)
                case Stopped():
                    self.stopped.append(line)

    @property
    def epoch(self) -> int:
        """Of its last taking."""
        return self.taken[-1].epoch if self.taken else 0

    def is_at_work(self) -> bool:
        """Whether it has acknowledged a few records since it took the stream."""
        few = self.acknowledged[-A_FEW:]
        return len(few) == A_FEW and few[0].epoch == self.epoch

    async def stopped_in(self, epoch: int) -> Stopped:
        """How its ownership in this epoch ended, as soon as it says so."""

        def found() -> Stopped | None:
            self.listen()
            return next((line for line in self.stopped if line.epoch == epoch), None)

        return await until(found)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


class Owners:
    """All that ever lived, and those who live."""

    def __init__(self, dsn: str, ttl_ms: int, folder: Path) -> None:
        self._dsn, self._ttl_ms, self._folder = dsn, ttl_ms, folder
        self._numbers = itertools.count(1)
        self.all: list[OwnerProcess] = []

    def start(self) -> OwnerProcess:
        owner = OwnerProcess(self._dsn, f"owner-{next(self._numbers)}", self._ttl_ms, self._folder)
        self.all.append(owner)
        return owner

    async def at_work(self, after_epoch: int = 0) -> OwnerProcess:
        """The owner of the newest epoch above this one, as soon as it is at work."""
        return await until(lambda: owner if (owner := self._newest(after_epoch)) and owner.is_at_work() else None)

    async def taken(self, after_epoch: int) -> OwnerProcess:
        """The owner of the newest epoch above this one, as soon as it has taken the stream."""
        return await until(lambda: self._newest(after_epoch))

    def _newest(self, after_epoch: int) -> OwnerProcess | None:
        newest = max(self.listened(), key=lambda owner: owner.epoch)
        return newest if newest.epoch > after_epoch else None

    def listened(self) -> list[OwnerProcess]:
        for owner in self.all:
            owner.listen()
        return self.all


@contextmanager
def owners(count: int, dsn: str, ttl_ms: int, folder: Path) -> Iterator[Owners]:
    group = Owners(dsn, ttl_ms, folder)
    try:
        for _ in range(count):
            group.start()
        yield group
    finally:
        for owner in group.all:
            if owner.process.poll() is None:
                owner.kill()


async def until(look: Callable[[], Found | None]) -> Found:
    while (found := look()) is None:
        await asyncio.sleep(0.01)
    return found
