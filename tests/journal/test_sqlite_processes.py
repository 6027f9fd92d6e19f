"""Real processes that append under load, and are killed, stopped and starved of disk."""

import asyncio
import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sabot.journal.anchor import Anchor, read_anchor
from sabot.journal.journal import Appended, Conflict, Lease
from sabot.journal.record import Record, head_after
from sabot.journal.sqlite import SqliteJournal, open_read_only
from sabot.journal.sqlite_file import connect, create
from sabot.journal.sqlite_start_checks import trust_nobody, verify
from sabot.journal.sqlite_writer import NotCommitted, Writer
from tests.conftest import ROOT
from tests.journal.entries import entry
from tests.journal.owner_process import FAILED, FENCED
from tests.journal.samples import read

STREAMS = tuple(f"table-{number}" for number in range(1, 9))
LONG_AFTER = 10**15
"""A clock reading at which every lease has expired."""


@contextmanager
def owner(path: Path, *streams: str, pause: float = 0, largest_file: int = 0) -> Iterator[subprocess.Popen[str]]:
    """An owner at work; it is gone when the context ends."""
    command = [sys.executable, "-m", "tests.journal.owner_process", str(path), str(pause), str(largest_file), *streams]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)  # noqa: S603  Our own words.
    hung = threading.Timer(120, process.kill)
    hung.start()
    try:
        with process:
            assert line_of(process) == "open"
            yield process
            process.kill()
    finally:
        process.kill()
        hung.cancel()


def line_of(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().rstrip("\n")


def rest_of(process: subprocess.Popen[str]) -> list[str]:
    assert process.stdout is not None
    return process.stdout.read().splitlines()


class Acknowledgements:
    """What owners said was acknowledged, held against what the journal says."""

    def __init__(self) -> None:
        self.heads: dict[tuple[str, int], str] = {}

    def hear(self, lines: list[str]) -> None:
        for line in lines:
            match line.split():
                case ["acknowledged", stream, version, link]:
                    assert (stream, int(version)) not in self.heads, "a version was acknowledged twice"
                    self.heads[stream, int(version)] = link

    def check(self, path: Path) -> dict[str, list[Record]]:
        """The journal verifies, is not below its anchor, and holds all that was acknowledged, once."""
        verify(path, read_anchor(path.with_name("anchor")) or Anchor(), trust_nobody)
        reader = open_read_only(path)
        records = {stream: asyncio.run(read(reader, stream)) for stream in asyncio.run(reader.streams())}
        for (stream, version), link in self.heads.items():
            assert records[stream][version - 1].hash.hex() == link
        for of_stream in records.values():
            keys = [record.entry.key for record in of_stream]
            assert len(set(keys)) == len(keys)
        return records


@pytest.mark.parametrize("kills", [8, pytest.param(20, marks=pytest.mark.whole)])
def test_killed_owners_lose_and_double_nothing(tmp_path: Path, kills: int) -> None:
    path, chance, heard = tmp_path / "journal", random.Random(6), Acknowledgements()
    for _ in range(kills):
        with owner(path, *STREAMS) as process:
            heard.hear([line_of(process) for _ in range(chance.randint(1, 150))])
            process.kill()
            heard.hear(rest_of(process))
        heard.check(path)
    assert len(heard.heads) > 25 * kills


def test_an_owner_that_was_stopped_is_fenced_when_it_goes_on(tmp_path: Path) -> None:
    for turn in range(6):
        path, heard = tmp_path / str(turn) / "journal", Acknowledgements()
        path.parent.mkdir()
        with owner(path, "t", pause=0.002) as zombie:
            heard.hear([line_of(zombie) for _ in range(3 + turn)])
            taken = asyncio.run(taken_over(path, zombie))
            os.kill(zombie.pid, signal.SIGCONT)
            last_words = rest_of(zombie)
            heard.hear(last_words)
            assert last_words[-1] == f"fenced t {taken.version}"
            assert zombie.wait() == FENCED
        records = heard.check(path)["t"]
        assert records[-1] == taken


async def taken_over(path: Path, zombie: subprocess.Popen[str]) -> Record:
    """Stop the owner, take its lease and its stream, and leave it stopped.

    An owner that was stopped inside a transaction holds the file; then it is let go on for a moment, as it would have
    to be ended in earnest.
    """
    db = connect(path)
    db.set_busy_timeout(20)
    journal = SqliteJournal(path, Writer(db), now_ms=lambda: LONG_AFTER)
    lease: Lease | None = None
    while lease is None:
        os.kill(zombie.pid, signal.SIGSTOP)
        os.waitpid(zombie.pid, os.WUNTRACED)  # A thread on the other core may write on for a moment.
        try:
            lease = await journal.acquire_lease("t", "successor", 1)
        except NotCommitted:
            os.kill(zombie.pid, signal.SIGCONT)
            await asyncio.sleep(0.01)
    assert lease.epoch == 2
    head = await journal.head("t")
    [taken] = head.then(lease.epoch, [entry("owner_taken")])
    assert await journal.append("t", head.version, [taken]) == Appended(taken.version)
    await journal.close()
    return taken


def test_an_owner_whose_disk_is_full_says_so_and_keeps_what_it_acknowledged(tmp_path: Path) -> None:
    path, heard = tmp_path / "journal", Acknowledgements()
    with owner(path, *STREAMS, largest_file=400_000) as process:
        lines = rest_of(process)
        heard.hear(lines)
        assert process.wait() == FAILED
        assert "failed Unknown" in lines[-1]
    heard.check(path)
    assert heard.heads
    with owner(path, *STREAMS) as process:
        heard.hear([line_of(process) for _ in range(50)])
        process.kill()
        heard.hear(rest_of(process))
    heard.check(path)


def test_a_successor_sees_all_that_the_killed_owner_acknowledged(tmp_path: Path) -> None:
    path, heard = tmp_path / "journal", Acknowledgements()
    create(path)
    with owner(path, "t") as process:
        heard.hear([line_of(process) for _ in range(20)])
        process.kill()
        heard.hear(rest_of(process))

    async def succeed() -> None:
        journal = SqliteJournal(path, Writer(connect(path)), now_ms=lambda: LONG_AFTER)
        lease = await journal.acquire_lease("t", "successor", 1)
        assert lease is not None
        assert lease.epoch == 2
        head = await journal.head("t")
        assert head.version >= max(version for _, version in heard.heads)
        [stale] = head_after((await read(journal, "t"))[-2]).then(1, [entry("stale")])
        assert isinstance(await journal.append("t", head.version - 1, [stale]), Conflict)
        await journal.close()

    asyncio.run(succeed())
