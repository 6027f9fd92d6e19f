"""The disk of a served floor is full, read-only, fails or is slow: nothing acknowledged is lost, and when it is well
again the floor goes on by itself."""

import asyncio
import contextlib
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from sabot.cli.exit_codes import RECORDS_LOST
from sabot.client.station import Station
from sabot.journal.sqlite import open_read_only
from tests.runtime.floors import PATIENCE_S
from tests.served.failing_disk import DiskFault, FailingDisk
from tests.served.floor_file import staffed_floor
from tests.served.process import Process, get, serving
from tests.web.outages import TABLE, Outage, assert_to_the_cent, play_through, within

NOT_OPENED = "no coup is opened: the disk of the journal is nearly full"
REASONS = {
    DiskFault.FULL: "the disk is full",
    DiskFault.READ_ONLY: "writing failed",
    DiskFault.WRITE_FAILS: "writing failed",
    DiskFault.SYNC_FAILS: "writing failed",
}


SHORT_FORM = (DiskFault.FULL, DiskFault.SYNC_FAILS)
"""One that keeps the disk from being written, and one after which nobody knows what was written."""


def _outage(disk: FailingDisk, fault: DiskFault) -> Outage:
    async def begin() -> None:
        disk.fail(fault)

    async def end() -> None:
        disk.fail(DiskFault.NONE)

    def is_felt(process: Process, devices: list[Station]) -> bool:
        if any(one.in_touch for one in devices) or REASONS[fault] not in process.log:
            return False
        said = get(process.url, "/readyz")
        return said.status_code != 200 and said.json()["journal"] == "trouble"

    return Outage(begin, end, is_felt)


@pytest.mark.parametrize(
    "fault", [pytest.param(one, marks=() if one in SHORT_FORM else pytest.mark.whole) for one in REASONS]
)
def test_a_floor_goes_on_by_itself_after_its_disk_failed(tmp_path: Path, fault: DiskFault) -> None:
    folder = tmp_path / "floor"
    disk = FailingDisk(tmp_path, folder)
    process = Process(staffed_floor(folder, TABLE), environment=disk.env)
    tallies = asyncio.run(within(PATIENCE_S * 2, play_through(process, lambda: _outage(disk, fault))))
    asyncio.run(assert_to_the_cent(open_read_only(folder / "floor.journal"), tallies))


def test_a_slow_disk_keeps_everybody_waiting_and_loses_nobody(tmp_path: Path) -> None:
    folder = tmp_path / "floor"
    disk = FailingDisk(tmp_path, folder)
    slow = _outage(disk, DiskFault.SLOW)._replace(is_felt=lambda process, _: _is_behind(process))
    process = Process(staffed_floor(folder, TABLE), environment=disk.env)
    tallies = asyncio.run(within(PATIENCE_S * 2, play_through(process, lambda: slow)))
    assert [tally.lost for tally in tallies] == [0, 0]
    assert "lets go of the table" not in process.log.partition("stops")[0]
    asyncio.run(assert_to_the_cent(open_read_only(folder / "floor.journal"), tallies))


@contextlib.contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[Path]:
    """A real file system of so many megabytes."""
    folder.mkdir()
    mounting = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=700", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mounting, check=False, capture_output=True).returncode != 0:  # noqa: S603
        pytest.skip("only root may mount a small disk here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)  # noqa: S603, S607  What was mounted above.


def test_on_a_disk_that_others_have_filled_no_coup_is_opened_and_the_one_under_way_is_ended(tmp_path: Path) -> None:
    """The room that was set aside is enough for that; when there is room again, the next coup is opened."""
    with small_disk(tmp_path / "floor", 340) as folder:
        process = Process(staffed_floor(folder, TABLE))
        filler = folder / "others.dat"

        def fill() -> None:
            assert (folder / "floor.journal-ballast").exists()
            with filler.open("wb") as file, contextlib.suppress(OSError):
                for size in (2**20, 2**12):
                    with contextlib.suppress(OSError):
                        while True:
                            os.posix_fallocate(file.fileno(), file.seek(0, os.SEEK_END), size)

        def is_felt(process: Process, _: list[Station]) -> bool:
            said = get(process.url, "/readyz").json()
            return NOT_OPENED in process.log and said["ready"] and said["journal"] == "short of room"

        full = Outage(lambda: asyncio.to_thread(fill), lambda: asyncio.to_thread(filler.unlink), is_felt)
        tallies = asyncio.run(within(PATIENCE_S * 2, play_through(process, lambda: full)))
        asyncio.run(assert_to_the_cent(open_read_only(folder / "floor.journal"), tallies))


def test_a_floor_whose_journal_has_lost_records_ends_with_a_code_of_its_own(tmp_path: Path) -> None:
    with serving(staffed_floor(tmp_path, TABLE)) as process:
        (tmp_path / "floor.journal-wal").unlink()
        assert process.ended() == RECORDS_LOST
        assert "has lost records" in process.log


def _is_behind(process: Process) -> bool:
    lines = get(process.url, "/metrics").text.splitlines()
    [lag] = [line for line in lines if line.startswith('sabot_journal_lag_seconds{table="T1"}')]
    return float(lag.split()[1]) > 1
